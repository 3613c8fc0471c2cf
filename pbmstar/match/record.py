"""The parts of a match: the entries of its record, its open request, the players' last notes."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import IllegalMove, say
from ..games.base import Ending, Player, Position
from ..games.values import How
from ..machine.times import Epoch

# The words of a record that are not moves of the game itself.
RESIGN, FORFEIT, AGREE, CANCEL, CLAIM = "resign", "forfeit", "agree", "cancel", "claim"
JUDGED = "judged"  # as the board proves it, because what the game belongs to is over
UNFINISHED = "judged worst"  # as the worst that could still have come for its player
DRAW = "draw"  # agreed on in the place of points
# The kinds of requests; the last asks the opponent of a player who cannot be reached.
SCORE, UNDO, UNREACHED = "score", "undo", "unreached"


class Entry(NamedTuple):
    """One entry of a record: a move, a swap, or the end of the game by a player's word.

    number  the move number; None for a swap and for an end that is not a move
    move    a canonical text of the game, or ``resign``, ``forfeit``, ``cancel``, ``claim``,
            ``judged``, ``judged worst``, ``agree 11 10``, ``agree draw``
    at      when it was made, in seconds since 1970 UTC
    began   when the player's clock began to run; None if it did not, or if that was not kept
    by_plan 1 if it was planned before the opponent moved, so that it took no time; otherwise 0
    """

    number: int | None
    userid: str
    move: str
    at: Epoch
    by_plan: int = 0
    began: Epoch | None = None

    @property
    def agreed(self) -> tuple[int, int] | None:
        """Return the points that the players agreed on by this entry; None for a draw and any other entry."""
        word, _, points = self.move.partition(" ")
        return points_of(points) if word == AGREE else None


def is_move(number: int | None, move: str) -> bool:
    """Return True if an entry of a record is a move or a swap; False if it is a word that ended the game."""
    return number is not None or move == "swap"


class Request(NamedTuple):
    """A thing that a player asks of the opponent, open until it is answered or lapses.

    kind  ``score``: to end the game with the points in ``data``, ``11 10``; ``draw``: as a tie;
          ``cancel``: without result; ``undo``: to take back the moves in ``data``, ``F6; G7``;
          ``unreached``: ``userid`` cannot be reached, and the opponent may end the game without result
    """

    kind: str
    userid: str
    data: str
    at: Epoch

    @property
    def points(self) -> tuple[int, int] | None:
        """Return the points of a ``score``, X's first; None for any other kind."""
        return points_of(self.data) if self.kind == SCORE else None

    @property
    def moves(self) -> tuple[str, ...]:
        """Return the moves that an ``undo`` takes back."""
        return tuple(self.data.split("; "))

    @property
    def text(self) -> str:
        """Return the text that reply addresses sign: ``11 10``, ``draw``, ``cancel``, ``undo F6; G7``."""
        return f"{UNDO} {self.data}" if self.kind == UNDO else self.data or self.kind


class Noted(NamedTuple):
    """A player's last note on a board, made after ``move`` moves; nobody else is told of it."""

    userid: str
    move: int
    text: str


def points_of(text: str) -> tuple[int, int] | None:
    """Return the points that a text has, X's first: ``11 10``; None for ``draw``. Raises ValueError."""
    if text == DRAW:
        return None
    x, o = map(int, text.split(" "))
    return x, o


def advance(position: Position, player: Player, move: str) -> Position:
    """Return the position after one entry of a record by that player. Raises IllegalMove.

    Raises ValueError or LookupError for a text that no game or player has written.
    """
    word, _, rest = move.partition(" ")
    if word == RESIGN:
        return position.resign(player)
    if word == FORFEIT:
        return position.resign(player, "forfeit")
    if word == CANCEL:
        return position.end(Ending("cancelled", None))
    if word == CLAIM:
        return position.end(_proved(position, "claim"))
    if move == UNFINISHED:
        bounds = position.game.bounds(position.stones)
        worst = bounds.worst if player == "X" else bounds.best
        return position.end(Ending("judged", worst.winner, worst.points))
    if word == JUDGED:
        return position.end(_proved(position, "judged"))
    if word == AGREE:
        points = points_of(rest)
        winner = position.game.bounds(position.stones).winner(points) if points else None
        return position.end(Ending("agreement", winner, points))
    if position.to_move != player and not position.over:
        raise IllegalMove(say("It's not your turn."), "not-your-turn")
    return position.play(move)


def _proved(position: Position, how: How) -> Ending:
    """Return the end that the board proves.

    If no stone can change the points, they decide. Otherwise the winner is the player who wins on every
    full board; it is a tie if both can still win.
    """
    bounds = position.game.bounds(position.stones)
    if position.game.has_points and bounds.is_certain:
        return Ending(how, bounds.worst.winner, bounds.worst.points)
    return Ending(how, bounds.decided)
