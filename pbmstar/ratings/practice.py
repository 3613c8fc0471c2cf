"""Programs as a measure: each has a fixed rating in the games in which it is measured.

Games against them give a player a practice rating, which is kept apart from the rating among people.

The strength of the bots, as their levels have played each other: it is fixed, so it measures players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate

from ..match import BOTS
from .rating import LEAST_DEVIATION, Rating

IN_A_ROW = 3  # won games after which the next program is offered
USUAL = "star"  # where a game has no measure of its own, this one's order is taken
NEW = 800  # the rating with which a player begins
WEAKEST = 800  # the points of bot1

# The points by which each bot is better than the bot before it, from bot2 to bot9: see ``docs/levels.txt``.
# In a game that is not here the levels have not played each other.
STEPS: Mapping[str, Sequence[int]] = {
    "star": (301, 241, 161, 207, 241, 89, 191, 382),  # -size=6; the last is of an older search
    "*star": (223, 338, 301, 269, 382, 338, 382, 338),  # -rings=6; the last is not measured
}


@cache
def fixed(word: str) -> Mapping[str, Rating]:
    """Return the ratings of programs in a game, the weakest first; none if they are not measured in it."""
    return {
        userid: Rating(float(points), LEAST_DEVIATION) for userid, points in points(word).items()
    }


def of_program(word: str, userid: str) -> Rating | None:
    """Return the rating of a program in a game; None if it is not measured in that game."""
    return fixed(word).get(userid)


def nearest(word: str, rating: float = NEW) -> str:
    """Return the program that is nearest to a rating; empty if there is none."""
    known = fixed(word) or fixed(USUAL)
    return min(known, key=lambda userid: abs(known[userid].rating - rating), default="")


def next_better(word: str, beaten: str, scores: Sequence[float]) -> str:
    """Return the next better program if a player has won the last games against ``beaten``; otherwise empty.

    It is empty for the best one too.

    scores  of the player's last games in that game, the last one first
    """
    known = list(fixed(word))
    better = known[known.index(beaten) + 1 :] if beaten in known else []
    won = len(scores) >= IN_A_ROW and all(score == 1 for score in scores[:IN_A_ROW])
    return better[0] if better and won else ""


def points(word: str) -> dict[str, int]:
    """Return the points of the bots in a game, the weakest first; none if they are not measured in it."""
    steps = STEPS.get(word)
    # The best bots may not be measured.
    return dict(zip(BOTS, accumulate(steps, initial=WEAKEST), strict=False)) if steps else {}
