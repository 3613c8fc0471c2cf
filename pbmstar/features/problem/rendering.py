"""Words for buttons about problems."""

from __future__ import annotations

from ...errors import say
from ...render.added import Letters

LETTERS = Letters(
    buttons={
        "problem": say("The problem of this week"),
        "problem best": say("The best solvers"),
        "problem off": say("No more problems"),
        "problem on": say("Mail me each problem"),
    }
)
