"""The disk below the spool: its free room, and the errors of a full disk."""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from ..machine.times import Monotonic

LEAST_FREE = 64 * 1024 * 1024  # bytes of disk below which no mail is taken
LOW_FREE = 4 * LEAST_FREE  # ... and below which the operator is told
_EVERY = 1.0  # seconds between two looks at the disk


class Disk:
    """A watch on the free room below the spool, which looks at most once a second."""

    def __init__(
        self,
        spool: Path,
        free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
        clock: Callable[[], Monotonic] = time.monotonic,
    ) -> None:
        self._spool, self._measure, self._clock = spool, free, clock
        self._looked: float | None = None
        self._room = 0

    def is_full(self) -> bool:
        """Return True if less than LEAST_FREE bytes are free, or their number is unknown."""
        return self.free() < LEAST_FREE

    def is_low(self) -> bool:
        """Return True if less than LOW_FREE bytes are free, or their number is unknown."""
        return self.free() < LOW_FREE

    def free(self) -> int:
        """Return the number of free bytes; 0 if it is unknown."""
        now = self._clock()
        if self._looked is None or now - self._looked >= _EVERY:
            self._looked = now
            try:
                self._room = self._measure(self._spool)
            except OSError:
                self._room = 0
        return self._room


def says_full(error: BaseException) -> bool:
    """Return True if an error, or one that caused it, says that the disk is full."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if "disk is full" in str(cause) or "No space left" in str(cause):
            return True
        cause = cause.__cause__
    return False
