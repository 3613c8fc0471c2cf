"""The lock of a lane of letters, which the process holds that sends them."""

from __future__ import annotations

from pathlib import Path

from ..store import PLAYERS


def lock_of(spool: Path, lane: int = PLAYERS) -> Path:
    """Return the file whose lock a process holds while it delivers a lane; a daemon holds it all the time."""
    return spool / f"deliver{lane or ''}.lock"
