"""Look once a minute for troubles that no mail shows: a full disk, waiting letters, missing reminders.

A writer that hangs is seen within a second, and told as soon as it goes on.

Each look is a sign of life of the daemon. Without such signs the players' clocks are paused.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ..bots import budget
from ..config import Config
from ..errors import TemporaryFailure
from ..machine.files import Disk, write_whole
from ..machine.times import Epoch
from ..service.admin.lookup import MAILBOX
from ..service.letters import alerts
from ..service.letters.alerts import Alert
from ..service.reminders import heartbeat
from ..store import Tx
from ..store.writer import Writer

PERIOD = 60.0  # seconds
SOON = 1.0  # seconds between two looks if the writer hangs
_NOTED = 1000  # alerts remembered at most while the database cannot be used

log = logging.getLogger("pbmstar")


class Watch:
    """A watch that tells the operator; it lives on one event loop. Any thread may add to ``noted``."""

    def __init__(
        self,
        config: Config,
        writer: Writer,
        disk: Disk,
        write: Callable[[], Awaitable[None]],
        require_tables: Callable[[], None],
        mailbox: Callable[[], tuple[str, bool]],
    ) -> None:
        """Make it. ``write`` is awaited at each look: it writes the figures for monitoring.

        ``require_tables`` raises SchemaChanged. ``mailbox`` returns what to say of the mailbox, and True if
        it has not been read for long.
        """
        self._mailbox = mailbox
        self._require_tables = require_tables
        self._config, self._writer, self._disk = config, writer, disk
        self._write = write
        self.noted: deque[Alert] = deque(maxlen=_NOTED)
        self._broken = config.spool / "broken"  # exists if our predecessor ended by a failed commit
        self._is_to_tell = self._broken.exists()  # the predecessor's file, not one that we leave
        if self._is_to_tell:
            self.noted.append(Alert(self._broken.read_text() or "commit"))
        self._task: asyncio.Task[None] | None = None
        self._began = time.time()

    async def start(self) -> None:
        """Look now, then once a minute."""
        await self._look_or_log()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop looking; alerts that are noted and not yet told stand in the log."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def look(self) -> None:
        """Look once. A later look tells the alerts that the database cannot take now."""
        now, low = time.time(), self._disk.is_low()
        noted = [self.noted.popleft() for _ in range(len(self.noted))]
        with suppress(TemporaryFailure):
            try:
                await self._writer.run(lambda tx: self._look(tx, now, noted, low))
            except BaseException:
                room = _NOTED - len(self.noted)
                self.noted.extendleft(reversed(noted[:room]))
                raise
            if self._is_to_tell:
                self._is_to_tell = False
                self._broken.unlink(missing_ok=True)
            await self._write()

    def leave_word(self, kind: str) -> None:
        """Leave an alert of that kind to the next process, because this one cannot tell it any more."""
        with suppress(OSError):  # the log has it at least
            write_whole(self._broken, kind.encode())

    def _look(self, tx: Tx, now: Epoch, noted: list[Alert], low_disk: bool) -> None:
        self._require_tables()
        said, is_long = self._mailbox()
        if said:
            tx.ledger.set_fact(MAILBOX, said)
        if not (is_long and not (self._config.listen or self._config.lmtp)):
            heartbeat.beat(tx, now)  # a server that hears nobody is as good as off: no clock runs
        troubles = ["mailbox"] if is_long else []
        if self._config.bots and budget.is_late(tx, self._config, now, self._began):
            troubles.append("bots")
        alerts.look(tx, self._config, now, noted, low_disk=low_disk, troubles=troubles)

    async def _run(self) -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(SOON)
            if is_stuck := self._writer.is_stuck():
                log.error("writer", extra={"facts": {"trouble": "its oldest work waits"}})
                self.noted.append(Alert("stuck"))
            if is_stuck or time.monotonic() - last >= PERIOD:
                await self._look_or_log()
                last = time.monotonic()

    async def _look_or_log(self) -> None:
        try:
            await self.look()
        except Exception:  # the edge of this task: a fault of ours must not end it
            log.exception("watch")
