"""The process that writes the pages that are due, again and again, alongside the mail.

``python -m pbmstar.features.website.worker`` is that process. A thread of the daemon starts it, and starts it
again if it ends. It only reads the store, except that it writes alerts, and the one letter that tells
players of the site.

The store says which pages are due; they are written one by one, and noted.

A kill at any moment loses nothing: a page that is not noted is due again. When the page of a board is
noted, the pages that name the board are noted as due.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import secrets
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ...config import Config
from ...errors import DAMAGE, TemporaryFailure
from ...games.spelling import plural
from ...identity import Passwords
from ...machine import log as logs
from ...machine.child import child_of_ours, end_with_parent
from ...machine.files import write_whole
from ...machine.times import DAY, Epoch, Seconds
from ...match.match import positions
from ...render.letters import Renderer
from ...render.text import WIDTH
from ...service.admin import people
from ...service.letters import alerts
from ...service.verbs import membership
from ...service.work.context import Context
from ...service.work.feature import FAIL, OK, WARN, Feature, Finding, features
from ...service.work.work import Work
from ...store import Store
from .folder import SiteFolder
from .pages.catalogue import Catalogue, Standings, is_listed_anew, lists_of
from .pages.gamepage import FinalScore, FinalScores, game_pages
from .pages.overviews import Overviews
from .pages.templates import PageTemplates, is_translated, placed
from .rows import PublicBoards

_NICE = 10  # pages may wait; messages and letters may not
PERIOD = 20.0  # seconds between two looks at the store ...
_SHARE = 20  # ... or so many times the processor time of a look, but
_LONGEST = 55.0  # not longer: a committed change is seen within a minute
_PAUSE = 10.0  # seconds until a process that has ended is started again
_STATE = "site.json"
ALERT = "site"
TOGETHER = 100  # pages between two notes
OF_A_GAME = (".html", ".json", ".svg", ".small.svg")

Progress = Callable[[int, int], None]  # pages written, and pages to write in all

log = logging.getLogger("pbmstar")


class State(NamedTuple):
    """The last run: the time of its end, the number of pages due after it, the trouble that stopped it."""

    at: Epoch = 0.0
    due: int = 0
    trouble: str = ""


def state(spool: Path) -> State:
    """Return the state that the last run noted; an empty state if there was none."""
    with suppress(OSError, ValueError, TypeError):
        return State(**json.loads((spool / _STATE).read_text()))
    return State()


class ConfiguredSite:
    """The site of a configuration, written run by run."""

    def __init__(
        self, config: Config, store: Store, clock: Callable[[], Epoch] = time.time
    ) -> None:
        assert config.site is not None
        self._clock = clock
        self._config, self._store = config, store
        self._publisher = Publisher(config, store, SiteFolder(config.site.absolute()))
        passwords = Passwords(secrets.token_bytes(32))
        self._context = Context(config, clock, secrets.token_bytes, passwords)
        self._is_told = False
        self._told = set[int]()  # the damaged boards that the operator has been told of

    def run(self, rebuild: bool = False, progress: Progress = lambda done, due: None) -> Output:
        """Write the pages that are due.

        Raises TemporaryFailure, or OSError, of which the operator is told too.
        """
        try:
            self._tell()
            done = self._publisher.run(rebuild, progress)
        except OSError as error:
            trouble = f"{error.filename or self._config.site}: {error.strerror}"
            with self._store.transaction() as tx:
                alerts.tell(tx, self._config, self._clock(), ALERT, trouble)
            self._note(state(self._config.spool)._replace(due=self._due(), trouble=trouble))
            raise
        self._tell_of_damage()
        self._note(State(self._clock()))
        return done

    def _tell(self) -> None:
        """Tell older players that there is a site now, at the first run."""
        if not self._is_told:
            with self._store.transaction() as tx:
                tell_players(Work(self._context, tx, self._clock()))
            self._is_told = True

    def _tell_of_damage(self) -> None:
        """Tell the operator of the boards that were left out, once in the life of this process."""
        for number in sorted(self._publisher.damaged - self._told):
            with self._store.transaction() as tx:
                alerts.tell(tx, self._config, self._clock(), "board", f"board {number}")
        self._told |= self._publisher.damaged

    def _due(self) -> int:
        with suppress(OSError):
            return self._publisher.due()
        return 0

    def _note(self, now: State) -> None:
        with suppress(OSError):
            write_whole(self._config.spool / _STATE, json.dumps(now._asdict()).encode())


def print_on(config: Config, store: Store, period: Seconds, longest: Seconds) -> None:
    """Write the pages that are due, again and again, as long as this process lives."""
    house = ConfiguredSite(config, store)
    while True:
        begun = time.process_time()
        try:
            done = house.run()
            if any(done):
                log.info("site", extra={"facts": done._asdict()})
        except (TemporaryFailure, OSError) as error:
            log.warning("site", extra={"facts": {"trouble": str(error)}})
        except Exception:  # the edge of this process: a fault of ours must not end it
            log.exception("site")
        took = time.process_time() - begun
        time.sleep(min(max(period, _SHARE * took), max(period, longest)))


class SiteWorker:
    """The thread of the daemon that keeps the process alive."""

    def __init__(
        self, config: Config, period: Seconds = PERIOD, longest: Seconds = _LONGEST
    ) -> None:
        """Make it. It pauses ``period`` seconds between two looks, after a long look up to ``longest``."""
        self._config = config
        self._ask = pickle.dumps((config, period, longest))
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="site", daemon=True)

    def start(self) -> None:
        """Start the thread, which starts the process."""
        self._thread.start()

    def wake(self) -> None:
        """Go on: the process looks at the store by itself."""

    def stop(self, patience: Seconds = 5.0) -> bool:
        """End the process at once; the next one goes on from there. Return False if it does not end."""
        self._stopped.set()
        if self._thread.ident is None:
            return True
        if (process := self._process) is not None:
            process.kill()
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, child_of_ours()], stdin=subprocess.PIPE
            )
            if self._stopped.is_set():
                self._process.kill()
            pipe = self._process.stdin
            assert pipe is not None
            with suppress(OSError), pipe:
                pipe.write(self._ask)
            status = self._process.wait()
            if not self._stopped.is_set():
                log.error("site", extra={"facts": {"status": status}})
                self._stopped.wait(_PAUSE)

    def catch_up(self, store: Store) -> None:
        """Write the pages that are due. Raises TemporaryFailure, OSError."""
        ConfiguredSite(self._config, store).run()

    def examine(self, now: Epoch) -> Iterator[Finding]:
        """Yield what the folder of the pages and the note of the last run show."""
        config = self._config
        assert config.site is not None
        last = state(config.spool)
        known = config.site if config.site.exists() else config.site.parent
        if not known.is_dir():
            advice = "Make it, where the daemon's user may write."
            yield Finding(FAIL, f"site: there is no folder {known}", advice)
        elif not os.access(known, os.W_OK | os.X_OK):
            advice = f"Let the daemon's user write {known}."
            yield Finding(FAIL, "site: its folder cannot be written", advice)
        elif last.trouble:
            advice = f"{last.due} pages wait. It is tried again every minute."
            yield Finding(FAIL, f"site: {last.trouble}", advice)
        elif not last.at:
            advice = "The daemon writes it, or pbmstar site."
            yield Finding(WARN, "site: nothing is written yet", advice)
        elif now - last.at > DAY:
            advice = "Does the daemon run, or pbmstar remind?"
            yield Finding(WARN, "site: written long ago", advice)
        else:
            yield Finding(OK, "site: up to date")
        if not config.site_url:
            advice = "With it letters have the address of the big board."
            yield Finding(WARN, "site_url: not set", advice)


_TOLD = "site told"  # the fact: the time when players were told about the site
_AN_HOUR = 500  # letters about the site


def tell_players(work: Work) -> None:
    """Tell players about the site once, if they are not shown there and want announcements.

    They are told when the site exists for the first time; another letter tells players who sign up later.
    """
    membership.is_shown(work, work.now)
    if work.tx.ledger.fact(_TOLD):
        return
    work.tx.ledger.set_fact(_TOLD, str(work.now))
    users = [
        user
        for user in work.tx.accounts.users()
        if user.state == "active" and user.news and not user.public
    ]
    url = work.context.config.site_url
    shown = (
        f"This server shows games on the web now{f', at {url}' if url else ''}: userids, moves, results "
        "and ratings, never an address or what you write."
    )
    people.write(
        work,
        users,
        "games on the web",
        f"{textwrap.fill(shown, WIDTH)}\n\nYours are not there. If you like them to be, reply to any\n"
        "other letter of ours with\n\n"
        "  public on\n\nA game is shown while both of its players have that on.",
        _AN_HOUR,
    )
    if users:
        work.note(f"announce the site: {len(users)} letters")


class Output(NamedTuple):
    """The counts of a run: games whose pages it has written, other files written, and files deleted."""

    games: int = 0
    others: int = 0
    removed: int = 0

    def __str__(self) -> str:
        if not any(self):
            return "Nothing has changed."
        gone = f", {plural(self.removed, 'file')} taken away" if self.removed else ""
        return (
            f"{plural(self.games, 'game')} and {plural(self.others, 'other file')} written{gone}."
        )


class Publisher:
    """The writer of the site of a store, into a folder."""

    def __init__(self, config: Config, store: Store, folder: SiteFolder) -> None:
        self._store, self.folder = store, folder
        self._paper, self._renderer = PageTemplates(config), Renderer.of(config)
        self._features = features(Feature.pages, config.without)
        self._games = self._others = self._removed = 0
        self._written = set[str]()  # the files that pages share
        self._scores: dict[int, FinalScore] = {}
        self.damaged = set[int]()  # the boards that were left out

    def run(self, rebuild: bool = False, progress: Progress = lambda done, due: None) -> Output:
        """Write all pages that are due. With ``rebuild`` write all pages, and delete all other files.

        Raises OSError, TemporaryFailure.
        """
        self._games = self._others = self._removed = 0
        folder = self.folder
        with folder.held():
            is_new = rebuild or folder.made != self._paper.made
            if is_new:
                before = set(folder.boards)
                folder.begin(self._paper.made)
            lists = self._lists()
            changed = lists.catalogue.changed(folder.boards)
            if is_new:
                changed += sorted(before - set(lists.catalogue.lines))
                folder.note({}, lists.names(), set())
            shared = self._shared(lists.catalogue)
            for name in shared.keys() - (set() if is_new else self._written):
                self._others += folder.write(name, shared[name])
            self._written = set(shared)
            for at in range(0, len(changed), TOGETHER):
                self._boards(lists.catalogue, changed[at : at + TOGETHER], rebuild)
                progress(min(at + TOGETHER, len(changed)), len(changed))
            folder.note_marks(lists.standings.marks())
            self._write_lists(lists)
            if rebuild:
                for name in set(folder.files()) - self.expected(lists):
                    self._removed += folder.remove(name)
        return Output(self._games, self._others, self._removed)

    def due(self) -> int:
        """Return the number of pages that are due now. Raises OSError, TemporaryFailure."""
        self.folder.peek()
        if self.folder.made != self._paper.made:
            return len(self._lists().catalogue.lines)
        return len(self._lists().catalogue.changed(self.folder.boards)) + len(self.folder.due)

    def differences(self) -> list[str]:
        """Return the files that are not as they would be written now: the name of each, and its fault.

        Nothing is written. Raises OSError, TemporaryFailure.
        """
        lists, found = self._lists(), []
        pages: dict[str, bytes | None] = dict(self._shared(lists.catalogue))
        for name in lists.names():
            pages |= lists.pages(name)
        expected = set(pages)
        for name, content in pages.items():
            found += self._difference(name, content)
        for number in lists.catalogue.lines:
            for name, content in self._drawn(lists.catalogue, number, b"").items():
                expected.add(name)
                found += self._difference(name, content)
        found += [f"{name}: foreign" for name in self.folder.files() if name not in expected]
        return sorted(set(found))

    def expected(self, lists: Overviews) -> set[str]:
        """Return the names of all files that belong to the site."""
        translators, numbers = self._paper.translators, lists.catalogue.lines
        own = {*lists.names(), *(f"g/{number}.html" for number in numbers)}
        names = {
            placed(name, translator)
            for name in filter(is_translated, own)
            for translator in translators
        }
        names |= {*own, *self._shared(lists.catalogue)}
        return names | {f"g/{number}{end}" for number in numbers for end in OF_A_GAME}

    def _shared(self, catalogue: Catalogue) -> dict[str, bytes]:
        """Return the files that all pages share."""
        scripts = {f"s/{e.key}.js": e.script.encode("ascii") for e in catalogue.surfaces()}
        return {**self._paper.static, **scripts}

    def _difference(self, name: str, content: bytes | None) -> list[str]:
        try:
            there = (self.folder.root / name).read_bytes()
        except FileNotFoundError:
            return [] if content is None else [f"{name}: missing"]
        return [] if there == content else [f"{name}: differs"]

    def _lists(self) -> Overviews:
        with self._store.transaction(writes=False) as tx:
            shown = tx.of(PublicBoards)
            catalogue = Catalogue(shown.lines(), shown.kinds())
            standings = Standings(tx, self._features)
        catalogue.damaged = self.damaged
        scores = FinalScores(self._store, catalogue, self._scores)
        return Overviews(self._paper, catalogue, standings, self._renderer, self._store, scores)

    def _boards(self, catalogue: Catalogue, numbers: Sequence[int], rebuild: bool) -> None:
        """Write the pages of some boards, or delete them if nobody may see the board, and note that."""
        folder, versions, due = self.folder, {}, set[str]()
        for number in numbers:
            old, new = folder.boards.get(number, ""), catalogue.version(number)
            versions[number] = new
            if is_listed_anew(old, new):
                due |= lists_of(old) | lists_of(new)
            if not new:
                names = [f"g/{number}{end}" for end in OF_A_GAME]
                names += [placed(names[0], each) for each in self._paper.translators[1:]]
                self._removed += sum(map(folder.remove, names))
                continue
            known = b""
            with suppress(FileNotFoundError):
                known = b"" if rebuild else (folder.root / f"g/{number}.html").read_bytes()
            pages = self._drawn(catalogue, number, known)
            written = [folder.write(name, content) for name, content in pages.items()]
            self._games += any(written)
        folder.note(versions, due, set())

    def _drawn(self, catalogue: Catalogue, number: int, known: bytes) -> dict[str, bytes]:
        """Return the pages of a board; none if it was removed meanwhile, or is damaged."""
        try:
            with self._store.transaction(writes=False) as tx:
                row = tx.boards.get(number)
                record = tx.boards.record(number) if row else ()
            if row is None or not record:
                return {}
            begun = row.match(())
            each = [begun.position, *positions(begun, record)]
            match = replace(begun, position=each[-1], record=tuple(record))
            self._scores[number] = FinalScore.of(catalogue.lines[number], match)
            return game_pages(self._paper, match, each, catalogue.game(number), known)
        except DAMAGE:  # ``admin check`` names it
            self.damaged.add(number)
            return {}

    def _write_lists(self, lists: Overviews) -> None:
        """Write the other pages that are due, or delete them if nothing is left to list, and note that."""
        names = sorted(self.folder.due)
        for at in range(0, len(names), TOGETHER):
            some = names[at : at + TOGETHER]
            for path, content in (each for name in some for each in lists.pages(name).items()):
                if content is None:
                    self._removed += self.folder.remove(path)
                else:
                    self._others += self.folder.write(path, content)
            self.folder.note({}, set(), set(some))


def main() -> None:
    """Write the site, again and again, until the daemon that started this process ends."""
    end_with_parent(sys.argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the daemon ends us last
    config, period, longest = pickle.load(sys.stdin.buffer)  # noqa: S301 - the daemon wrote it
    logs.setup(node=config.node)
    os.umask(0o077)
    os.nice(_NICE)
    with closing(Store(config.database)) as store:
        print_on(config, store, period, longest)


if __name__ == "__main__":
    main()
