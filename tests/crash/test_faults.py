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
EXAMPLE = "/example"  # of a maildir's own address


class Ended(NamedTuple):
    """How a run ended: exit status, or the negative number of a signal; what it said."""

    status: int
    said: str


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
        for mail in (self.first, self.second, self.first):
            ended = self.ready.run("receive", "-f", "x@y.example", stdin=mail.raw)
            assert ended.status == 0, ended
        is_exactly(self.database, [[self.first, self.second]])
        ended = self.ready.run("deliver")
        assert ended.status == 0, ended
        places = [(board, move, who) for board, move, who, _ in letters_of(self.spool)]
        assert sorted(places) == [
            (1, number, f"p{player}@bench.example") for number in (1, 2) for player in (0, 1)
        ]
        ended = self.ready.run("admin", "check")
        assert ended == (0, "0 differences\n")


CALLS = ["fdatasync", "fsync", "pwrite64", "write", "rename", "ftruncate", "unlink"]


@pytest.mark.parametrize("call", CALLS)
def test_killed_at_each(
    call: str, ready: Ready, database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """CP4, CP5, CP6, CP7, CP8, CP9, CP13, CP16, CP17, CP19: kill -9 at the n-th call, for each n."""
    if request.config.getoption("--postgresql"):
        pytest.skip("the calls of SQLite")
    case = Case(ready, database, tmp_path)
    number = 0
    while True:
        number += 1
        case.fresh()
        fault = f"{call}:signal=KILL:when={number}"
        ended = case.ready.run("receive", "-f", "x@y.example", stdin=case.first.raw, fault=fault)
        print(number, ended, case.played(), len(letters_of(case.spool)))
        if ended.status != -9:
            break
        before = letters_of(case.spool)
        assert case.played() == 1 or not before
        case.send_again()
        assert set(before) <= set(letters_of(case.spool))
    assert ended.status == 0
    assert case.played() == 1
    print(f"{call}: {number - 1} places")
