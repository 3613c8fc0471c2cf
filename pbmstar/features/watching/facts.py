"""The buttons of watching in letters."""

from __future__ import annotations

from ...errors import say
from ...render.letter import Letters

LETTERS = Letters(buttons={"unwatch ": say("Stop watching board {name}")})
