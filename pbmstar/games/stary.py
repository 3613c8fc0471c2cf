"""Star Y: one chain that touches three sides of the pentagon, two of them next to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .base import PLAYERS, STONE, Ending, Player, Position, Score
from .boards import EMPTY
from .pentagon import ARMS, RINGS, PentagonGame
from .text import listed, many

_SIDES = tuple(f"{ARMS[i]}-{ARMS[(i + 1) % 5]}" for i in range(5))
_TRIPLES = tuple((i, (i + 1) % 5, (i + 3) % 5) for i in range(5))
_WINS = tuple(
    any(all(sides >> side & 1 for side in triple) for triple in _TRIPLES) for sides in range(32)
)


class StarY(PentagonGame):
    """Whoever joins sides i, i+1 and i+3 with a chain wins; a full board has one such chain."""

    word = "stary"
    title = "Star Y"
    brief = (
        "Players take turns to put a stone on an empty cell; stones never move. You win as soon as "
        "one chain of your stones touches three of the five sides, two of them next to each other "
        "and the third opposite their corner. A corner belongs to both its sides, and one of the "
        "players always gets such a chain."
    )
    options = (RINGS,)
    has_points = False

    def goal(self, player: Player) -> str:
        """The same for both."""
        return "joins three sides, two next to each other and the one opposite"

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

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """A smallest part of the winner's chain that still joins three such sides; else empty."""
        winner = self._winner(stones, range(len(stones)))
        if not winner:
            return ()
        stone = STONE[winner]
        found: list[list[int]] = []
        away = [self._steps_from(side, stones, stone) for side in range(5)]
        for triple in _TRIPLES:
            meeting = [c for c in range(len(stones)) if all(c in away[side] for side in triple)]
            if not meeting:
                continue
            centre = min(meeting, key=lambda c: sum(away[side][c] for side in triple))
            cells = {centre}
            for side in triple:
                cells.update(self._way_down(away[side], centre))
            found.append(sorted(cells))
        return tuple(self.grid.names[cell] for cell in min(found, key=len))

    def report(self, stones: bytes) -> tuple[str, ...]:
        """Every chain that touches a side, with the sides; the one that wins is marked."""
        lines = []
        for player in PLAYERS:
            rows = []
            inland = 0
            for chain in self.grid.chains(stones, STONE[player]):
                sides = 0
                for cell in chain:
                    sides |= self.edges[cell]
                if sides:
                    named = " ".join(_SIDES[i] for i in range(5) if sides >> i & 1)
                    rows.append((sides.bit_count(), len(chain), named, _WINS[sides], chain))
                else:
                    inland += 1
            rows.sort(key=lambda row: row[:2], reverse=True)
            lines.append(
                f"{player} has {many(len(rows), 'chain')} at the sides, {inland} off them."
            )
            for _, size, named, wins, chain in rows:
                lines.append(f"  {named}: {many(size, 'stone')}{', a Star Y' if wins else ''}")
                lines += listed("    ", (self.grid.names[cell] for cell in sorted(chain)))
        return tuple(lines)

    def _steps_from(self, side: int, stones: bytes, stone: int) -> dict[int, int]:
        """For each cell that is linked to ``side`` by ``stone``, how many steps it is away."""
        steps = {
            cell: 0
            for cell, sides in enumerate(self.edges)
            if sides >> side & 1 and stones[cell] == stone
        }
        walk = list(steps)
        for cell in walk:
            for near in self.grid.neighbours[cell]:
                if stones[near] == stone and near not in steps:
                    steps[near] = steps[cell] + 1
                    walk.append(near)
        return steps

    def _way_down(self, steps: Mapping[int, int], cell: int) -> Iterable[int]:
        """The cells on a shortest way from ``cell`` to where ``steps`` is 0."""
        while steps[cell]:
            cell = next(c for c in self.grid.neighbours[cell] if steps.get(c) == steps[cell] - 1)
            yield cell

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
