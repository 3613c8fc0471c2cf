"""Files that are complete or not there, locks of files, and the free room of the disk."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ..errors import TemporaryFailure
from .times import Epoch, Monotonic, Seconds

POLL = 2.0  # seconds between two looks for a lock, or for work of other processes
LEAST_FREE = 64 * 1024 * 1024  # bytes of disk below which no mail is taken
LOW_FREE = 4 * LEAST_FREE  # ... and below which the operator is told
_EVERY = 1.0  # seconds between two looks at the disk

log = logging.getLogger("pbmstar")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read; a crash leaves it complete or as it was.

    The name itself is on stable storage only after ``sync`` of its folder. Raises OSError.
    """
    part = path.with_suffix(".part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def sync(path: Path) -> None:
    """Wait until a folder's names, or a file's bytes, are on stable storage. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def hold(path: Path) -> Iterator[bool]:
    """Hold the lock of a file and yield True; yield False if another process has it.

    The lock ends with the process. Raises OSError.
    """
    with open(path, "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def take_turns(lock: Path, work: Callable[[], None], is_left: Callable[[], bool]) -> None:
    """Call ``work`` with the lock of a file held; release it, and do so again while ``is_left()``.

    Do nothing if another process has the lock: it finds our work when it looks after the release.
    """
    while True:
        with hold(lock) as is_ours:
            if not is_ours:
                return
            work()
        if not is_left():
            return


class ExclusiveLoop:
    """A thread that works while it holds the lock of a file. While another process has it, it waits.

    stopped  set to end the thread after the step under way
    pause    the seconds of the last pause; 0 makes the next one the first again
    """

    def __init__(
        self,
        name: str,
        lock: Path,
        begin: Callable[[], AbstractContextManager[Callable[[], bool]]],
        event: str,
        pauses: tuple[float, float],
        moment: Epoch,
    ) -> None:
        """Make it.

        begin   is called with the lock held, and yields a function that does the next step of the work. This
                returns True if another step may follow at once, and raises TemporaryFailure if it cannot go
                on now
        event   names its lines of the log
        pauses  seconds after a trouble: the first time, and the most; each time twice as long
        moment  seconds from ``wake`` to the step, for what comes with it
        """
        self._lock, self._begin, self._event = lock, begin, event
        self._pauses, self._moment, self.pause = pauses, moment, 0.0
        self.stopped, self._woken = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def wake(self) -> None:
        """Have the thread look for work. Any thread may call this; it returns at once."""
        self._woken.set()

    def stop(self) -> None:
        """Tell the thread to end; see ``ended``."""
        self.stopped.set()
        self._woken.set()

    def ended(self, patience: Seconds) -> bool:
        """Wait at most so many seconds; return True if the thread has ended, or was never started."""
        if self._thread.ident is not None:
            self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self.stopped.is_set():
            try:
                with hold(self._lock) as is_ours:
                    if is_ours:
                        with self._begin() as step:
                            self._work(step)
            except OSError as error:  # the spool: we can only wait
                name = f"{Path(error.filename).name}: " if error.filename else ""
                facts = {"trouble": f"{name}{error.strerror}"}
                log.warning(self._event, extra={"facts": facts})
            self.stopped.wait(POLL)

    def _work(self, step: Callable[[], bool]) -> None:
        """Make step after step until the thread must end."""
        while not self.stopped.is_set():
            self._woken.clear()
            try:
                is_more = step()
            except TemporaryFailure as error:
                self._rest(str(error), error.pauses)
            except Exception:  # the edge of this thread: a fault of ours must not end its work
                log.exception(self._event)
                self._rest("a fault of pbmstar")
            else:
                self.pause = 0.0
                if not is_more and self._woken.wait(POLL):
                    self.stopped.wait(self._moment)

    def _rest(self, trouble: str, pauses: tuple[float, float] | None = None) -> None:
        first, most = pauses or self._pauses
        self.pause = min(max(2 * self.pause, first), most)
        log.warning(self._event, extra={"facts": {"trouble": trouble, "pause": self.pause}})
        self.stopped.wait(self.pause * random.uniform(0.8, 1.0))  # noqa: S311 - not all at one time


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
