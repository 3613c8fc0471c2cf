"""What the crash tests share: a world of boards, players that do not give up, and what must be true.

Players send as a mail server does: whatever was not answered with 250 is sent again, the same bytes,
until it is. So in the end every move must be in the record once, and its two letters in the sink.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bench import world
from harness import client
from harness.server import PATIENCE, Server
from harness.sink import Rule, Sink

from pbmstar.service.admin.lookup import all_boards
from pbmstar.store import Store, Tx

TO = world.ADDRESS
_LETS_GO = 10.0  # seconds until strace has let go, unless it never does
T = TypeVar("T")


def server_of(folder: Path, database: str = "", relay: str = "", **keys: str) -> Server:
    """A server of the world's address, without limits unless told otherwise."""
    keys = {"limits": "off", "address": TO, **keys}
    return Server(folder, database=database, relay=relay, **keys)


class Line(client.Line):
    """A connection of a player's mail server to the world's address."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        super().__init__(port, TO, source)


def send(port: int, raw: bytes) -> str:
    """Send one mail; returns the reply."""
    return client.send(port, raw, TO)


@contextmanager
def traced(pid: int, inject: str, threads: bool = True) -> Iterator[None]:
    """strace that injects a fault into a running process and its threads, or its first thread alone.

    The process goes on without when this ends. strace lets go of its threads one after another, and
    for ever waits for one that waits for a child just forked, which strace itself holds. Killed, it
    lets go of all.
    """
    options = ["-e", f"trace={inject.partition(':')[0]}", "-e", f"inject={inject}"]
    tracer = subprocess.Popen(
        ["strace", *(["-f"] if threads else []), *options, "-p", str(pid), "-o", os.devnull],
        stderr=subprocess.PIPE,
    )
    assert tracer.stderr is not None
    try:
        line = tracer.stderr.readline()
        assert b"attached" in line, line
        yield
    finally:
        tracer.terminate()
        with suppress(subprocess.TimeoutExpired):
            tracer.wait(_LETS_GO)
        tracer.kill()
        tracer.wait()
        tracer.stderr.close()


# -- the players


class Move(NamedTuple):
    """A mail with one move."""

    board: int
    number: int
    userid: str
    move: str
    raw: bytes


def moves(board: int, count: int, players: int = 100) -> list[Move]:
    """The first moves of a board of ``world.fill``."""
    pair = (board - 1) % (players // 2)
    made = []
    for number, raw in enumerate(world.mails(board, pair, count), 1):
        subject = re.search(rb"\r\nSubject: \S+ move \d+ (\S+) \S+ (\S+)#", raw)
        assert subject is not None
        made.append(Move(board, number, subject[1].decode(), subject[2].decode(), raw))
    return made


class Players:
    """Threads, one for each list of mails, that send them in order until each is acknowledged.

    They pause when about ``allowed`` moves are acknowledged.
    """

    def __init__(
        self,
        ports: Sequence[int],
        sessions: Sequence[Sequence[Move]],
        allowed: float = float("inf"),
    ) -> None:
        self.allowed = allowed
        self.acked: list[Move] = []
        self.replies: list[str] = []  # but 250
        self.cuts = 0
        self._errors: list[BaseException] = []
        self._deadline = time.monotonic() + 3 * PATIENCE
        self._threads = [
            threading.Thread(target=self._play, args=(port, mails), daemon=True)
            for mails in sessions
            for port in ports
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Wait until all have sent what they have; raises what happened to any."""
        for thread in self._threads:
            thread.join(max(0.0, self._deadline - time.monotonic()) + PATIENCE)
        if self._errors:
            raise self._errors[0]
        assert not any(thread.is_alive() for thread in self._threads)

    def _play(self, port: int, mails: Sequence[Move]) -> None:
        line: Line | None = None
        try:
            for move in mails:
                while True:
                    assert time.monotonic() < self._deadline, self.replies[-5:]
                    if len(self.acked) >= self.allowed:
                        time.sleep(0.01)
                        continue
                    try:
                        line = line or Line(port)
                        reply = line.mail(move.raw)
                    except OSError:
                        self.cuts += 1
                        reply = ""
                    if reply.startswith("250"):
                        self.acked.append(move)
                        break
                    assert not reply.startswith("5"), reply
                    if reply:
                        self.replies.append(reply)
                    if line is not None:
                        line.close()
                        line = None
                    time.sleep(0.05)
        except BaseException as error:
            self._errors.append(error)
        finally:
            if line is not None:
                line.close()


# -- what must be true


def asked(database: str, question: Callable[[Tx], T]) -> T:
    """What a database says."""
    store = Store(database)
    try:
        with store.transaction(writes=False) as tx:
            return question(tx)
    finally:
        store.close()


