"""Files that are complete or not there: each is written beside its place, synced, and renamed."""

from __future__ import annotations

import os
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
