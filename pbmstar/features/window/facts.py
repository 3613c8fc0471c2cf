"""The buttons of the window in letters."""

from __future__ import annotations

from ...errors import say
from ...render.letter import Letters

LETTERS = Letters(
    buttons={
        "letters window off": say("Don't tell me"),
        "letters window on": say("Tell me"),
    }
)
