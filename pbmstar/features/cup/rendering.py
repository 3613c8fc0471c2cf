"""Sentences about the games of a cup, for letters."""

from __future__ import annotations

from ...errors import say

JUDGED = say("The game is judged as it stands when the cup ends.")
