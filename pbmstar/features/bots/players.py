"""The names of the bots, which no person can have."""

from __future__ import annotations

from .engine.levels import BOTS

PLAYERS = BOTS
