"""Looks once a minute at what no mail would show: a full disk, letters that wait, missing reminders.

Each look is a sign of life of the daemon: players' time stands still where they are missing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ..config import Config
from ..errors import Passing
from ..intake.disk import Disk
from ..service import alerts, bots, upkeep
from ..service.alerts import Alert
from ..store import Tx
from ..store.writer import Writer

PERIOD = 60.0  # seconds
_NOTED = 1000  # alerts remembered at most while the database cannot be used

log = logging.getLogger("pbmstar")


class Watch:
    """Tells the operator; lives on one event loop. ``noted``: what to tell, added by any thread."""

    def __init__(
        self,
        config: Config,
        writer: Writer,
        disk: Disk,
        write: Callable[[], Awaitable[None]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``write`` is awaited at each look: it writes the figures for monitoring."""
        self._config, self._writer, self._disk, self._clock = config, writer, disk, clock
        self._write = write
        self.noted: deque[Alert] = deque(maxlen=_NOTED)
        self._broken = config.spool / "broken"  # there if our predecessor ended by a failed commit
        self._is_to_tell = self._broken.exists()  # of it, not of one that we leave ourselves
        if self._is_to_tell:
            self.noted.append(Alert("commit"))
        self._task: asyncio.Task[None] | None = None
        self._began = clock()  # since when bots could answer

    async def start(self) -> None:
        """Look now, and then once a minute."""
        await self._look_or_log()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Look no more; what is noted and not told yet is in the log."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def look(self) -> None:
        """Look once. What the database cannot take is told by a later look."""
        noted, now, low = list(self.noted), self._clock(), self._disk.is_low()
        with suppress(Passing):
            await self._writer.run(lambda tx: self._look(tx, now, noted, low))
            for _ in noted:
                self.noted.popleft()
            if self._is_to_tell:
                self._is_to_tell = False
                self._broken.unlink(missing_ok=True)
            await self._write()

    def leave_word(self) -> None:
        """A commit has failed, so nothing can be told any more: whoever starts next is to tell it."""
        with suppress(OSError):  # the log has it at least
            self._broken.touch(0o600)

    def _look(self, tx: Tx, now: float, noted: list[Alert], low_disk: bool) -> None:
        upkeep.beat(tx, now)
        late = bool(self._config.bots) and bots.is_late(tx, now, self._began)
        alerts.look(tx, self._config, now, noted, low_disk=low_disk, late_bot=late)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(PERIOD)
            await self._look_or_log()

    async def _look_or_log(self) -> None:
        try:
            await self.look()
        except Exception:  # the edge of this task: a fault of ours must not end it
            log.exception("watch")
