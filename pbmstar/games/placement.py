"""Games in which stones are placed and stay: turns, passing, full boards, exact bounds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..errors import InvalidMove, say
from .base import PLAYERS, STONE, Bounds, Ending, Game, Position, other, taken
from .grids import EMPTY
from .values import Counting


class Placement(Game):
    """A turn is a stone on an empty cell. A game of this kind counts a board in ``score``."""

    has_pass = True
    has_points = True
    has_bounds = True
    one_stone = True
    to_score = 1

    def bare(self) -> bytes:
        """Return the board before the first move."""
        return self.start().stones

    def read_turn(self, words: Sequence[str]) -> str:
        """Return the canonical text of a placement. Raises InvalidMove."""
        if len(words) != 1:
            raise InvalidMove(
                say("A move is one cell, like {example}.", example=self.grid.example), "not-a-cell"
            )
        return self.grid.names[self.cell(words[0])]

    def turns(self, position: Position) -> Iterator[str]:
        stones = position.stones
        return (name for name, stone in zip(self.grid.names, stones, strict=True) if stone == EMPTY)

    def turn(self, position: Position, move: str) -> Position:
        """Return the position after the stones of ``move`` were placed. Raises IllegalMove."""
        player = position.mover
        stones = bytearray(position.stones)
        cells = []
        for name in move.split(" "):
            cell = self.grid.index[name]
            if stones[cell] != EMPTY:
                raise taken(name)
            stones[cell] = STONE[player]
            cells.append(cell)
        after = Position(
            self,
            bytes(stones),
            other(player),
            position.played + 1,
            swapped=position.swapped,
            swappable=position.played == 0 and self.has_swap,
        )
        return self.judge(after, cells)

    def passed(self, position: Position) -> Position:
        """Return the position after a pass; the second in succession ends the game."""
        if not self.has_pass:
            return super().passed(position)
        after = replace(
            position,
            to_move=other(position.mover),
            played=position.played + 1,
            passes=position.passes + 1,
            swappable=False,
        )
        if after.passes == 2:
            return after.end(Ending("passes", self.score(after.stones).winner))
        return after

    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """Return the position, ended if its board is full."""
        if EMPTY in position.stones:
            return position
        return position.end(Ending("full", self.score(position.stones).winner))

    def bounds(self, stones: bytes) -> Bounds:
        """Return the bounds of the scores that the board can still reach.

        They are exact in games with ``has_bounds``: there, on a full board, it never harms a player to
        have a stone in the place of an opponent's. On a board with empty cells it can, so the score of
        the board as it stands may lie outside.
        """
        if EMPTY not in stones:
            score = self.score(stones)
            return Bounds(score, score)
        if not self.has_bounds:
            return super().bounds(stones)
        return Bounds(
            self.score(stones.replace(b".", b"o")), self.score(stones.replace(b".", b"x"))
        )

    @abstractmethod
    def counting(self) -> Counting:
        """Return a count, chain by chain, that agrees with ``score`` on a full board."""

    def can_end(self, bounds: Bounds, points: tuple[int, ...]) -> bool:
        """Tell if the points lie within the bounds, and add up to the total of a full board."""
        ranges = (bounds.of(player) for player in PLAYERS)
        fits = all(low <= p <= high for p, (low, high) in zip(points, ranges, strict=True))
        return fits and self.total in (None, sum(points))

    def facts(self, position: Position) -> dict[str, Any]:
        """Return scores with details and bounds, or the chain that won; and the player who is sure to win."""
        facts: dict[str, Any] = {}
        bounds = self.bounds(position.stones)
        if self.has_points:
            score = self.score(position.stones)
            facts["scores"] = dict(zip(PLAYERS, score.points, strict=True))
            facts |= score.detail
            facts["bounds"] = {player: list(bounds.of(player)) for player in PLAYERS}
            facts["settled"] = bounds.settled
        elif chain := self.winning_chain(position.stones):
            facts["chain"] = list(chain)
        facts["decided"] = bounds.decided
        return facts


def due_of(position: Position) -> int:
    """Return how many stones the next move has."""
    return next(position.moves()).count(" ") + 1
