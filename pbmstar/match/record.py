"""What a match is made of: the entries of its record, the request that is open, what happens to it."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import IllegalMove
from ..games.base import Ending, Player, Position

# The words of a record that are no move of the game's own.
RESIGN, FORFEIT, AGREE, CANCEL, CLAIM = "resign", "forfeit", "agree", "cancel", "claim"
DRAW = "draw"  # agreed on in the place of points
# What a player may ask of the opponent; and that the opponent of one who cannot be reached is asked.
SCORE, UNDO, UNREACHED = "score", "undo", "unreached"


class Entry(NamedTuple):
    """One entry of a record: a move, a swap, or the end of the game by a player's word.

    number  the move number; None for a swap and for an end that is no move
    move    a canonical text of the game, or ``resign``, ``forfeit``, ``cancel``, ``claim``,
            ``agree 11 10``, ``agree draw``
    at      when it was made, in seconds since 1970 UTC
    began   when the player's clock began to run; None if it did not, or if nothing is kept of the time
    by_plan 1 if it was planned before the opponent moved, so that it took no time; else 0
    """

    number: int | None
    userid: str
    move: str
    at: float
    by_plan: int = 0
    began: float | None = None


class Request(NamedTuple):
    """What a player asks of the opponent, open until it is answered or lapses.

    kind  ``score``: to end the game with the points in ``data``, ``11 10``; ``draw``: as a tie;
          ``cancel``: without result; ``undo``: to take back what stands in ``data``, ``F6; G7``;
          ``unreached``: ``userid`` cannot be reached, and the opponent may end the game without result
    """

    kind: str
    userid: str
    data: str
    at: float


class Noted(NamedTuple):
    """A player's last note on a board, made after so many moves; nobody else is told of it."""

    userid: str
    move: int
    text: str


class Event(NamedTuple):
    """What happened to a match beside its moves, the ``n``-th thing of that kind."""

    n: int
    at: float
    userid: str
    kind: str
    data: str


class Act(NamedTuple):
    """What somebody wants to do to a match.

    kind    one of the keys of ``acts.ACTS``
    text    for a move, the player's words; for a proposal, the points, ``11 10``, or ``draw``; for
            ``decline`` the reason, a key of ``requests.REASONS``, or empty; for a plan, its words or
            ``none``
    guard   the number that a move is meant to have, if the player said one
    events  what has happened beside the moves: an act of ``requests.ASKING`` needs to know it
    plan    the words of a plan that comes with a move
    seen    of a plan: how long the record was in the letter that it answers, if it answers one
    """

    userid: str
    kind: str
    text: str = ""
    guard: int | None = None
    events: tuple[Event, ...] = ()
    plan: str = ""
    seen: int | None = None


class Happening(NamedTuple):
    """One thing that happened to a match, by whom, and what belongs to it.

    kind  ``moved``, ``passed``, ``swapped``, ``resigned``, ``left``, ``forfeited``, ``proposed``,
          ``agreed``, ``refused``, ``declined``, ``unreached``, ``cancelled``, ``abandoned``,
          ``claimed``, ``undone`` or ``retracted`` from an act; those of a plan, see ``planned``; the
          service adds others, such as ``reset``
    """

    kind: str
    userid: str = ""
    text: str = ""


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
    if word == CLAIM:
        return position.end(_claimed(position))
    if move == f"{AGREE} {DRAW}":
        return position.end(Ending("agreement", None))
    if word == AGREE:
        x, o = int(rest[0]), int(rest[1])
        winner = position.game.bounds(position.stones).winner((x, o))
        return position.end(Ending("agreement", winner, (x, o)))
    if position.to_move != player and not position.over:
        raise IllegalMove("It is not your turn.", "not-your-turn")
    return position.play(move)


def _claimed(position: Position) -> Ending:
    """The end that the board proves: by the points if no stone changes them, else who wins."""
    bounds = position.game.bounds(position.stones)
    if position.game.has_points and bounds.is_certain:
        return Ending("claim", bounds.worst.winner, bounds.worst.points)
    return Ending("claim", bounds.decided)
