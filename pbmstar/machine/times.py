"""Kinds of time, each a number of seconds; a day of a calendar is a ``date``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeAlias

Epoch: TypeAlias = float  # since 1970-01-01 00:00 UTC, by the clock of the machine
Seconds: TypeAlias = float  # how long something lasts
Monotonic: TypeAlias = float  # of a clock that never goes back, whose beginning means nothing

MINUTE, HOUR, DAY = 60, 3600, 86_400  # seconds


def when(at: Epoch) -> str:
    """Return a time as ISO 8601 in UTC, to the second."""
    return f"{datetime.fromtimestamp(at, UTC).isoformat()[:19]}Z"  # sooner than strftime does
