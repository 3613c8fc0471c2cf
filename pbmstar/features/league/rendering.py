"""Sentences about the games of a league, for letters."""

from __future__ import annotations

from ...errors import say

JUDGED = say("The game is judged as it stands when the season ends.")
