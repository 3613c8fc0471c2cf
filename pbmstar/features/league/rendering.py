"""Sentences about the games of a league, for letters."""

from __future__ import annotations

JUDGED = "The game is judged as it stands when the season ends."
