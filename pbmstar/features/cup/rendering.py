"""Words for buttons about cups."""

from __future__ import annotations

from ...errors import say
from ...render.added import Letters

LETTERS = Letters(
    buttons={
        "cup table ": say("Table of the cup"),
        "cup leave ": say("Leave the cup"),
        "cup ": say("Enter the next cup"),
    }
)
