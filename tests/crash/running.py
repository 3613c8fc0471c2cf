"""What the crash tests share: a daemon in a process of its own, players that do not give up, checks.

Players send as a mail server does: whatever was not answered with 250 is sent again, the same bytes,
until it is. So in the end every move must be in the record once, and its two letters in the sink.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from bench import world
from harness.sink import Sink

from pbmstar.store import Store

PATIENCE = 30.0  # seconds until something must have happened
T = TypeVar("T")


def until(found: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """Ask until there is an answer that is true, and return it. Raises AssertionError."""
    deadline = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < deadline, f"in {seconds} s: no {what}"
        time.sleep(0.005)
    return answer


def free_port() -> int:
    """A port of loopback that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


# -- the programs


class Server:
    """``pbmstar`` on one spool, and its daemon; use it in a with statement, which ends the daemon."""

    def __init__(self, spool: Path, database: str = "", relay: str = "", **options: str) -> None:
        spool.mkdir(exist_ok=True)
        self.spool, self.port = spool, free_port()
        self.database = database or f"sqlite:///{spool}/pbmstar.db"
        told = {
            "spool": str(spool),
            "database": self.database,
            "address": world.ADDRESS,
            "listen": f"127.0.0.1:{self.port}",
            "limits": "off",
            **options,
        }
        if relay:
            told["relay"] = relay
        self.environment = {f"PBMSTAR_{key.upper()}": value for key, value in told.items()}
        self.log = spool / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def begin(
        self, *before: str, program: Sequence[str] = ("-m", "pbmstar"), log: Path | None = None
    ) -> None:
        """Start the daemon, and return at once; ``before`` stands before its command."""
        with open(log or self.log, "a") as errors:
            self.process = subprocess.Popen(
                [*before, sys.executable, *program, "serve"],
                env=os.environ | self.environment,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                cwd=self.spool,
            )

    def start(
        self, *before: str, program: Sequence[str] = ("-m", "pbmstar"), log: Path | None = None
    ) -> Server:
        """Start the daemon and wait until it listens."""
        self.begin(*before, program=program, log=log)
        return self.await_start()

    def await_start(self) -> Server:
        """Wait until it listens."""
        until(self._answers, "daemon")
        return self

    def _answers(self) -> bool:
        assert self.process is not None and self.process.poll() is None, self.log.read_text()
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), PATIENCE).close()
            return True
        return False

    @property
    def pid(self) -> int:
        """Of the daemon."""
        assert self.process is not None
        return self.process.pid

    def child(self) -> int:
        """The process that speaks to the relay; 0 if there is none."""
        with suppress(OSError):
            for task in Path(f"/proc/{self.pid}/task").iterdir():
                if found := (task / "children").read_text().split():
                    return int(found[0])
        return 0

    def process_killer(self) -> Callable[[], None]:
        """What kills the daemon that runs when it is called."""
        return lambda: os.kill(self.pid, signal.SIGKILL)

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None

    def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(60)
        finally:
            self.kill()

    def run(
        self, *words: str, stdin: bytes = b"", before: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[bytes]:
        """Run ``pbmstar`` with these words."""
        return subprocess.run(
            [*before, sys.executable, "-m", "pbmstar", *words],
            check=False,
            env=os.environ | self.environment,
            input=stdin,
            capture_output=True,
            timeout=60,
            cwd=self.spool,
        )

    def spawn(self, *words: str, before: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        """Begin to run ``pbmstar`` with these words."""
        return subprocess.Popen(
            [*before, sys.executable, "-m", "pbmstar", *words],
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.spool,
        )

    def is_sound(self) -> None:
        """Assert what must hold after every crash: a whole file, and records that replay."""
        if self.database.startswith("sqlite"):
            file = sqlite3.connect(self.database.removeprefix("sqlite:///"))
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
            file.close()
        done = self.run("admin", "check")
        assert (done.returncode, done.stdout) == (0, b"0 differences\n"), done


@contextmanager
def traced(pid: int, *options: str, threads: bool = True) -> Iterator[None]:
    """strace at a running process and its threads, or its first thread alone.

    The process goes on without when this ends.
    """
    tracer = subprocess.Popen(
        ["strace", *(["-f"] if threads else []), *options, "-p", str(pid), "-o", os.devnull],
        stderr=subprocess.PIPE,
    )
    assert tracer.stderr is not None
    try:
        _attached(tracer.stderr)
        yield
    finally:
        tracer.terminate()
        tracer.wait(PATIENCE)
        tracer.stderr.close()


def _attached(said: IO[bytes]) -> None:
    line = said.readline()
    assert b"attached" in line, line


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
    for number, raw in enumerate(world.mails(board, pair, count, seed=board), 1):
        subject = re.search(rb"\r\nSubject: \S+ move \d+ (\S+) \S+ (\S+)#", raw)
        assert subject is not None
        made.append(Move(board, number, subject[1].decode(), subject[2].decode(), raw))
    return made


class Line:
    """A connection of a player's mail server. Raises OSError when it is cut."""

    def __init__(self, port: int, source: str = "127.0.0.1", patience: float = PATIENCE) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), patience, (source, 0))
        self._file = self.socket.makefile("rb")
        self._greeted = False

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def hear(self) -> str:
        """The next reply."""
        lines = []
        while True:
            line = self._file.readline()
            if not line.endswith(b"\r\n"):
                raise ConnectionError("cut")
            lines.append(line.decode())
            if line[3:4] != b"-":
                return "".join(lines)

    def say(self, what: bytes) -> str:
        """Say a line, and hear the reply."""
        self.socket.sendall(what + b"\r\n")
        return self.hear()

    def envelope(self) -> str:
        """All up to the content; returns the reply to DATA, or the first that is a refusal."""
        steps = [] if self._greeted else [b"", b"EHLO player.example"]
        steps += [
            b"MAIL FROM:<player@mta.example>",
            b"RCPT TO:<%s>" % world.ADDRESS.encode(),
            b"DATA",
        ]
        for step in steps:
            reply = self.say(step) if step else self.hear()
            if reply[0] not in "23":
                return reply
        self._greeted = True
        return reply

    def mail(self, raw: bytes) -> str:
        """Send a mail; returns the last reply."""
        reply = self.envelope()
        return self.say(raw + b"\r\n.") if reply.startswith("354") else reply


