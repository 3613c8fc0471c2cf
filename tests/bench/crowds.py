"""The longest time for which others wait while something is done for many: the rows of ``run.py --only crowds``.

A player has 1,000 boards with moves. Each row is one crowd; the figures are milliseconds for which one transaction
held the writer: the longest, the median, and how many transactions it took.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(1, str(Path(__file__).parent.parent))
from harness.office import Office, address

from pbmstar.service.incoming import bounces
from pbmstar.service.work.context import in_steps
from pbmstar.store import Store

BOARDS, OTHERS, READERS = 1000, 25, 1000
Line = tuple[str, str, str]


@contextmanager
def held() -> Iterator[list[float]]:
    """Yield the list of the milliseconds that each writing transaction takes in the block."""
    times: list[float] = []
    real = Store.transaction

    @contextmanager
    def timed(self: Store, writes: bool = True) -> Iterator[Any]:
        begun = time.perf_counter()
        with real(self, writes) as tx:
            yield tx
        if writes:
            times.append((time.perf_counter() - begun) * 1000)

    with mock.patch.object(Store, "transaction", timed):
        yield times


def _row(what: str, times: list[float]) -> Line:
    longest, middle = max(times), statistics.median(times)
    return what, "held at most", f"{longest:.0f} ms, median {middle:.1f}, {len(times)} times"


def _filled(folder: Path) -> Office:
    """Return an office in which alice has 1,000 boards on which both have moved, against 25 others."""
    folder.mkdir()
    names = [f"p{number:04}" for number in range(OTHERS)]
    office = Office(f"sqlite:///{folder}/pbmstar.db", folder, limits="off", without="window")
    for name in names:
        office.add(name, password="x7r4pq")
    for number in range(BOARDS):
        office.begun(f"star challenge -size=4 alice {names[number % OTHERS]}")
    _sent(office)
    return office


def _sent(office: Office) -> None:
    """Let all letters be sent: what is measured is not how they are found."""
    with office.store.transaction() as tx:
        for letter in tx.outbox.unsent():
            tx.outbox.drop(letter.id)


def _chores(office: Office) -> None:
    in_steps(office.store, office.service.do_chore)


def _suspended(office: Office) -> None:
    with office.store.transaction() as tx:
        user = tx.accounts.user("alice")
        assert user is not None
        bounces.bounced(office.work(tx), user, address("alice"), bounces.SUSPENDED_AT)
    _chores(office)


def _announced(office: Office) -> None:
    news = Path(office.config.spool) / "news"
    news.write_text("News\n\nThere is a cup.\n")
    assert office.run("admin", "announce", str(news)).exit_code == 0
    _chores(office)


def _erased(office: Office) -> None:
    assert office.run("admin", "user", "erase", "alice", "--rename").exit_code == 0
    _chores(office)


def rows() -> Iterator[Line]:
    """Yield a line for each crowd."""
    with tempfile.TemporaryDirectory() as folder:
        office = _filled(Path(folder) / "boards")
        crowds: dict[str, Callable[[Office], None]] = {
            f"a suspension with {BOARDS} boards": _suspended,
            f"an erasure with {BOARDS} boards": _erased,
        }
        for name in (f"r{number:04}" for number in range(READERS)):
            office.add(name, password="x7r4pq")
        crowds = {f"an announcement to {READERS} readers": _announced, **crowds}
        for what, act in crowds.items():
            with held() as times:
                act(office)
            yield _row(what, times)
            _sent(office)
        yield from _contests(Path(folder) / "contests")


def _contests(folder: Path) -> Iterator[Line]:
    """Yield the lines of a cup's start and of a season's start and end."""
    folder.mkdir()
    names = [f"q{number:03}" for number in range(48)]
    office = Office(f"sqlite:///{folder}/pbmstar.db", folder, limits="off")
    for name in names:
        office.add(name, password="x7r4pq")
    for name in names[:7]:
        office.deliver(office.write(name, f"cup {name} x7r4pq star"))
    with held() as times:
        office.deliver(office.write(names[7], f"cup {names[7]} x7r4pq star"))
        _chores(office)
    yield _row("a cup's start, 28 boards", times)
    assert office.run("admin", "league", "open", "hex", "-size=4").exit_code == 0
    for name in names:
        office.deliver(office.write(name, f"league join hex {name} x7r4pq"))
    for word in ("begin", "end"):
        with held() as times:
            assert office.run("admin", "league", word, "hex").exit_code == 0
        boards = len(office.facts("admin", "board", "list")) - 28
        yield _row(f"a season's {word}, {boards} boards", times)


if __name__ == "__main__":
    for line in rows():
        print(" | ".join(line))
