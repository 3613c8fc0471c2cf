"""Locks of files, so that one process at a time does a work."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


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
