"""How much of the processor is given away: a burst, then so much a second, a short queue, then Busy."""

from __future__ import annotations

import asyncio
import threading

import pytest

from pbmstar.intake.take import UNLIMITED, Budget, Busy, Rate


def test_a_burst_then_a_rate() -> None:
    """The time that is waited is computed, not measured."""
    slept: list[float] = []
    now = [0.0]

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    async def run() -> None:
        budget = Budget(Rate(second=5, burst=3, queue=10), lambda: now[0])
        for number in range(8):
            assert budget.is_spent() == (number >= 3)
            assert await budget.run(lambda: 7) == 7
        now[0] += 1000
        assert not budget.is_spent()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio, "sleep", sleep)
        asyncio.run(run())
    assert slept == pytest.approx([0.2] * 5)


def test_one_at_a_time_in_order_and_no_long_queue() -> None:
    """Beyond the queue it is Busy at once; what fails makes room."""
    gate, done = threading.Event(), list[int]()

    def work(number: int) -> None:
        assert gate.wait(20)
        done.append(number)
        if number == 1:
            raise ValueError

    async def run() -> None:
        budget = Budget(Rate(second=1000, burst=100, queue=3))
        tasks = [asyncio.create_task(budget.run(lambda n=n: work(n))) for n in range(3)]
        await asyncio.sleep(0)
        assert budget.is_spent()
        try:
            with pytest.raises(Busy):
                await asyncio.wait_for(budget.run(lambda: None), 10)
        finally:
            gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in results] == [type(None), ValueError, type(None)]
        await budget.run(lambda: work(3))

    asyncio.run(run())
    assert done == [0, 1, 2, 3]


def test_without_limits_nothing_waits() -> None:
    async def run() -> None:
        budget = Budget(UNLIMITED)
        await asyncio.gather(*(budget.run(lambda: None) for _ in range(200)))
        assert not budget.is_spent()

    asyncio.run(run())
