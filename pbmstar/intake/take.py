"""What becomes of one mail once it is here: read, carried out by the writer, answered, logged.

Every mail ends as a reply. 250 is said only when what the mail did, or the mail itself in the
quarantine, is on stable storage.
"""

from __future__ import annotations

import asyncio
import errno
import itertools
import logging
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ..errors import Passing, Unreadable
from ..inbound import Inbound
from ..service import Envelope, Outcome
from ..smtp import status as replies
from ..smtp.status import Reply
from ..store import Tx
from ..store.writer import Writer
from . import quarantine

LEAST_FREE = 64 * 1024 * 1024  # bytes of disk below which no mail is taken
_SMALL = 32 * 1024  # a mail of at most so many bytes is read without leaving the loop

log = logging.getLogger("pbmstar")


class Service(Protocol):
    """What the daemon asks of ``pbmstar.service.Service``."""

    def knows(self, address: str) -> bool:
        """Whether the recipient is ours. Pure and fast."""

    def read(self, raw: bytes) -> Inbound:
        """What the mail says. Raises Unreadable. Asks nothing but the processor."""

    def execute(self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes) -> Outcome:
        """Do it. Raises Passing."""


class Mail(NamedTuple):
    """A mail as it arrived. ``relayed``: by LMTP, so a refusal would become a bounce to its sender."""

    peer: str
    envelope: Envelope
    raw: bytes
    relayed: bool = False


class Intake:
    """Takes mails, several at a time; lives on one event loop."""

    def __init__(
        self,
        service: Service,
        writer: Writer,
        spool: Path,
        wake: Callable[[], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._service, self._writer, self._spool = service, writer, spool
        self._wake, self._clock = wake, clock
        self._under_way: set[asyncio.Task[Reply]] = set()
        self._numbers = itertools.count(1)
        self._start = f"{int(clock()):x}"

    async def take(self, mail: Mail) -> Reply:
        """Handle a mail; returns the reply. If this is cancelled (the peer is gone) the work goes on."""
        task = asyncio.create_task(self._handle(mail))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait for the mails under way, those without a peer too."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def _handle(self, mail: Mail) -> Reply:
        began = time.perf_counter()
        facts: dict[str, Any] = {
            "id": f"{self._start}-{next(self._numbers)}",
            "peer": mail.peer,
            "sender_domain": mail.envelope.sender.rpartition("@")[2],
            "recipients": len(mail.envelope.recipients),
            "bytes": len(mail.raw),
        }
        reply = replies.ACCEPTED
        level = logging.INFO
        try:
            outcome = await self._carry_out(mail)
            facts |= outcome.facts()
            if outcome.keep:
                reply = await self._put_away(mail, quarantine.ForOperator(outcome.why), facts)
        except Unreadable as error:
            facts |= {"outcome": "unreadable", "why": str(error)}
            if not mail.relayed:
                reply = replies.UNREADABLE
        except (Passing, MemoryError) as error:
            facts |= {"outcome": "deferred", "why": str(error)}
            reply = replies.DISK_FULL if is_disk_full(error) else replies.TROUBLE
            level = logging.WARNING
        except Exception as error:  # the edge: a fault of ours; the mail must not be lost by it
            reply = await self._put_away(mail, error, facts)
            level = logging.ERROR
        facts["ms"] = round((time.perf_counter() - began) * 1000, 2)
        log.log(level, "mail", extra={"facts": facts})
        return reply

    async def _carry_out(self, mail: Mail) -> Outcome:
        service, raw = self._service, mail.raw
        if len(raw) <= _SMALL:
            said = service.read(raw)
        else:  # it may take a while; the others must not wait for it
            said = await asyncio.to_thread(service.read, raw)
        outcome = await self._writer.run(lambda tx: service.execute(tx, mail.envelope, said, raw))
        self._wake()
        return outcome

    async def _put_away(self, mail: Mail, error: Exception, facts: dict[str, Any]) -> Reply:
        (sender, recipients, _), now = mail.envelope, self._clock()
        try:
            ident = await asyncio.to_thread(
                quarantine.keep, self._spool, sender, recipients, mail.raw, error, now
            )
        except Exception as worse:  # the last edge: the peer keeps the mail and sends it again
            facts |= {"outcome": "deferred", "why": f"{type(error).__name__}, not quarantined"}
            return replies.DISK_FULL if is_disk_full(worse) else replies.TROUBLE
        facts |= {"outcome": "quarantined", "why": type(error).__name__, "quarantine": ident}
        return replies.ACCEPTED


def is_disk_full(error: BaseException) -> bool:
    """Whether an error, or one behind it, says that the disk is full."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, OSError) and found.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if "disk is full" in str(found) or "No space left" in str(found):
            return True
        found = found.__cause__
    return False


class Disk:
    """Watches the room that is left for the spool, looking at most once a second."""

    def __init__(self, spool: Path, free: Callable[[Path], int] | None = None) -> None:
        self._spool = spool
        self._free = free or (lambda path: shutil.disk_usage(path).free)
        self._looked, self._full = -1.0, False

    def is_full(self) -> bool:
        """Whether less than LEAST_FREE bytes are left."""
        now = time.monotonic()
        if now - self._looked >= 1.0 or self._looked < 0:
            self._looked = now
            try:
                self._full = self._free(self._spool) < LEAST_FREE
            except OSError:
                self._full = True
        return self._full
