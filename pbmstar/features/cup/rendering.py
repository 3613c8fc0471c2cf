"""Sentences about the games of a cup, for letters."""

from __future__ import annotations

JUDGED = "The game is judged as it stands when the cup ends."
