"""What a match is made of: the entries of its record, and the request that is open."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import IllegalMove
from ..games.base import Ending, Player, Position

# The words of a record that are no move of the game's own.
RESIGN, FORFEIT, AGREE, CANCEL = "resign", "forfeit", "agree", "cancel"
DRAW = "draw"  # agreed on in the place of points


class Entry(NamedTuple):
    """One entry of a record: a move, a swap, or the end of the game by a player's word.

    number  the move number; None for a swap and for an end that is no move
    move    a canonical text of the game, or ``resign``, ``forfeit``, ``cancel``, ``agree 11 10``,
            ``agree draw``
    at      when it was made, in seconds since 1970 UTC
    began   when the player's clock began to run; None if it did not, or if nothing is kept of the time
    """

    number: int | None
    userid: str
    move: str
    at: float
    began: float | None = None


class Request(NamedTuple):
    """What a player asks of the opponent, open until it is answered or lapses.

    kind  ``score``: to end the game with the points in ``data``, ``11 10``; ``draw``: as a tie;
          ``cancel``: ``userid`` cannot be reached, and the opponent may end the game without result
    """

    kind: str
    userid: str
    data: str
    at: float


def advance(position: Position, player: Player, move: str) -> Position:
    """The position after one entry of a record by that player. Raises IllegalMove.

    ValueError and LookupError come of a text that no game or player has written.
    """
    word, *rest = move.split(" ")
    if word == RESIGN:
        return position.resign(player)
    if word == FORFEIT:
        return position.resign(player, "forfeit")
    if word == CANCEL:
        return position.end(Ending("cancelled", None))
    if move == f"{AGREE} {DRAW}":
        return position.end(Ending("agreement", None))
    if word == AGREE:
        x, o = int(rest[0]), int(rest[1])
        winner = position.game.bounds(position.stones).winner((x, o))
        return position.end(Ending("agreement", winner, (x, o)))
    if position.to_move != player and not position.over:
        raise IllegalMove("It is not your turn.", "not-your-turn")
    return position.play(move)
