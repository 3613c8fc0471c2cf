"""Sentences about Sunday games, for letters."""

from __future__ import annotations

JUDGED = "The game is counted as it stands when the week ends, on Sunday."
