"""The strength of the bots, as their levels have played each other: it is fixed, so it measures players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from ..match import BOTS

WEAKEST = 800  # the points of bot1

# The points by which each bot is better than the bot before it, from bot2 to bot9: see ``docs/levels.txt``.
# In a game that is not here the levels have not played each other.
STEPS: Mapping[str, Sequence[int]] = {
    "star": (301, 241, 161, 207, 241, 89, 191, 382),  # -size=6; the last is of an older search
    "*star": (223, 338, 301, 269, 382, 338, 382, 338),  # -rings=6; the last is not measured
}


def points(word: str) -> dict[str, int]:
    """Return the points of the bots in a game, the weakest first; none if they are not measured in it."""
    steps = STEPS.get(word)
    # The best bots may not be measured.
    return dict(zip(BOTS, accumulate(steps, initial=WEAKEST), strict=False)) if steps else {}
