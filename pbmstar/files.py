"""Files that are complete or not there: each is written beside its place, synced, and renamed."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


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
