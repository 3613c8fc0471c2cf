"""Bots as a measure: each bot has a fixed rating in the games in which the levels have played each other.

Games against bots give a player a practice rating, which is kept apart from the rating among people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from .rating import LEAST_DEVIATION, Rating

WEAKEST = 800  # the rating of bot1
IN_A_ROW = 3  # won games after which the next bot is offered

# The points by which each bot is better than the bot before it, from bot2 to bot9, as ``help levels`` says.
# A game that is not here has no practice ratings: its levels have not played each other.
STEPS: Mapping[str, Sequence[int]] = {
    "star": (263, 258, 220, 252, 230, 275, 263, 301),  # -size=6
    "*star": (173, 168, 139, 246, 323, 205, 413, 708),  # -rings=6; the last is a lower bound
}
_RATINGS = {
    game: {
        f"bot{level}": Rating(float(points), LEAST_DEVIATION)
        for level, points in enumerate(accumulate(steps, initial=WEAKEST), 1)
    }
    for game, steps in STEPS.items()
}


def of_bot(game: str, bot: str) -> Rating | None:
    """Return the rating of a bot in a game; None if the bots are not measured in that game."""
    return _RATINGS.get(game, {}).get(bot)


def nearest(game: str, rating: float) -> str:
    """Return the bot that is nearest to a rating; a game without steps takes those of Star."""
    bots = _RATINGS.get(game, _RATINGS["star"])
    return min(bots, key=lambda bot: abs(bots[bot].rating - rating))


def next_bot(game: str, bot: str, scores: Sequence[float]) -> str:
    """Return the next better bot if a player has won the last games against ``bot``; otherwise empty.

    It is empty for the best bot too.

    scores  of the player's last games in that game, the last one first
    """
    bots = list(_RATINGS.get(game, ()))
    better = bots[bots.index(bot) + 1 :] if bot in bots else []
    won = len(scores) >= IN_A_ROW and all(score == 1 for score in scores[:IN_A_ROW])
    return better[0] if better and won else ""
