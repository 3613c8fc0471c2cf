"""A service without a daemon: mails are handed in as bytes, letters come back parsed."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar
from unittest import mock

from click.testing import CliRunner, Result
from reference.meanings import unknown_codes

from harness import quickbot
from harness.letters import PASSWORD, SERVER, Examiner, Got
from pbmstar import config
from pbmstar.cli import main
from pbmstar.cli.remind import told
from pbmstar.command import named
from pbmstar.delivery.configured import Written
from pbmstar.delivery.dispatch import Delivery, lock_of
from pbmstar.machine.files import hold
from pbmstar.match import Act, Entry
from pbmstar.render.letters import Renderer
from pbmstar.render.recipe import Recipe
from pbmstar.service.admin import operator
from pbmstar.service.admin.lookup import all_boards
from pbmstar.service.incoming.mail import Service
from pbmstar.service.upkeep import rounds
from pbmstar.service.work import apply
from pbmstar.service.work.context import Context, Envelope, Outcome, Precomputed, in_steps
from pbmstar.service.work.work import Work
from pbmstar.store import Board, Store, Tx, User
from pbmstar.store.schema import metadata
from pbmstar.store.statements import Repository

from .quick import PASSWORDS, hashed_password, opened
from .tray import Tray

T = TypeVar("T")
DAY = 86400.0
KNOWN = 400  # letters


class Scribe(Renderer):
    """Writes a letter once for all offices: in most of them games begin alike, and serials are counted."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._known: dict[bytes, tuple[bytes, bool]] = {}

    def write(self, recipe: Recipe) -> bytes:
        key = recipe.to_bytes()
        letter = self._known.pop(key, None) or (super().write(recipe), self.undrawn)
        if len(self._known) >= KNOWN:
            del self._known[next(iter(self._known))]
        self._known[key] = letter
        content, self.undrawn = letter
        return content


scribe = cache(Scribe)


def _nothing(**_options: object) -> None:
    """Leave the log of the tests as it is."""


class Lent(Store):
    """A store that its borrower does not close."""

    def __init__(self, store: Store) -> None:
        vars(self).update(vars(store))

    def close(self) -> None:
        """Leave it open."""


def address(userid: str) -> str:
    """The address of a test account."""
    return f"{userid}@{userid}.example"


def is_there(line: str) -> bool:
    """Whether a command is one of this server's, with the features that it has."""
    words = line.split()
    return any(" ".join(words[:count]) in named(None) for count in (1, 2))


def at_once(*jobs: Callable[[], T]) -> list[T]:
    """The results of jobs that begin together, each in a thread of its own."""
    together = Barrier(len(jobs))

    def begin(job: Callable[[], T]) -> T:
        together.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(begin, jobs))


class _Undone(Exception):
    """Everything is as it was before the mail."""


