"""Takes the mails of a daemon, several at a time: each is read, executed by the writer, logged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ..inbound import Inbound
from ..service import Envelope, Outcome, Results, Task
from ..service.alerts import Alert
from ..service.metrics import Metrics
from ..store import Letter, Tx
from ..store.writer import Writer
from .budget import BOUNCES, PASSWORDS, UNLIMITED, Budget, Busy
from .fate import Mail, Receipt, Result, conclude, fault, ids

_SMALL = 32 * 1024  # bytes: reading a mail up to this size takes so little that the loop may wait


class Service(Protocol):
    """What is asked of ``pbmstar.service.Service``."""

    def knows(self, address: str) -> bool:
        """Whether the recipient is ours. Pure and fast."""

    def read(self, raw: bytes) -> Inbound:
        """What the mail says. Raises Unreadable. Needs nothing but the processor."""

    def execute(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, results: Results
    ) -> Outcome | Task:
        """Do what it asks; or nothing, and say what is to be computed first. Raises Passing."""

    def put_off(self, tx: Tx, envelope: Envelope, mail: Inbound, task: Task) -> None:
        """Note that there was no time for a task of that mail."""

    def send_digests(self, tx: Tx) -> bool:
        """What is to be done every minute. True if it is to be called again at once."""

    def keep_house(self, tx: Tx) -> bool:
        """What is to be done every hour. True if it is to be called again at once."""

    def trouble(self, tx: Tx, letter: Letter, what: str) -> None:
        """All is not well with a "letter", its "recipient" or its "picture"."""


class Intake:
    """Takes mails; lives on one event loop."""

    def __init__(
        self,
        service: Service,
        writer: Writer,
        spool: Path,
        wake: Callable[[], None],
        note: Callable[[Alert], object],
        metrics: Metrics,
        clock: Callable[[], float] = time.time,
        limited: bool = True,
    ) -> None:
        """``wake`` is called after each mail: there may be letters to send. ``note``: see conclude.

        ``limited``: mails that take the processor long are put off when there are too many.
        """
        self._service, self._writer, self._spool = service, writer, spool
        self._wake, self._note, self._clock = wake, note, clock
        self._metrics = metrics
        self._ids = ids(clock())
        self._budgets = {
            "password": Budget(PASSWORDS if limited else UNLIMITED),
            "bounce": Budget(BOUNCES if limited else UNLIMITED),
            "reading": Budget(UNLIMITED),
        }
        for kind in ("password", "bounce"):
            metrics.count("pbmstar_put_off_total", kind, 0)
        if limited:
            metrics.watch(
                "pbmstar_budget",
                lambda: {kind: self._budgets[kind].left() for kind in ("password", "bounce")},
            )
        self._under_way: set[asyncio.Task[Receipt]] = set()

    async def take(self, peer: str, envelope: Envelope, raw: bytes) -> Receipt:
        """Handle a mail. If this is cancelled, because the peer is gone, the work goes on."""
        ident = next(self._ids)
        mail = Mail(ident, peer, envelope._replace(mail=ident), raw, time.perf_counter())
        task = asyncio.create_task(self._handle(mail))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait for all mails under way, also those whose peer is gone."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def _handle(self, mail: Mail) -> Receipt:
        result: Result
        try:
            result = await self._execute(mail)
        except Exception as error:
            result = error
        end = partial(conclude, mail, result, self._spool, self._clock(), self._note)
        # What goes into the quarantine waits for the disk.
        receipt = end() if fault(result) is None else await asyncio.to_thread(end)
        self._metrics.count("pbmstar_mails_total", receipt.outcome)
        self._metrics.observe("pbmstar_mail_seconds", time.perf_counter() - mail.began)
        return receipt

    async def _execute(self, mail: Mail) -> Outcome:
        service, raw = self._service, mail.raw
        if len(raw) <= _SMALL:
            inbound = service.read(raw)
        else:
            inbound = await asyncio.to_thread(service.read, raw)
        results = Results()
        while isinstance(
            outcome := await self._writer.run(
                lambda tx: service.execute(tx, mail.envelope, inbound, raw, results)
            ),
            Task,
        ):
            results.known[outcome.key] = await self._compute(mail, inbound, outcome)
        self._wake()
        return outcome

    async def _compute(self, mail: Mail, inbound: Inbound, task: Task) -> Any:
        """The result of a task. Raises Busy if there is no time for it now."""
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
