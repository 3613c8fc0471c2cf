"""Words for buttons about ladders."""

from __future__ import annotations

from ...errors import say
from ...render.added import Letters

LETTERS = Letters(
    buttons={
        "ladder challenge ": say("Challenge {name}"),
        "ladder join ": say("Join the ladder"),
        "ladder leave ": say("Leave the ladder"),
    }
)
