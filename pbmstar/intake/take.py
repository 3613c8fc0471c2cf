"""Take the messages of a daemon, several at a time: read each, have the writer execute it, log it.

Computations that a stranger can cause have a budget: a rate of results, one at a time, in order.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ..config import Config
from ..errors import TemporaryFailure, call_for_future
from ..inbound import Inbound
from ..machine.times import Monotonic, Seconds
from ..service.admin.metrics import Metrics
from ..service.incoming.mail import Service
from ..service.letters.alerts import Alert
from ..service.work.context import Computation, Envelope, Outcome, Precomputed
from ..store.writer import Writer
from .fate import Mail, Receipt, Result, conclude, fault, ids, stem

T = TypeVar("T")


class Rate(NamedTuple):
    """A rate of results: ``burst`` at once, then ``second`` each second; at most ``queue`` requests wait."""

    second: float
    burst: float
    queue: float


# A password takes about 20 ms of one core, a bounce up to 80.
PASSWORDS = Rate(second=5, burst=20, queue=10)
BOUNCES = Rate(second=5, burst=20, queue=20)
UNLIMITED = Rate(second=float("inf"), burst=float("inf"), queue=float("inf"))


class Busy(TemporaryFailure):
    """There is no time for a result now."""


class Budget:
    """A computer of results in another thread, as fast as a rate allows. It lives on one loop."""

    def __init__(self, rate: Rate, clock: Callable[[], Monotonic] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left, self._at = rate.burst, clock()
        self._waiting = 0
        self._lock = asyncio.Lock()

    def is_spent(self) -> bool:
        """Return True if the next request would have to wait."""
        self._refill()
        return self._left < 1 or self._waiting > 0

    def left(self) -> float:
        """Return the number of results that can be had at once now."""
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
                return await asyncio.to_thread(call_for_future, compute)
        finally:
            self._waiting -= 1

    def _refill(self) -> None:
        now = self._clock()
        if self._rate.second < float("inf"):
            since = now - self._at
            self._left = min(self._rate.burst, self._left + since * self._rate.second)
        self._at = now


_SMALL = 32 * 1024  # bytes: a message up to this size is read so fast that the loop may wait


class Intake:
    """A taker of messages; it lives on one event loop."""

    def __init__(
        self,
        config: Config,
        service: Service,
        writer: Writer,
        wake: Callable[[], None],
        note: Callable[[Alert], object],
        metrics: Metrics,
    ) -> None:
        """Make it. ``wake`` is called after each mail: there may be letters to send. ``note``: see conclude.

        With ``config.limits``, mails that keep the processor busy are deferred if there are too many of them.
        """
        self._spool, self._service, self._writer = config.spool, service, writer
        self._wake, self._note, self._metrics = wake, note, metrics
        self.stem = stem(time.time())  # the beginning of the ids of its messages
        self._ids = ids(self.stem)
        limited = config.limits
        self._budgets = {
            "password": Budget(PASSWORDS if limited else UNLIMITED),
            "bounce": Budget(BOUNCES if limited else UNLIMITED),
            "reading": Budget(UNLIMITED),
        }
        for kind in ("password", "bounce"):
            metrics.count("pbmstar_put_off_total", kind, more=0)
        if limited:
            metrics.watch(
                "pbmstar_budget",
                lambda: {(kind,): self._budgets[kind].left() for kind in ("password", "bounce")},
            )
        self._under_way: set[asyncio.Task[Receipt]] = set()

    async def take(self, peer: str, envelope: Envelope, raw: bytes) -> Receipt:
        """Handle a message. If this is cancelled because the peer is gone, the work goes on."""
        ident = next(self._ids)
        mail = Mail(ident, peer, envelope._replace(mail=ident), raw, time.perf_counter())
        task = asyncio.create_task(self._handle(mail))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def take_each(self, peer: str, mails: Sequence[tuple[Envelope, bytes]]) -> list[Receipt]:
        """Handle messages that wait; return their receipts in their order.

        They go together, but messages from one sender go one after the other, as they were written.
        """
        receipts: dict[int, Receipt] = {}
        senders: dict[str, list[int]] = {}
        for place, (envelope, _) in enumerate(mails):
            senders.setdefault(envelope.sender, []).append(place)

        room = asyncio.Semaphore(
            int(PASSWORDS.queue)
        )  # else some would find no time for their passwords

        async def take_some(places: list[int]) -> None:
            async with room:
                for place in places:
                    receipts[place] = await self.take(peer, *mails[place])

        await asyncio.gather(*map(take_some, senders.values()))
        return [receipts[place] for place in range(len(mails))]

    async def finish(self, patience: Seconds) -> bool:
        """Wait at most ``patience`` seconds for all messages under way, even those whose peer is gone.

        Return False if one is still under way: it has no effect, or its peer does not know of the effect.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._under_way:
                    await asyncio.wait(self._under_way)
        return not self._under_way

    async def _handle(self, mail: Mail) -> Receipt:
        result: Result
        try:
            result = await self._execute(mail)
        except Exception as error:
            result = error
        end = partial(conclude, mail, result, self._spool, time.time(), self._note)
        # The quarantine waits for the disk.
        receipt = end() if fault(result) is None else await asyncio.to_thread(call_for_future, end)
        self._metrics.count("pbmstar_mails_total", receipt.outcome)
        if isinstance(result, Outcome):
            for limit in result.limits:
                self._metrics.count("pbmstar_limits_total", limit)
            for code in result.codes:
                self._metrics.count("pbmstar_refusals_total", code)
        self._metrics.observe("pbmstar_mail_seconds", time.perf_counter() - mail.began)
        return receipt

    async def _execute(self, mail: Mail) -> Outcome:
        service, raw = self._service, mail.raw
        read = partial(service.read, raw)
        if len(raw) <= _SMALL:
            inbound = call_for_future(read)
        else:
            inbound = await asyncio.to_thread(call_for_future, read)
        results = Precomputed()
        while isinstance(
            outcome := await self._writer.run(
                lambda tx: service.execute(tx, mail.envelope, inbound, raw, results)
            ),
            Computation,
        ):
            results.known[outcome.key] = await self._compute(mail, inbound, outcome)
        call_for_future(self._wake)
        return outcome

    async def _compute(self, mail: Mail, inbound: Inbound, task: Computation) -> Any:
        """Return the result of a task. Raises Busy if there is no time for it now."""
        budget = self._budgets[task.kind]
        if task.idle and budget.is_spent():
            return False
        try:
            return await budget.run(task.compute)
        except Busy:
            self._metrics.count("pbmstar_put_off_total", task.kind)
            service = self._service
            await self._writer.run(lambda tx: service.put_off(tx, mail.envelope, inbound, task))
            raise
