"""Words for buttons about the course."""

from __future__ import annotations

from ...errors import say
from ...render.added import Letters

LETTERS = Letters(
    buttons={"course": say("Five short lessons"), "course ": say("Lesson {name}")},
)
