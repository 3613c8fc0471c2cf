"""The acts of a bot without thinking, by rule, and when it gives up. Pure.

The search for moves is not here; see ``engine``.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from ..games.base import Game, Position
from ..games.grids import EMPTY
from ..games.placement import due_of
from ..match import CANCEL, DRAW, RESIGN, UNDO, Act, Match, Request

_HARDLY_BEGUN = 2  # moves
LEAST_REVIEWED = 4  # the fewest moves of a game that is reviewed
LOST = "lost"  # the text of a resignation that says why


def plays(game: type[Game] | Game) -> bool:
    """Tell if bots play a game: one in which stones are placed and stay, and never hurt their owner."""
    return game.has_bounds


def reviewed(match: Match) -> list[str]:
    """Return the moves of a game for a review, with swaps and passes; empty if it cannot be reviewed."""
    moves = [entry.move for entry in match.whole if entry.number or entry.move == "swap"]
    is_long = len(moves) - len(match.terms.setup) >= LEAST_REVIEWED
    return moves if plays(match.game) and is_long else []


def mark(position: Position) -> str:
    """Return a mark that two positions of a game share only if they are equal, however they came about."""
    told = f"{position.to_move} {position.passes} {position.swappable} ".encode()
    return sha256(told + position.stones).hexdigest()[:32]


def by_rule(match: Match, bot: str, resigns: bool = True) -> Act | None:
    """Return the act of a bot to move that needs no thinking; None if the bot must think.

    If it ``resigns``, it does so when the game is lost for certain. It passes when no stone can change the
    score any more. It plays on in a game that it has won for certain, for the margin.
    """
    player = match.player(bot)
    if resigns and match.bounds.decided not in (None, player):
        return Act(bot, "resign", LOST)
    if match.game.has_pass and match.game.has_points and match.bounds.settled:
        return Act(bot, "move", "pass")
    return None


def to_request(match: Match, bot: str, request: Request, score: tuple[int, int] | None) -> Act:
    """Return a bot's answer to its opponent's request; ``score`` is the certain one, if it is known.

    The bot accepts every undo, a request to cancel a game that has hardly begun, and a score, or a draw,
    that is not worse for it than the certain score.
    """
    if request.kind == UNDO:
        return Act(bot, "accept")
    if request.kind == CANCEL:
        is_fair = len(match.record) <= _HARDLY_BEGUN
    elif request.points is not None:
        is_fair = score is not None and _lead(match, bot, request.points) >= _lead(
            match, bot, score
        )
    else:
        is_fair = request.kind == DRAW and score is not None and _lead(match, bot, score) <= 0
    return Act(bot, "accept" if is_fair else "decline")


def certain_score(match: Match) -> tuple[int, int] | None:
    """Return the score that is settled, or that stands if both answer in pairs; None if there is neither.

    The search for pairs may take a tenth of a second.
    """
    if not match.game.has_points or match.position.over:
        return None
    if match.bounds.settled:
        x, o = match.bounds.worst.points
        return x, o
    return match.reading.points if match.reading else None


def _lead(match: Match, bot: str, score: tuple[int, int]) -> int:
    """Return by how many points a bot wins with that score."""
    x, o = score
    return x - o if match.player(bot) == "X" else o - x


def from_answer(bot: str, answer: Mapping[str, Any]) -> Act:
    """Return the act of a bot after thinking. Raises KeyError, TypeError for an answer without a move."""
    move = answer["move"]
    if move == RESIGN:
        return Act(bot, "resign", LOST)
    if not isinstance(move, str) or not move:
        raise TypeError("a move is a text")
    if move == "pass":  # a bot passes only in a settled game, which needs no thinking
        raise TypeError("no pass is due")
    return Act(bot, "move", move)


def nearest_the_middle(match: Match, bot: str) -> Act:
    """Return the move of a bot that cannot think: the free cells nearest the middle of the board."""
    grid, stones = match.game.grid, match.position.stones
    middle = [sum(axis) / len(grid) for axis in zip(*grid.places, strict=True)]

    def distance(cell: int) -> tuple[float, int]:
        x, y = grid.places[cell]
        return (x - middle[0]) ** 2 + (y - middle[1]) ** 2, cell

    free = sorted((c for c, stone in enumerate(stones) if stone == EMPTY), key=distance)
    due = due_of(match.position)
    return Act(bot, "move", " ".join(grid.names[cell] for cell in free[:due]))
