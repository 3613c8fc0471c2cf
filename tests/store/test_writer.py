"""The one writer: which jobs share a commit."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import pytest
from harness.server import until

from pbmstar.store import Store, Tx, writer
from pbmstar.store.writer import Writer


class Counted:
    """In place of a store: how many jobs each transaction held. The first commit waits."""

    def __init__(self) -> None:
        self.jobs: list[int] = []
        self.go_on = threading.Event()

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        self.jobs.append(0)
        yield self
        self.go_on.wait(20)

    def work(self, _tx: Any) -> None:
        self.jobs[-1] += 1


def test_mails_that_came_together_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Peers that were answered together write again together. A peer alone never waits."""
    looks: list[float] = []  # at the clock

    def look() -> float:
        looks.append(time.monotonic())
        return looks[-1]

    monkeypatch.setattr(writer, "MOMENT", 600.0)
    monkeypatch.setattr(writer, "monotonic", look)
    store: Any = Counted()
    jobs = Writer(store)

    async def play() -> None:
        first = asyncio.create_task(jobs.run(store.work))
        while not store.jobs:
            await asyncio.sleep(0)
        rest = [asyncio.create_task(jobs.run(store.work)) for _ in range(3)]
        await asyncio.sleep(0)
        store.go_on.set()
        await asyncio.gather(first, *rest)
        assert store.jobs == [1, 3]
        looks.clear()
        one = asyncio.create_task(jobs.run(store.work))
        await asyncio.sleep(0)
        while (
            len(looks) < 2
        ):  # when it was submitted; and the writer has it, and waits for two more
            await asyncio.sleep(0)
        two = [asyncio.create_task(jobs.run(store.work)) for _ in range(2)]
        await asyncio.gather(one, *two)
        assert store.jobs == [1, 3, 3]

    asyncio.run(play())
    last = jobs.submit(store.work)  # not a mail, and the last job: the end does not wait
    jobs.close()
    assert last.done() and store.jobs == [1, 3, 3, 1]


def test_a_writer_whose_oldest_work_is_old_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if that work waits behind other work; and no longer once it is done."""
    now = [100.0]
    monkeypatch.setattr(writer, "monotonic", lambda: now[0])
    store: Any = Counted()
    jobs = Writer(store)
    first = jobs.submit(store.work)
    until(lambda: store.jobs, "the first commit")
    assert not jobs.is_stuck()
    now[0] += writer.STUCK + 1
    assert jobs.is_stuck()
    store.go_on.set()
    first.result()
    until(lambda: not jobs.is_stuck(), "the end of the work")
    jobs.close()


def test_groups_that_wait_for_each_other_both_get_through(database: str) -> None:
    """Two daemons on PostgreSQL take the same rows in opposite orders: one of them is refused, and runs
    its jobs one by one. Each takes effect once."""
    if database.startswith("sqlite"):
        pytest.skip("SQLite has one writer at a time")
    met: list[bool] = []
    both_have_one = threading.Barrier(2, lambda: met.append(True))
    with ExitStack() as opened:
        promises: list[Future[int]] = []
        go_on = threading.Event()
        for first, second in ("xy", "yx"):
            jobs = Writer(opened.enter_context(closing(Store(database))))
            opened.callback(jobs.close)
            jobs.submit(lambda _tx: go_on.wait(20))  # the next two wait together: they are a group

            def take_first(tx: Tx, what: str = first) -> int:
                count = tx.ledger.count(what, 1.0, 9.0)
                if not met:
                    both_have_one.wait(20)
                return count

            promises += [
                jobs.submit(take_first),
                jobs.submit(lambda tx, what=second: tx.ledger.count(what, 1.0, 9.0)),
            ]
        go_on.set()
        assert sorted(promise.result(30) for promise in promises) == [1, 1, 2, 2]
