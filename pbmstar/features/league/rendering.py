"""Words for buttons about leagues."""

from __future__ import annotations

from ...errors import say
from ...render.added import Letters

LETTERS = Letters(
    buttons={
        "league crosstable ": say("The table of all games"),
        "league join ": say("Play in the next season"),
        "league withdraw ": say("Leave the running season"),
    }
)
