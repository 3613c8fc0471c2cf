"""Kinds of time, each a number of seconds; a day of a calendar is a ``date``."""

from __future__ import annotations

from typing import TypeAlias

Epoch: TypeAlias = float  # since 1970-01-01 00:00 UTC, by the clock of the machine
Seconds: TypeAlias = float  # how long something lasts
Monotonic: TypeAlias = float  # of a clock that never goes back, whose beginning means nothing
