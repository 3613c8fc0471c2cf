"""A board as it stands: its row, its record, and the position that follows from the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .. import games
from ..errors import IllegalMove
from ..games.adjudicate import Reading, reading
from ..games.base import Bounds, Ending, Game, Player, Position, Score
from ..store import Board, Move

# The words of a record that are no move of the game's own.
RESIGN, FORFEIT, AGREE = "resign", "forfeit", "agree"


@dataclass(frozen=True)
class Match:
    """A board's row and record, replayed. Immutable; ``after`` makes the next one."""

    row: Board
    record: tuple[Move, ...]
    position: Position

    @property
    def number(self) -> int:
        """The board's number."""
        return self.row.board

    @property
    def game(self) -> Game:
        """The rules, with the board's options."""
        return self.position.game

    @cached_property
    def players(self) -> dict[Player, str]:
        """Who sits where now: a swap has exchanged the seats."""
        first, second = self.row.first, self.row.second
        return {"X": second, "O": first} if self.position.swapped else {"X": first, "O": second}

    def seat(self, userid: str) -> Player | None:
        """Where a player sits; None if it is not his board."""
        return next((seat for seat, who in self.players.items() if who == userid), None)

    def opponent(self, userid: str) -> str:
        """The other player."""
        return self.row.second if userid == self.row.first else self.row.first

    @property
    def to_move(self) -> str:
        """The userid whose turn it is; empty when the game is over."""
        return self.players[self.position.to_move] if self.position.to_move else ""

    @property
    def result(self) -> str:
        """The winner's userid, 'tie', or empty while the game runs."""
        if not self.position.over:
            return ""
        return self.players[self.position.winner] if self.position.winner else "tie"

    @property
    def turn(self) -> int:
        """The number of the move that is due."""
        return self.position.played + 1

    def has_moved(self, userid: str) -> bool:
        """Whether the player has made a move of his own."""
        return any(move.userid == userid for move in self.record)

    @cached_property
    def score(self) -> Score:
        """The board counted as it stands."""
        return self.game.score(self.position.stones)

    @cached_property
    def bounds(self) -> Bounds:
        """What can still become of it."""
        return self.game.bounds(self.position.stones)

    @cached_property
    def reading(self) -> Reading | None:
        """What stands if both players answer in pairs of cells, where that can be read off."""
        return reading(self.game, self.position.stones, self.bounds)

    @property
    def points(self) -> tuple[int, int]:
        """The score of X and O: the agreed one, or the board's."""
        ending = self.position.ending
        return ending.points if ending and ending.points else self.score.points

    def after(self, userid: str, move: str, at: float) -> Match:
        """The match with ``move`` by ``userid`` played and recorded. Raises IllegalMove."""
        position = _advance(self.position, self.seat(userid), move)
        number = position.played if position.played > self.position.played else None
        entry = Move(self.number, len(self.record), number, userid, move, at)
        match = Match(self.row, (*self.record, entry), position)
        row = self.row._replace(
            length=len(match.record), to_move=match.to_move, result=match.result, since=at, offer=""
        )
        return Match(row, match.record, position)


def replay(row: Board, record: Sequence[Move], until: int | None = None) -> Match:
    """The match of a record, or what it was after move ``until``. Raises IllegalMove for a corrupt one."""
    position = games.load(row.game, row.options).start()
    kept = []
    for move in record:
        if until is not None and position.played >= until and move.move != "swap":
            break
        seat: Player = "X" if (move.userid == row.first) != position.swapped else "O"
        try:
            position = _advance(position, seat, move.move)
        except (LookupError, ValueError):
            raise IllegalMove(f"The record of board {row.board} is corrupt.") from None
        kept.append(move)
    return Match(row, tuple(kept), position)


def _advance(position: Position, seat: Player | None, move: str) -> Position:
    """The position after one entry of a record by the player of that seat."""
    if seat is None:
        raise IllegalMove("Only a player of the board can do that.")
    word, *rest = move.split(" ")
    if word == RESIGN:
        return position.resign(seat)
    if word == FORFEIT:
        return position.resign(seat, "forfeit")
    if word == AGREE:
        x, o = int(rest[0]), int(rest[1])
        winner = position.game.bounds(position.stones).winner((x, o))
        return position.end(Ending("agreement", winner, (x, o)))
    if position.to_move != seat and not position.over:
        raise IllegalMove("It is not your turn.")
    return position.play(move)