class Office:
    """Hands mails to the service and collects the letters; the clock stands still unless moved."""

    def __init__(
        self, database: str, spool: Path, people: Iterable[str] = ("alice", "bob"), **options: str
    ) -> None:
        spool.mkdir(exist_ok=True)
        self.options = {
            "spool": str(spool),
            "address": SERVER,
            "database": database,
            "pictures": "off",
            "bots": "1",
        } | options
        self.config = config.load(self.options, {})
        self.delivering, self.delivers = ExitStack(), False
        self.tray = Tray()
        self.is_serving = True
        loaded = self.config
        renderer = scribe(
            loaded.templates,
            loaded.address,
            url=loaded.site_url,
            without=loaded.without,
            plain=loaded.detail == "none",
        )
        self.relay = Written(self.tray, renderer, plain=loaded.detail == "none")
        self.examiner = Examiner()
        self.passwords = PASSWORDS
        self.store = opened(database)
        self.now = 1_800_000_000.0
        self.count, self._mails = itertools.count(1), itertools.count(1)
        random = itertools.count(1)
        self.context = Context(
            config=self.config,
            clock=lambda: self.now,
            random=lambda size: next(random).to_bytes(size, "big"),
            passwords=PASSWORDS,
        )
        self.service = Service(self.context)
        with self.store.transaction() as tx:
            for userid in people:
                self._add(tx, userid, address(userid), PASSWORD[userid])

    def restart(self) -> None:
        """A new daemon takes over: it knows only what is stored."""
        self.store.close()
        self.store = opened(self.config.database)
        self.context = replace(self.context)
        self.service = Service(self.context)

    def close(self) -> None:
        self.delivering.close()
        self.store.close()

    def kept(self) -> Callable[[], None]:
        """What makes the database, of SQLite, and the clock again as they are now."""
        kept, file, now = sqlite3.connect(":memory:"), self.config.spool / "pbmstar.db", self.now
        with closing(sqlite3.connect(file)) as there:
            there.backup(kept)

        def again() -> None:
            with closing(sqlite3.connect(file)) as there:
                kept.backup(there)
            self.now = now
            self.restart()

        self.delivering.callback(kept.close)
        return again

    def add(self, userid: str, mail: str = "", password: str = "") -> None:
        """Open an account as the operator does; a known name has its own password."""
        with self.store.transaction() as tx:
            self._add(tx, userid, mail or address(userid), password or PASSWORD[userid])

    def _add(self, tx: Tx, userid: str, mail: str, password: str) -> None:
        tx.accounts.add(User(userid, mail, hashed_password(password), "active", self.now))
        self.work(tx).note(f"user add {userid}")

    def write(
        self, sender: str, subject: str = "", body: str = "", to: str = SERVER, headers: str = ""
    ) -> bytes:
        """The bytes of a mail; each has a Message-ID of its own."""
        sender = sender if "@" in sender else address(sender)
        return (
            f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\n"
            f"Message-ID: <{next(self.count)}@mua.example>\r\n{headers}"
            f"Content-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
        ).encode()

    def deliver(
        self, raw: bytes, sender: str | None = None, to: str = SERVER, peer: str = ""
    ) -> Outcome:
        """Hand a mail in as the daemon does; its envelope's sender is its author, if none is named."""
        return self.deliver_to(raw, to, sender=sender, peer=peer)

    def deliver_to(
        self,
        raw: bytes,
        *to: str,
        sender: str | None = None,
        peer: str = "",
        store: Store | None = None,
    ) -> Outcome:
        """Hand in one mail to several recipients, perhaps at a daemon with a store of its own."""
        mail, results = self.service.read(raw), Precomputed()
        if sender is None:
            sender = mail.author or "someone@mta.example"
        envelope = Envelope(sender, to, peer, f"{int(self.now):x}-{next(self._mails)}")
        while True:
            with (store or self.store).transaction() as tx:
                outcome = self.service.execute(tx, envelope, mail, raw, results)
            if isinstance(outcome, Outcome):
                assert not (unknown := unknown_codes(outcome.codes)), (
                    unknown
                )  # docs/reference/log.md names them all
                return outcome
            results.known[outcome.key] = outcome.compute()

    def tried(self, sender: str, subject: str, body: str, to: str = SERVER) -> Outcome:
        """What becomes of a mail; afterwards nothing has happened."""
        drawn, results = itertools.count(1), Precomputed()
        random = replace(self.context, random=lambda size: next(drawn).to_bytes(size, "big"))
        service, raw = Service(random), self.write(sender, subject, body, to)
        mail = service.read(raw)
        envelope = Envelope(mail.author or "", (to,), "", "1-1")
        while True:
            with suppress(_Undone), self.store.transaction() as tx:
                outcome = service.execute(tx, envelope, mail, raw, results)
                raise _Undone
            if isinstance(outcome, Outcome):
                return outcome
            results.known[outcome.key] = outcome.compute()

    def send(self, sender: str, subject: str = "", body: str = "", to: str = SERVER) -> list[Got]:
        """Write a mail, hand it in, and return the letters that come of it."""
        self.deliver(self.write(sender, subject, body, to), to=to)
        return self.letters()

    def letters(self) -> list[Got]:
        """The letters that wait, as the relay gets them; before that, the work for many is done."""
        in_steps(self.store, self.service.do_chore)
        with self.store.transaction() as tx:

            def submit(job: Callable[[Tx], T], /) -> Future[T]:
                future: Future[T] = Future()
                future.set_result(job(tx))
                return future

            trouble = self.service.trouble
            Delivery(submit, self.relay, "office", trouble, lambda: self.now).run_once()
        tried, self.tray.tried = self.tray.tried, []
        letters = [Got(each.address, each.sender, each.content) for each in tried]
        for letter in letters:
            if letter.mail["X-Pbmstar-Loop"]:  # it is ours, and not a mail that is passed on
                self.examiner.examine(letter)
        return letters

    def run(self, *words: str, stdin: str = "", **environment: str) -> Result:
        """``pbmstar`` with these words in this process, by the office's clock.

        The office counts as the daemon: letters wait for ``letters``, and turns of bots for ``think``.
        """
        if not self.delivers:
            self.delivering.enter_context(hold(lock_of(self.config.spool)))
            for place in ("weak", "0"):
                self.delivering.enter_context(hold(self.config.spool / f"think.{place}.lock"))
            self.delivers = True
        facts = {**self.options, **environment}
        environ = {f"PBMSTAR_{key.upper()}": value for key, value in facts.items()}
        environ["SUDO_USER"] = "ann"
        mask = os.umask(0o077)
        try:
            if words[0] == "remind":
                self._serve()
            with (
                mock.patch("time.time", self.context.clock),
                mock.patch("pbmstar.machine.log.setup", _nothing),
                mock.patch("pbmstar.cli.shared.Store", self._lend),
            ):
                return CliRunner(catch_exceptions=False).invoke(main, words, stdin, environ)
        finally:
            os.umask(mask)

    def _lend(self, database: str, node: str = "", make: bool = True) -> Store:
        """The office's own store, or that of another database: to open one takes as long as most commands."""
        return (
            Lent(self.store)
            if database == self.config.database
            else Store(database, node=node, make=make)
        )

    def _serve(self) -> None:
        """The daemon has been there all the time, if it serves."""
        if self.is_serving:
            self.ask("ledger.set_fact", "alive", str(self.now))

    def facts(self, *words: str) -> Any:
        """What ``pbmstar`` prints with these words and --json."""
        return json.loads(self.run(*words, "--json").output)

    def work(self, tx: object) -> Work:
        """An operator's work in an open transaction."""
        return Work(self.context, tx, self.now)  # type: ignore[arg-type]

    def game(self, challenge: str = "star challenge alice bob") -> int:
        """Start a game; returns the board's number."""
        return int(self.send("alice", challenge)[0].mail["X-Pbmstar-Board"])

    def begun(self, challenge: str = "star challenge -leave=no alice bob") -> int:
        """Start a game in which both have moved, alice first; returns the board's number."""
        board = self.game(challenge)
        self.play(board, "F6", "G7")
        return board

    def advance(self, board: int, *moves: str) -> None:
        """Let these moves have been made, by whoever's turn it was; nobody mails, and nobody is told."""
        with self.store.transaction() as tx:
            work = self.work(tx)
            for move in moves:
                match = apply.load(work, board)
                assert match.to_move
                apply.apply(work, match, Act(match.to_move, "move", move))

    def play(self, board: int, *moves: str, body: str = "") -> list[Got]:
        """Moves by whoever's turn it is; the last move's letters."""
        letters: list[Got] = []
        for move in moves:
            row = self.row(board)
            assert row is not None and row.to_move
            letters = self.play_as(row.to_move, board, move, body)
        return letters

    def play_as(self, who: str, board: int, move: str, body: str = "") -> list[Got]:
        """A move by that player, in turn or not."""
        row = self.row(board)
        assert row is not None
        return self.send(who, f"{row.game} move {board} {who} {PASSWORD[who]} {move}", body)

    def think(self, think: Callable[[dict[str, Any]], dict[str, Any]] = quickbot.answer) -> int:
        """Let the bots answer what is due; returns how many turns that was."""
        from pbmstar.thinking import answers

        for count in itertools.count():
            question = self.at_work(answers.next_question, (), range(1, 10))
            if question is None:
                self.review()
                return count
            reply = None if question.request is None else think(question.request)
            assert self.at_work(answers.answer, question, reply)
        raise AssertionError

    def review(self) -> None:
        """Let games be reviewed whose reviews are waited for."""
        from pbmstar.service.verbs import reviews

        while study := self.at_work(reviews.next_study, ()):
            self.at_work(reviews.finish, study, quickbot.review(study.request))

    # -- looking behind the counter

    def at_work(self, act: Callable[..., Any], *args: Any) -> Any:
        """What the operator does, in a transaction of its own."""
        with self.store.transaction() as tx:
            return act(self.work(tx), *args)

    def ask(self, question: str, *args: Any) -> Any:
        """Call a method of the store: boards.get, say."""
        with self.store.transaction() as tx:
            return attrgetter(question)(tx)(*args)

    def ask_of(self, subject: type[Repository], question: str, *args: Any) -> Any:
        """Call a method of a feature's subject in the store."""
        with self.store.transaction() as tx:
            return getattr(tx.of(subject), question)(*args)

    def row(self, board: int) -> Board | None:
        """A board's row."""
        row: Board | None = self.ask("boards.get", board)
        return row

    def record(self, board: int) -> list[str]:
        """The moves of a board's record, as they are kept."""
        moves: list[Entry] = self.ask("boards.record", board)
        return [move.move for move in moves]

    def sql(self, statement: str) -> None:
        """Change the database behind the program's back."""
        with self.store.engine.begin() as connection:
            connection.exec_driver_sql(statement)

    def rows(self, *but: str) -> dict[str, list[str]]:
        """All rows of all tables but these, as text."""
        with self.store.engine.connect() as connection:
            cursor = connection.connection.cursor()
            found = {}
            for name in metadata.tables.keys() - set(but):
                cursor.execute(f"SELECT * FROM {name}")
                found[name] = sorted(map(str, cursor.fetchall()))
            return found

    def state(self) -> list[object]:
        """All that a refused command must leave alone: accounts, boards, records."""
        with self.store.transaction() as tx:
            boards = list(all_boards(tx))
            return [tx.accounts.users(), boards, *(tx.boards.record(row.board) for row in boards)]

    def check(self) -> list[str]:
        """What ``pbmstar admin check`` finds."""
        with self.store.transaction(writes=False) as tx:
            return operator.check_all(tx)

    def digests(self, days: float = 1.0) -> list[Got]:
        """So many days later the daily letters are written; all letters that wait."""
        self.now += days * DAY
        self._write_digests()
        return self.letters()

    def _write_digests(self) -> None:
        while self.at_work(lambda work: self.service.send_digests(work.tx)):
            pass

    def remind(self, days: float = 0.0) -> tuple[list[int], list[Got]]:
        """So many days later a run of the reminders: reminders, last warnings, forfeits; the letters.

        As ``pbmstar remind``, which the scripts show, it remembers nothing of what the daemon has read.
        """
        self.now += days * DAY
        self._serve()
        done = " ".join(told(rounds.remind(replace(self.context), self.store)))
        self._write_digests()
        return [int(word) for word in done.split() if word.isdigit()], self.letters()
