"""Locks of files, so that one process at a time does a work, and the threads of a daemon that do it."""

from __future__ import annotations

import fcntl
import logging
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ..errors import TemporaryFailure
from .times import Epoch, Seconds

POLL = 2.0  # seconds between two looks for a lock, or for work of other processes

log = logging.getLogger("pbmstar")


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
