"""Takes the mails of a daemon, several at a time: each is read, executed by the writer, logged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from ..inbound import Inbound
from ..metrics import Metrics
from ..service import Envelope, Outcome
from ..service.alerts import Alert
from ..store import Tx
from ..store.writer import Writer
from .fate import Mail, Receipt, Result, conclude, fault, ids

_SMALL = 32 * 1024  # bytes: reading a mail up to this size takes so little that the loop may wait


class Service(Protocol):
    """What is asked of ``pbmstar.service.Service``."""

    def knows(self, address: str) -> bool:
        """Whether the recipient is ours. Pure and fast."""

    def read(self, raw: bytes) -> Inbound:
        """What the mail says. Raises Unreadable. Needs nothing but the processor."""

    def execute(self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes) -> Outcome:
        """Do what it asks. Raises Passing."""


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
    ) -> None:
        """``wake`` is called after each mail: there may be letters to send. ``note``: see conclude."""
        self._service, self._writer, self._spool = service, writer, spool
        self._wake, self._note, self._clock = wake, note, clock
        self._metrics = metrics
        self._ids = ids(clock())
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
        outcome = await self._writer.run(
            lambda tx: service.execute(tx, mail.envelope, inbound, raw)
        )
        self._wake()
        return outcome
