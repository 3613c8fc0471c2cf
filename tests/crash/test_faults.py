"""A fault at each system call of one mail's way, one after the other: killed, EIO, ENOSPC.

The exit status of ``pbmstar receive`` is what the mail server is told: 0 stands for 250, 75 for 451.
"""

from __future__ import annotations

import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest
from bench import world
from crash.running import (
    Move,
    asked,
    is_exactly,
    letter_place,
    moves,
    record,
    server_of,
    traced,
    world_of,
)
from harness.ready import Ended
from harness.server import Server

from pbmstar import games
from pbmstar.service.admin import operator

pytestmark = pytest.mark.slow
STRIDE = 11  # of the many writes only each so many-th is tried


SOUND = Ended(0, b"0 differences.\n")


class Ready:
    """``pbmstar`` on a server's spool, with a fault at one of its system calls."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def run(self, *words: str, stdin: bytes = b"", fault: str = "") -> Ended:
        """Run ``pbmstar`` with these words, with an injection as strace has them."""
        run = self._server.hold(*words, stdin=stdin)
        with traced(run.pid, fault) if fault else nullcontext():
            run.go()
            return run.end()

    def receive(self, mail: Move, fault: str = "") -> Ended:
        """A mail comes, with a fault."""
        return self.run("receive", "-f", "x@y.example", stdin=mail.raw, fault=fault)


@pytest.fixture
def ready(database: str, tmp_path: Path) -> Ready:
    """A spool with one board, and what runs on it."""
    world_of(database, 1)
    return Ready(server_of(tmp_path, database, pictures="off"))


def letters_of(folder: Path) -> list[tuple[int, int, str, bytes]]:
    """Board, move, recipient and bytes of each letter in the maildirs."""
    letters = []
    for file in sorted((folder / "spool" / "mail").glob("*/new/*")):
        content = file.read_bytes().replace(b"\n", b"\r\n")
        letters.append((*letter_place(content, file.parent.parent.name), content))
    return letters


def has_letters(folder: Path, count: int) -> None:
    """Assert that both letters of the first moves are there, and no other."""
    assert sorted(place[:3] for place in letters_of(folder)) == [
        (1, number, f"p{player}@bench.example")
        for number in range(1, count + 1)
        for player in (0, 1)
    ]


class Case:
    """The same mail on a fresh copy of the same spool, again and again."""

    def __init__(self, ready: Ready, database: str, folder: Path) -> None:
        self.ready, self.database, self.folder = ready, database, folder
        self.first, self.second = moves(1, 2)
        ready.run("admin", "check")  # whatever a first start does is not of interest here
        shutil.copytree(folder / "spool", folder / "copy")

    def played(self) -> int:
        return len(record(self.database)[1])

    def receive(self, fault: str) -> Ended:
        """The mail comes to a fresh copy, with a fault."""
        shutil.rmtree(self.folder / "spool")
        shutil.copytree(self.folder / "copy", self.folder / "spool")
        return self.ready.receive(self.first, fault)

    def send_again(self, number: int) -> None:
        """The n-th fault is gone: the mail server sends the mail again, and at each eighth the next one."""
        mails = [self.first, self.second][: 2 if number % 8 == 1 else 1]
        for mail in mails:
            assert (ended := self.ready.receive(mail)).status == 0, ended
        is_exactly(self.database, [mails])
        has_letters(self.folder, len(mails))
        assert asked(self.database, operator.check_all) == []


@pytest.fixture
def case(request: pytest.FixtureRequest, ready: Ready, database: str, tmp_path: Path) -> Case:
    if request.config.getoption("--postgresql"):
        pytest.skip("the calls of SQLite; PostgreSQL's client has test_killed_at_each_statement")
    return Case(ready, database, tmp_path)


@pytest.mark.parametrize("call", ["fdatasync", "fsync", "pwrite64", "write", "rename", "ftruncate"])
def test_killed_at_each(call: str, case: Case) -> None:
    """CP4, CP5, CP6, CP7, CP8, CP9, CP13, CP16, CP17, CP19: kill -9 at the n-th call, for each n."""
    places = 0
    for number in range(1, 1000, STRIDE if call == "pwrite64" else 1):
        ended = case.receive(f"{call}:signal=KILL:when={number}")
        if ended.status != -9:
            break
        places += 1
        before = letters_of(case.folder)
        assert case.played() == 1 or not before
        case.send_again(number)
        assert set(before) <= set(letters_of(case.folder))
    assert (ended.status, case.played()) == (0, 1)
    assert places
    print(f"{call}: killed at {places} places")


def test_killed_at_each_statement(ready: Ready, database: str, tmp_path: Path) -> None:
    """CP4, CP5, CP6, CP13, CP16: kill -9 when a message to PostgreSQL is sent, at each fifth of
    them; a move for each, on the same board."""
    if database.startswith("sqlite"):
        pytest.skip("SQLite is no server; it has test_killed_at_each")
    mails, lost = moves(1, 75), set()
    for mail in mails:
        ended = ready.receive(mail, f"sendto:signal=KILL:when={5 * mail.number}")
        assert ended.status in (-9, 0)
        lost.add(mail.number - len(record(database)[1]))
        assert ready.receive(mail).status == 0
        if ended.status == 0:
            break
    assert ended.status == 0
    assert lost == {0, 1}  # some were killed before the commit, some after it
    is_exactly(database, [mails[: mail.number]])
    has_letters(tmp_path, mail.number)
    assert ready.run("admin", "check") == SOUND
    print(f"killed at {mail.number - 1} places")


def planned(board: int) -> list[Move]:
    """A move with a plan, and the opponent's move with one: together 30 answers in one transaction."""
    names = games.make("star", {}).grid.names
    mine, theirs = names[:32:2], names[1:32:2]
    mails = []
    for number, (first, asks, answers) in enumerate(
        ((mine[0], theirs, mine[1:]), (theirs[0], mine[1:], theirs[1:])), 1
    ):
        plan = ", ".join(f"if {a} then {b}" for a, b in zip(asks, answers, strict=False))
        userid = f"p{2 * ((board - 1) % 50) + number - 1}"
        raw = world.mail(board, userid, f"{first} {plan}", 30 + number)
        mails.append(Move(board, number, userid, first, raw))
    return mails