def send(port: int, raw: bytes) -> str:
    """Send one mail; returns the reply."""
    with Line(port) as line:
        return line.mail(raw)


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

    @property
    def busy(self) -> bool:
        """Whether any has something left to send. Raises what happened to any."""
        if self._errors:
            raise self._errors[0]
        return any(thread.is_alive() for thread in self._threads)

    def join(self) -> None:
        """Wait for all; raises what happened to any."""
        for thread in self._threads:
            thread.join(max(0.0, self._deadline - time.monotonic()) + PATIENCE)
        assert not self.busy

    def _play(self, port: int, mails: Sequence[Move]) -> None:
        try:
            line: Line | None = None
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
            if line is not None:
                line.close()
        except BaseException as error:
            self._errors.append(error)


# -- what must be true


Record = dict[int, list[tuple[int, str, str]]]


def record(database: str) -> Record:
    """All moves, by board."""
    store = Store(database)
    with store.transaction() as tx:
        found = {
            row.board: [(move.number, move.userid, move.move) for move in tx.record(row.board)]
            for row in tx.boards()
        }
    store.close()
    return found


def state(database: str) -> list[object]:
    """All that a mail sent again must leave alone."""
    store = Store(database)
    with store.transaction() as tx:
        boards = tx.boards()
        found = [tx.users(), boards, [tx.record(row.board) for row in boards], tx.newest()]
    store.close()
    return found


def waiting(database: str) -> int:
    """How many letters are not sent."""
    store = Store(database)
    with store.transaction() as tx:
        count = len(tx.letters())
    store.close()
    return count


def is_exactly(database: str, sessions: Sequence[Sequence[Move]]) -> None:
    """Assert that each of these moves is in the record once, in its place, and no other is."""
    wanted: Record = {}
    for session in sessions:
        for move in session:
            wanted.setdefault(move.board, []).append((move.number, move.userid, move.move))
    found = {board: moves for board, moves in record(database).items() if moves}
    assert found == {board: sorted(moves) for board, moves in wanted.items()}


def holds(database: str, acked: Sequence[Move]) -> None:
    """Assert that each of these moves is in the record."""
    found = record(database)
    for move in acked:
        assert (move.number, move.userid, move.move) in found[move.board], move


def letters_came(sink: Sink, sessions: Sequence[Sequence[Move]]) -> None:
    """Assert that both letters of each move came, each time the same bytes, and no other letter."""
    found: dict[tuple[int, int, str], set[tuple[str, bytes]]] = {}
    places: dict[str, tuple[int, int, str]] = {}
    for letter in sink.letters:
        place = letter_place(letter.content, letter.recipients[0])
        found.setdefault(place, set()).add((letter.message_id, letter.content))
        assert places.setdefault(letter.message_id, place) == place
    wanted = set()
    for session in sessions:
        for move in session:
            pair = int(move.userid[1:]) // 2
            for player in (2 * pair, 2 * pair + 1):
                wanted.add((move.board, move.number, f"p{player}@bench.example"))
    assert set(found) == wanted
    assert {place: len(copies) for place, copies in found.items() if len(copies) > 1} == {}


def letter_place(content: bytes, recipient: str) -> tuple[int, int, str]:
    """Board and number of the move that a letter tells of, and whom."""
    numbers = [
        int(re.search(rb"\r\nX-Pbmstar-%s: (\d+)\r\n" % name, content)[1])  # type: ignore[index]
        for name in (b"Board", b"Move")
    ]
    return numbers[0], numbers[1], recipient


def world_of(database: str, boards: int, players: int = 100) -> None:
    """Fill a new database."""
    store = Store(database)
    world.fill(store, boards, players=players)
    store.close()
