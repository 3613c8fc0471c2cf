"""Star Y: one chain that touches three sides of the pentagon, two of them next to each other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain as chained

from .base import PLAYERS, STONE, Ending, Player, Position, Score
from .boards import EMPTY
from .pentagon import ARMS, RINGS, PentagonGame

_SIDES = tuple(f"{ARMS[i]}-{ARMS[(i + 1) % 5]}" for i in range(5))
_TRIPLES = tuple((i, (i + 1) % 5, (i + 3) % 5) for i in range(5))
_WINS = tuple(
    any(all(sides >> side & 1 for side in triple) for triple in _TRIPLES) for sides in range(32)
)


class StarY(PentagonGame):
    """The first to join sides i, i+1 and i+3 with one chain wins; a full board has one such chain."""

    word = "stary"
    title = "Star Y"
    options = (RINGS,)
    has_points = False

    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """The position, ended if a chain through one of ``cells`` wins."""
        winner = self._winner(position.stones, cells)
        return position.end(Ending("chain", winner)) if winner else position

    def score(self, stones: bytes) -> Score:
        """1 to 0 for the player who has the chain; 0 to 0 while nobody has it."""
        winner = self._winner(stones, range(len(stones)))
        points = (int(winner == "X"), int(winner == "O"))
        notes = tuple("has the Star Y" if point else "no Star Y" for point in points)
        return Score(points, points, {}, (notes[0], notes[1]))

    def _winner(self, stones: bytes, cells: Iterable[int]) -> Player | None:
        left = bytearray(stones)
        neighbours, edges = self.grid.neighbours, self.edges
        for start in cells:
            stone = left[start]
            if stone in (EMPTY, 0):
                continue
            left[start] = 0
            chain = [start]
            sides = 0
            for cell in chain:
                sides |= edges[cell]
                for near in neighbours[cell]:
                    if left[near] == stone:
                        left[near] = 0
                        chain.append(near)
            if _WINS[sides]:
                return PLAYERS[stone == STONE["O"]]
        return None
