"""How a bot behaves, by rule: what it does without thinking, and when it gives up. Pure.

What it is good at, finding moves, is not here; see ``pbmstar.bot``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..games.base import Game
from ..games.placement import Placement
from .acts import Act
from .match import Match
from .record import RESIGN

LOST = "lost"  # the text of a resignation that says why


def plays(game: type[Game] | Game) -> bool:
    """Whether bots play a game: one in which stones are placed and stay."""
    return isinstance(game, Placement) or (isinstance(game, type) and issubclass(game, Placement))


def by_rule(match: Match, bot: str) -> Act | None:
    """What a bot that is to move does without thinking; None if it has to.

    It resigns what is lost for certain, and passes once no stone can change the score any more.
    What it has won for certain it plays on, for the margin.
    """
    player = match.player(bot)
    if match.bounds.decided not in (None, player):
        return Act(bot, "resign", LOST)
    if match.game.has_pass and match.game.has_points and match.bounds.settled:
        return Act(bot, "move", "pass")
    return None


def from_answer(match: Match, bot: str, answer: Mapping[str, Any]) -> Act:
    """What a bot does after thinking. Raises KeyError, TypeError for an answer that says nothing."""
    move = answer["move"]
    if move == RESIGN:
        return Act(bot, "resign", LOST)
    if not isinstance(move, str) or not move:
        raise TypeError("a move is a text")
    if move == "pass":  # only what is settled is passed, and that needs no thinking
        raise TypeError("no pass is due")
    return Act(bot, "move", move)


def nearest_the_middle(match: Match, bot: str) -> Act:
    """The move of a bot that cannot think: the free cells nearest the middle of the board."""
    grid, stones = match.game.grid, match.position.stones
    middle = [sum(axis) / len(grid) for axis in zip(*grid.places, strict=True)]

    def distance(cell: int) -> tuple[float, int]:
        x, y = grid.places[cell]
        return (x - middle[0]) ** 2 + (y - middle[1]) ** 2, cell

    free = sorted((c for c, stone in enumerate(stones) if stone == ord(".")), key=distance)
    due = len(next(match.position.moves()).split())
    return Act(bot, "move", " ".join(grid.names[cell] for cell in free[:due]))
