"""A fault at each system call of one mail's way, one after the other: killed, EIO, ENOSPC.

The exit status of ``pbmstar receive`` is what the mail server is told: 0 stands for 250, 75 for 451.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from running import Server, is_exactly, letter_place, moves, record, traced, world_of

pytestmark = pytest.mark.slow
READY = Path(__file__).parent / "ready.py"


class Ended(NamedTuple):
    """How a run ended: exit status, or the negative number of a signal; what it said."""

    status: int
    said: str

    @property
    def as_usual(self) -> bool:
        """Whether it went as it does without a fault: what it said are lines of the log, of no trouble."""
        calm = all('"level": "info"' in line for line in self.said.splitlines())
        return self.status == 0 and calm


class Ready:
    """Processes ready to run ``pbmstar``; see ready.py."""

    def __init__(self, server: Server) -> None:
        self._process = subprocess.Popen(
            [sys.executable, READY],
            env=os.environ | server.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=server.spool.parent,
        )
        self._folder = server.spool.parent

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def run(self, *words: str, stdin: bytes = b"", fault: str = "") -> Ended:
        """Run ``pbmstar`` with these words, with an injection as strace has them."""
        assert self._process.stdin is not None and self._process.stdout is not None
        file, go = self._folder / "input", self._folder / "input.go"
        file.write_bytes(stdin)
        go.unlink(missing_ok=True)
        self._process.stdin.write(json.dumps({"words": words, "stdin": str(file)}) + "\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        if fault:
            call = fault.partition(":")[0]
            with traced(pid, "-e", f"trace={call}", "-e", f"inject={fault}"):
                go.touch()
                status = int(self._process.stdout.readline())
        else:
            go.touch()
            status = int(self._process.stdout.readline())
        said = Path(f"{file}.out").read_text() + Path(f"{file}.err").read_text() if file else ""
        return Ended(status, said)


@pytest.fixture
def ready(database: str, tmp_path: Path) -> Iterator[Ready]:
    """A spool with one board, and what runs on it."""
    world_of(database, 1)
    made = Ready(Server(tmp_path / "spool", database))
    yield made
    made.close()


def letters_of(spool: Path) -> list[tuple[int, int, str, bytes]]:
    """Board, move, recipient and bytes of each letter in the maildirs."""
    found = []
    for file in sorted((spool / "mail").glob("*/new/*")):
        content = file.read_bytes().replace(b"\n", b"\r\n")
        found.append((*letter_place(content, file.parent.parent.name), content))
    return found


STRIDE = 11  # of the many writes only each so many-th is tried


class Case:
    """The same mail on a fresh copy of the same spool, again and again."""

    def __init__(self, ready: Ready, database: str, tmp_path: Path) -> None:
        self.ready, self.database = ready, database
        self.spool, self._copy = tmp_path / "spool", tmp_path / "copy"
        self.first, self.second = moves(1, 2)
        self.ready.run("admin", "check")  # whatever a first start does is not of interest here
        shutil.copytree(self.spool, self._copy)

    def fresh(self) -> None:
        shutil.rmtree(self.spool)
        shutil.copytree(self._copy, self.spool)

    def played(self) -> int:
        return len(record(self.database)[1])

    def send_again(self) -> None:
        """The fault is gone: the mail server sends the mail again, and then the next one."""
        for mail in (self.first, self.second):
            ended = self.ready.run("receive", "-f", "x@y.example", stdin=mail.raw)
            assert ended.status == 0, ended
        is_exactly(self.database, [[self.first, self.second]])
        places = [(board, move, who) for board, move, who, _ in letters_of(self.spool)]
        assert sorted(places) == [
            (1, number, f"p{player}@bench.example") for number in (1, 2) for player in (0, 1)
        ]
        assert self.ready.run("admin", "check") == (0, "0 differences\n")

    def receive(self, fault: str) -> Ended:
        """The mail comes, with a fault."""
        self.fresh()
        return self.ready.run("receive", "-f", "x@y.example", stdin=self.first.raw, fault=fault)


@pytest.fixture
def sqlite_only(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--postgresql"):
        pytest.skip("the calls of SQLite; PostgreSQL's client has test_killed_at_each_statement")


@pytest.fixture
def case(sqlite_only: None, ready: Ready, database: str, tmp_path: Path) -> Case:
    return Case(ready, database, tmp_path)


@pytest.mark.parametrize("call", ["fdatasync", "fsync", "pwrite64", "write", "rename", "ftruncate"])
def test_killed_at_each(call: str, case: Case) -> None:
    """CP4, CP5, CP6, CP7, CP8, CP9, CP13, CP16, CP17, CP19: kill -9 at the n-th call, for each n."""
    step = STRIDE if call == "pwrite64" else 1
    places = 0
    for number in range(1, 1000, step):
        ended = case.receive(f"{call}:signal=KILL:when={number}")
        if ended.status != -9:
            break
        places += 1
        before = letters_of(case.spool)
        assert case.played() == 1 or not before
        case.send_again()
        assert set(before) <= set(letters_of(case.spool))
    assert ended.status == 0
    assert case.played() == 1
    assert places
    print(f"{call}: killed at {places} places")


def test_killed_at_each_statement(ready: Ready, database: str, tmp_path: Path) -> None:
    """CP4, CP5, CP6, CP13, CP16: kill -9 when a message to PostgreSQL is sent, at each third of
    them; a move for each, on the same board."""
    if database.startswith("sqlite"):
        pytest.skip("SQLite is no server; it has test_killed_at_each")
    mails, kept = moves(1, 60), set()
    for mail in mails:
        fault = f"sendto:signal=KILL:when={3 * mail.number}"
        ended = ready.run("receive", "-f", "x@y.example", stdin=mail.raw, fault=fault)
        kept.add(before := len(record(database)[1]) - mail.number)
        assert before in (-1, 0)
        assert ended.status in (-9, 0)
        assert ready.run("receive", "-f", "x@y.example", stdin=mail.raw).status == 0
        if ended.status == 0:
            break
    assert ended.status == 0
    assert kept == {-1, 0}  # some before the commit, some after it
    is_exactly(database, [mails[: mail.number]])
    places = [(board, move, who) for board, move, who, _ in letters_of(tmp_path / "spool")]
    assert sorted(places) == [
        (1, number + 1, f"p{player}@bench.example")
        for number in range(mail.number)
        for player in (0, 1)
    ]
    assert ready.run("admin", "check") == (0, "0 differences\n")
    print(f"killed at {mail.number - 1} places")


@pytest.mark.parametrize(
    ("call", "error", "lasting"),
    [
        ("fdatasync", "EIO", False),
        ("fdatasync", "EIO", True),
        ("fsync", "EIO", False),
        ("pwrite64", "ENOSPC", False),
        ("pwrite64", "EROFS", True),
        ("write", "ENOSPC", True),
        ("rename", "ENOSPC", True),
    ],
)
def test_failing_at_each(call: str, error: str, lasting: bool, case: Case) -> None:
    """CP7, CP8, CP24, CP25, CP27, T24: the n-th call fails, or all from the n-th on: 0 only
    if the mail is carried out, else 75; it sends no mail back, and says nothing of its inside."""
    step = STRIDE * (1 + lasting) if call == "pwrite64" else 1
    seen = set()
    without = 0  # runs in a row that went as if there were no fault
    for number in range(1, 1000, step):
        ended = case.receive(f"{call}:error={error}:when={number}{'+' * lasting}")
        print(number, ended, case.played(), len(letters_of(case.spool)))
        assert ended.status in (0, 75)
        assert "Traceback" not in ended.said
        if ended.status == 0:
            assert case.played() == 1
        seen.add(ended.status)
        without = without + 1 if ended.as_usual else 0
        if without == 4:
            break
        case.send_again()
    print(call, error, number, seen)
