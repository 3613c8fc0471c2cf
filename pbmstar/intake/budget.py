"""A share of the processor for strangers: a rate of results, one at a time, in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from ..errors import Passing, guarded

T = TypeVar("T")


class Rate(NamedTuple):
    """Results that may be asked for: ``burst`` at once, then ``second`` each second, ``queue`` waiting."""

    second: float
    burst: float
    queue: float


# A password takes about 20 ms of one core, a bounce up to 80.
PASSWORDS = Rate(second=5, burst=20, queue=10)
BOUNCES = Rate(second=5, burst=20, queue=20)
UNLIMITED = Rate(second=float("inf"), burst=float("inf"), queue=float("inf"))


class Busy(Passing):
    """There is no time for a result now."""


class Budget:
    """Computes in another thread, as a rate allows. Lives on one loop."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left, self._at = rate.burst, clock()
        self._waiting = 0
        self._lock = asyncio.Lock()

    def is_spent(self) -> bool:
        """True if the next one would have to wait."""
        self._refill()
        return self._left < 1 or self._waiting > 0

    def left(self) -> float:
        """Return the number of results that may be asked for at once now."""
        self._refill()
        return max(0.0, self._left)

    async def run(self, compute: Callable[[], T]) -> T:
        """Return the result of ``compute``. Raises Busy at once if too many wait already."""
        if self._waiting >= self._rate.queue:
            raise Busy("too much is waiting to be computed")
        self._waiting += 1
        try:
            async with self._lock:
                self._refill()
                self._left -= 1
                if self._left < 0:
                    await asyncio.sleep(-self._left / self._rate.second)
                return await asyncio.to_thread(guarded, compute)
        finally:
            self._waiting -= 1

    def _refill(self) -> None:
        now = self._clock()
        if self._rate.second < float("inf"):
            since = now - self._at
            self._left = min(self._rate.burst, self._left + since * self._rate.second)
        self._at = now
