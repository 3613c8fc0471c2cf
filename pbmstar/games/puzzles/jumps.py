"""The jumping puzzles: a stone jumps over another to the cell beyond it, and the other is taken away."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...errors import IllegalMove, InvalidMove, Sentence, say, say_many
from ..base import Position
from ..grids import EMPTY, X_STONE
from ..pentagon.straights import STAR, lines
from ..spelling import steps
from ..values import ReportLine, ReportRow
from .puzzle import RINGS, Puzzle, symmetries


class Jumps(Puzzle):
    """A move is a jump, or a chain of jumps of one stone; the whole board may be used.

    begin      the rings that are full of stones at the start, the star as ring 0
    solutions  known ways from the start to the goal, each as its moves
    """

    written = "from-to[-to...]"
    few_turns = True
    begin: tuple[int, ...]
    solutions: tuple[str, ...]

    def start(self) -> Position:
        """Return the position in which the rings of ``begin`` are full."""
        rings = [self.ring(cell) for cell in range(len(self.grid))]
        return Position(self, bytes(X_STONE if ring in self.begin else EMPTY for ring in rings))

    def ring(self, cell: int) -> int:
        """Return the ring of a cell; 0 for the star."""
        name = self.grid.names[cell]
        return 0 if cell == STAR else int(name[1]) or RINGS

    # -- moves

    def read_turn(self, words: Sequence[str]) -> str:
        """Read a chain of jumps: ``*30-*10-T10``, or with blanks, ``>``, ``->`` or ``to`` between."""
        names = [self.grid.names[self.cell(word)] for part in steps(words) for word in part]
        if len(names) < 2:
            raise InvalidMove(
                say(
                    "A move is a jump from one cell to another, like *30-*10, or several "
                    "jumps in a row, like *30-*10-T10."
                ),
                "not-a-jump",
            )
        return "-".join(names)

    def turns(self, position: Position) -> Iterator[str]:
        """Return every jump, and every chain that it can begin."""
        for cell in self.cells(position.stones):
            yield from self._chains(position.stones, cell, self.grid.names[cell])

    def _chains(self, stones: bytes, cell: int, text: str) -> Iterator[str]:
        for over, to in self.jumps_of(stones, cell):
            longer = f"{text}-{self.grid.names[to]}"
            yield longer
            yield from self._chains(jumped(stones, cell, over, to), to, longer)

    def jumps_of(self, stones: bytes, cell: int) -> list[tuple[int, int]]:
        """Return the jumps of one stone, each as the cell in between and the cell beyond."""
        return [
            (over, to)
            for over, to in jumps_from(cell)
            if stones[over] == X_STONE and stones[to] == EMPTY
        ]

    def turn(self, position: Position, move: str) -> Position:
        """Return the position after a chain of jumps. Raises IllegalMove."""
        position.mover  # noqa: B018 - raises if the game is over
        stones = position.stones
        names = move.split("-")
        cells = [self.grid.index[name] for name in names]
        if stones[cells[0]] != X_STONE:
            raise IllegalMove(say("There's no stone on {cell}.", cell=names[0]), "no-stone")
        for here, there in pairwise(cells):
            over = next((over for over, to in self.jumps_of(stones, here) if to == there), None)
            if over is None:
                raise IllegalMove(self._no_jump(stones, here, there), "no-jump")
            stones = jumped(stones, here, over, there)
        return self.after(position, stones)

    def _no_jump(self, stones: bytes, here: int, there: int) -> Sentence:
        names = self.grid.names
        ways = [names[to] for _, to in self.jumps_of(stones, here)]
        if not ways:
            return say(
                "The stone can't jump from {cell} to {goal}, or anywhere else.",
                cell=names[here],
                goal=names[there],
            )
        return say(
            "The stone can't jump from {cell} to {goal}, only to {cells}.",
            cell=names[here],
            goal=names[there],
            cells=" ".join(ways),
        )

    def legal(self, position: Position) -> int:
        """Return the number of single jumps that are possible."""
        if position.to_move is None:
            return 0
        stones = position.stones
        return sum(len(self.jumps_of(stones, cell)) for cell in self.cells(stones))

    # -- counting

    def is_goal(self, cell: int) -> bool:
        """Tell if one last stone on this cell reaches the goal; a puzzle may have no such cells."""
        return False

    def rank(self, stones: bytes) -> int | None:
        """Return 0 for one stone on a cell of the goal, 1 for one elsewhere; else the number of stones."""
        cells = self.cells(stones)
        return 0 if len(cells) == 1 and self.is_goal(cells[0]) else len(cells)

    @abstractmethod
    def where(self, cell: int) -> str:
        """Return the kind of cell that a last stone stands on."""

    def facts(self, position: Position) -> dict[str, Any]:
        """Return also the number of jumps made so far, and the place of a last stone."""
        stones = position.stones
        first = (*position.history, stones)[0]
        facts = super().facts(position)
        facts["jumps"] = first.count(X_STONE) - stones.count(X_STONE)
        if stones.count(X_STONE) == 1:
            (cell,) = self.cells(stones)
            facts |= {"last": self.grid.names[cell], "where": self.where(cell)}
        return facts

    def note(self, stones: bytes) -> Sentence:
        """Return how many stones are left."""
        return self.noted(stones.count(X_STONE))

    def noted(self, count: int) -> Sentence:
        return say_many("{count} stone left", "{count} stones left", count)

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield the jumps that are possible, and the cells of the goal that parity allows."""
        names = self.grid.names
        jumps = [
            f"{names[cell]}-{names[to]}"
            for cell in self.cells(stones)
            for _, to in self.jumps_of(stones, cell)
        ]
        yield ReportLine(
            say_many(
                "{note}; {count} jump possible.",
                "{note}; {count} jumps possible.",
                len(jumps),
                note=self.note(stones),
            )
        )
        yield ReportLine("", jumps, 2)
        wanted = [cell for cell in range(len(names)) if self.is_goal(cell)]
        if not wanted:
            return
        ends = [names[cell] for cell in wanted if self.can_end_on(stones, cell)]
        if not ends:
            yield ReportLine(say("The last stone can't end on any goal cell, whatever you do."))
            return
        yield ReportLine(say("The last stone can still end on one of these goal cells:"))
        yield ReportLine("", ends, 2)

    def can_end_on(self, stones: bytes, cell: int) -> bool:
        """Tell if parity allows that the last stone stands on ``cell``.

        Call a cell plain if it is the star, or its ring less twice its offset is divisible by 3.
        Every three cells in a row hold one plain cell, so a jump changes the number of stones on
        the other cells by 0 or 2.
        """
        others = sum(not plain_cell(self.grid.names[c]) for c in self.cells(stones))
        return others % 2 == (not plain_cell(self.grid.names[cell]))

    # -- hints

    def hint(self, position: Position) -> str | None:
        """Return the next move of a known solution that has this board, also turned or mirrored."""
        if position.to_move is None:
            return None
        known = self._known()
        for image in symmetries(True):
            turned = bytearray(len(image))
            for cell, stone in enumerate(position.stones):
                turned[image[cell]] = stone
            if move := known.get(bytes(turned)):
                back = {self.grid.names[to]: self.grid.names[c] for c, to in enumerate(image)}
                return "-".join(back[name] for name in move.split("-"))
        return None

    def _known(self) -> Mapping[bytes, str]:
        """Return for each board of a known solution the rest of the move that comes next."""
        moves = {}
        for solution in self.solutions:
            stones = self.start().stones
            for move in solution.split():
                names = move.split("-")
                cells = [self.grid.index[name] for name in names]
                for i, (here, there) in enumerate(pairwise(cells)):
                    moves[stones] = "-".join(names[i:])
                    over = next(o for o, to in self.jumps_of(stones, here) if to == there)
                    stones = jumped(stones, here, over, there)
        return moves


def jumped(stones: bytes, here: int, over: int, there: int) -> bytes:
    board = bytearray(stones)
    board[here] = board[over] = EMPTY
    board[there] = X_STONE
    return bytes(board)


def plain_cell(name: str) -> bool:
    """Tell if a cell is plain: every three cells in a row hold one plain cell."""
    return name == "@" or ((int(name[1]) or RINGS) - 2 * int(name[2])) % 3 == 0


def jumps_from(cell: int) -> tuple[tuple[int, int], ...]:
    """Return the jumps from a cell along the rows, in board order, each as in ``Jumps.jumps_of``."""
    return lines(RINGS).jumps[cell]