Record = dict[int, list[tuple[int, str, str]]]


def record(database: str) -> Record:
    """All moves, by board."""

    def moves_of(tx: Tx) -> Record:
        return {
            row.board: [
                (move.number, move.userid, move.move) for move in tx.boards.record(row.board)
            ]
            for row in all_boards(tx)
        }

    return asked(database, moves_of)


def state(database: str) -> list[Any]:
    """All that a mail sent again must leave alone."""

    def all_of(tx: Tx) -> list[Any]:
        boards = list(all_boards(tx))
        return [
            tx.accounts.users(),
            boards,
            [tx.boards.record(row.board) for row in boards],
            tx.outbox.last_written(),
        ]

    return asked(database, all_of)


def delivered(database: str, seconds: float = PATIENCE) -> None:
    """Wait until no letter waits any more, however many do. Fail if for so long none of them goes out.

    It only reads, through one connection: who takes the write lock to ask holds up what it waits for.
    """
    store = Store(database)
    try:
        before, last = -1, time.monotonic()
        while True:
            with store.transaction(writes=False) as tx:
                states = tx.outbox.states()
            waiting = states.get("new", 0) + states.get("dead", 0)
            if not waiting:
                return
            if waiting != before:
                before, last = waiting, time.monotonic()
            assert time.monotonic() < last + seconds, (
                f"for {seconds} s no letter went out: {states}"
            )
            time.sleep(0.05)
    finally:
        store.close()


def is_sound(server: Server) -> None:
    """Assert what must hold after every crash: a whole file, and records that replay."""
    if server.database.startswith("sqlite"):
        file = sqlite3.connect(server.database.removeprefix("sqlite:///"))
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []
        file.close()
    assert server.says("admin", "check") == "0 differences.\n"


def is_exactly(database: str, sessions: Sequence[Sequence[Move]]) -> None:
    """Assert that each of these moves is in the record once, in its place, and no other is."""
    wanted: Record = {}
    for session in sessions:
        for move in session:
            wanted.setdefault(move.board, []).append((move.number, move.userid, move.move))
    played = {board: moves for board, moves in record(database).items() if moves}
    assert played == {board: sorted(moves) for board, moves in wanted.items()}


def holds(database: str, acked: Sequence[Move]) -> None:
    """Assert that each of these moves is in the record."""
    played = record(database)
    for move in acked:
        assert (move.number, move.userid, move.move) in played[move.board], move


def letters_came(sink: Sink, sessions: Sequence[Sequence[Move]]) -> None:
    """Assert that both letters of each move came, each time the same bytes, and no other letter."""
    came: dict[tuple[int, int, str], set[tuple[str, bytes]]] = {}
    places: dict[str, tuple[int, int, str]] = {}
    for letter in sink.letters:
        place = letter_place(letter.content, letter.recipients[0])
        came.setdefault(place, set()).add((letter.message_id, letter.content))
        assert places.setdefault(letter.message_id, place) == place
    wanted = set()
    for session in sessions:
        for move in session:
            pair = int(move.userid[1:]) // 2
            for player in (2 * pair, 2 * pair + 1):
                wanted.add((move.board, move.number, f"p{player}@bench.example"))
    assert set(came) == wanted
    assert {place: len(copies) for place, copies in came.items() if len(copies) > 1} == {}


def all_is_well(server: Server, sink: Sink, sessions: Sequence[Sequence[Move]]) -> None:
    """Let a running server end its deliveries and stop; then all moves and letters must be there."""
    delivered(server.database)
    assert server.stop() == 0
    is_sound(server)
    is_exactly(server.database, sessions)
    letters_came(sink, sessions)


def letter_place(content: bytes, recipient: str) -> tuple[int, int, str]:
    """Board and number of the move that a letter tells of, and whom."""
    numbers = [
        int(re.search(rb"\r\nX-Pbmstar-%s: (\d+)\r\n" % name, content)[1])  # type: ignore[index]
        for name in (b"Board", b"Move")
    ]
    return numbers[0], numbers[1], recipient


@contextmanager
def served(
    folder: Path, boards: int, rule: Rule | None = None, truly: bool = False
) -> Iterator[tuple[Server, Sink]]:
    """A running server with so many boards on SQLite, and the sink that its letters go to."""
    with Sink(rule) as sink, server_of(folder, relay=sink.url) as server:
        server.spool.mkdir(mode=0o700)
        world_of(server.database, boards)
        yield server.start(truly=truly), sink


def world_of(database: str, boards: int, players: int = 100) -> None:
    """Fill a new database."""
    store = Store(database)
    world.fill(store, boards, players=players)
    store.close()