def test_killed_in_the_middle_of_planned_moves(database: str, tmp_path: Path) -> None:
    """CP4, CP6: kill -9 while a chain of 30 planned answers is carried out: it is played whole, with its
    two letters, or not at all, and then the same mail plays it."""
    is_sqlite = database.startswith("sqlite")
    call, stride = ("pwrite64", STRIDE) if is_sqlite else ("sendto", 5 * STRIDE)
    world_of(database, 60)
    lengths: dict[int, list[int]] = {}
    ready = Ready(server_of(tmp_path, database, pictures="off"))
    for board in range(1, 61):
        first, second = planned(board)
        assert ready.receive(first).status == 0
        # At a later call on each board than on the one before.
        ended = ready.receive(second, f"{call}:signal=KILL:when={stride * board}")
        lengths.setdefault(ended.status, []).append(len(record(database)[board]))
        assert ready.receive(second).status == 0
        assert len(record(database)[board]) == 32
        places = [place[:3] for place in letters_of(tmp_path) if place[0] == board]
        assert places == [(board, n, f"{m.userid}@bench.example")
                          for m in (first, second) for n in (1, 32)]  # fmt: skip
        if ended.status == 0:
            break
    assert ready.run("admin", "check") == SOUND
    assert set(lengths) == {-9, 0} and {1} <= set(lengths[-9]) <= {1, 32}
    print(f"killed at {len(lengths[-9])} places")


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
    untouched = 0  # runs in a row that went as if there were no fault
    for number in range(1, 1000, STRIDE * (1 + lasting) if call == "pwrite64" else 1):
        ended = case.receive(f"{call}:error={error}:when={number}{'+' * lasting}")
        print(number, ended, case.played(), len(letters_of(case.folder)))
        assert ended.status in (0, 75)
        assert "Traceback" not in ended.output
        assert ended.status or case.played() == 1
        untouched = untouched + 1 if ended.as_usual else 0
        if untouched == 4:
            break
        case.send_again(number)
