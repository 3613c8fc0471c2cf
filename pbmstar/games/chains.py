"""Games that one chain decides: it joins certain sides of the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from ..errors import Sentence, say_many, together
from .base import PLAYERS, STONE, Ending, Player, Position, Score
from .grids import EMPTY
from .placement import Placement
from .values import Counting, ReportLine, ReportRow

_TOUCHES = say_many("{sides}: {count} stone", "{sides}: {count} stones", 0)


class ChainGame(Placement):
    """A player who joins one of their sets of sides with a chain wins; a full board has one such chain.

    sides  the names of the board's sides; ``edges`` has a bit for each
    aims   for each player the sets of sides, any of which decides the game
    joined the words of a report on such a chain, with its sides and the count of its stones
    notes  a player's score in words, without the chain and with it
    """

    has_points = False
    sides: tuple[Sentence | str, ...]
    aims: ClassVar[Mapping[Player, tuple[tuple[int, ...], ...]]]
    joined: ClassVar[Sentence]
    notes: ClassVar[tuple[Sentence | str, Sentence | str]] = ("", "")
    _joins: ClassVar[dict[int, tuple[bool, ...]]]  # for each stone and set of sides (bits)

    def __init_subclass__(cls) -> None:
        every = range(1 << len(cls.sides))
        cls._joins = {
            STONE[player]: tuple(
                any(all(sides >> side & 1 for side in aim) for aim in aims) for sides in every
            )
            for player, aims in cls.aims.items()
        }

    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """Return the position, ended if a chain through one of ``cells`` joins a set of sides."""
        joiner = self._joiner(position.stones, cells)
        return position.end(Ending("chain", self.winner_by(joiner))) if joiner else position

    def winner_by(self, joiner: Player) -> Player:
        """Return the winner if ``joiner`` has such a chain: that player, unless a game turns it round."""
        return joiner

    def score(self, stones: bytes) -> Score:
        """Return a score of 1 to 0 for the player who wins by the chain; 0 to 0 while nobody has it."""
        joiner = self._joiner(stones, range(len(stones)))
        winner = joiner and self.winner_by(joiner)
        points = tuple(int(player == winner) for player in PLAYERS)
        return Score(points, points, {}, tuple(self.notes[point] for point in points))

    def counting(self) -> Counting:
        """Return a count in which a chain is worth 1 to the winner if it joins a set of sides."""
        worth = 1 if self.winner_by("X") == "X" else -1
        x, o = (tuple(worth * joins for joins in self._joins[STONE[player]]) for player in PLAYERS)
        return Counting(self.edges, (x, o), united=True, total=worth)

    def wanted(self, player: Player) -> int:
        return sum(1 << side for side in {side for aim in self.aims[player] for side in aim})

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """Return a smallest part of the chain that still joins the sides; empty if nobody has one."""
        joiner = self._joiner(stones, range(len(stones)))
        if not joiner:
            return ()
        stone = STONE[joiner]
        parts: list[list[int]] = []
        away = [self._steps_from(side, stones, stone) for side in range(len(self.sides))]
        for aim in self.aims[joiner]:
            meeting = [c for c in range(len(stones)) if all(c in away[side] for side in aim)]
            if not meeting:
                continue
            centre = min(meeting, key=lambda c: sum(away[side][c] for side in aim))
            cells = {centre}
            for side in aim:
                cells.update(self._way_down(away[side], centre))
            parts.append(sorted(cells))
        return tuple(self.grid.names[cell] for cell in min(parts, key=len))

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield every chain that touches a side, with the sides; the one that wins is marked."""
        for player in PLAYERS:
            rows = []
            inland = 0
            for chain in self.grid.chains(stones, STONE[player]):
                touched = 0
                for cell in chain:
                    touched |= self.edges[cell]
                if touched:
                    rows.append((touched.bit_count(), len(chain), touched, chain))
                else:
                    inland += 1
            rows.sort(key=lambda row: row[:2], reverse=True)
            yield ReportLine(
                say_many(
                    "{player} has {count} chain touching a side, and {inland} elsewhere.",
                    "{player} has {count} chains touching a side, and {inland} elsewhere.",
                    len(rows),
                    player=player,
                    inland=inland,
                )
            )
            for _, size, touched, chain in rows:
                form = self.joined if self._joins[STONE[player]][touched] else _TOUCHES
                yield ReportLine(form.given(sides=self._named(touched), count=size), indent=2)
                yield ReportLine("", tuple(self.grid.names[cell] for cell in sorted(chain)), 4)

    def _named(self, touched: int) -> Sentence:
        """Return the names of sides."""
        return together(*(name for i, name in enumerate(self.sides) if touched >> i & 1))

    def _steps_from(self, side: int, stones: bytes, stone: int) -> dict[int, int]:
        """Return for each cell that ``stone`` links to ``side`` how many steps it is away."""
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
        """Return the cells on a shortest way from ``cell`` to a cell whose ``steps`` are 0."""
        while steps[cell]:
            cell = next(c for c in self.grid.neighbours[cell] if steps.get(c) == steps[cell] - 1)
            yield cell

    def _joiner(self, stones: bytes, cells: Iterable[int]) -> Player | None:
        """Return the player who has a chain through one of ``cells`` that joins a set of sides."""
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
            if self._joins[stone][sides]:
                return PLAYERS[stone == STONE["O"]]
        return None
