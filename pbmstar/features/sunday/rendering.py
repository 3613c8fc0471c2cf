"""Sentences about Sunday games, for letters."""

from __future__ import annotations

from ...errors import say

JUDGED = say("The game is counted as it stands when the week ends, on Sunday.")
