"""Mini-Solitaire: leave one stone of a small pentagon, on that pentagon."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import NOTHING, Sentence, say, say_many
from ..base import Position
from .jumps import Jumps, jumps_from

_FEWEST = {
    "star": 5,
    "side": 4,
}  # turns for each place where it can end, see tests/bench/puzzles.py
_RINGS = 5  # in a picture
_SOLVED = {
    "star": say_many(
        "solved in {count} turn, with one stone left on the star (the fewest possible is {fewest})",
        "solved in {count} turns, with one stone left on the star (the fewest possible is "
        "{fewest})",
        0,
    ),
    "side": say_many(
        "solved in {count} turn, with one stone left in the middle of a side (the fewest "
        "possible is {fewest})",
        "solved in {count} turns, with one stone left in the middle of a side (the fewest "
        "possible is {fewest})",
        0,
    ),
}


class MiniSolitaire(Jumps):
    """Rings 1 and 2 and the star are full; one stone on any of these cells solves it."""

    word = "minisolitaire"
    aliases = ("mini",)
    title = "Mini-Solitaire"
    aim = say("leave just one stone, on the star or either of the two rings around it")
    brief = say(
        "A stone jumps over a neighboring stone to the empty cell straight behind it, and the "
        "stone it jumped over comes off the board. The same stone can make several jumps in one "
        "turn. At the start, the star and the two rings around it are full of stones. Leave just "
        "one stone, on the star or on one of those two rings, in as few turns as you can."
    )
    known = say(
        "The last stone can only end on the star (in {on_star} turns at best) or in the "
        "middle of a side (in {on_side}).",
        on_star=_FEWEST["star"],
        on_side=_FEWEST["side"],
    )
    begin = (0, 1, 2)
    solutions = (
        "*10-*30 S10-*31 T21-S10-S32 R10-R32-*41-*21-S31-T30-T10-R10-A31-T21-R10 R20-@",
        "*10-*32 T10-*21 A21-R31-*10-A21-T32-T10-*10 *21-R10-T21-S32-S10-S30-*31-R21",
    )

    def is_goal(self, cell: int) -> bool:
        """Tell if the cell belongs to the pentagon that was full."""
        return self.ring(cell) <= 2

    def window(self, stones: bytes) -> Sequence[int]:
        """Return the cells of five rings; all cells if a stone stands farther out."""
        if any(self.ring(cell) > _RINGS for cell in self.cells(stones)):
            return super().window(stones)
        return tuple(cell for cell in range(len(self.grid)) if self.ring(cell) <= _RINGS)

    def where(self, cell: int) -> str:
        """Return ``star``, ``adjacent`` to it, ``corner`` or middle of a ``side``, or ``outside``."""
        ring = self.ring(cell)
        if ring == 2:
            return "side" if self.grid.names[cell].endswith("1") else "corner"
        return ("star", "adjacent")[ring] if ring < 2 else "outside"

    def _clause(self, position: Position) -> Sentence:
        """Return the result of the player, and the best result."""
        if not position.over:
            return NOTHING
        turns = position.played
        cells = self.cells(position.stones)
        if len(cells) != 1:
            return say_many(
                "{note} after {count} turn, but you can get down to just one",
                "{note} after {count} turns, but you can get down to just one",
                turns,
                note=self.note(position.stones),
            )
        where = self.where(cells[0])
        if where in _FEWEST:
            return _SOLVED[where].given(count=turns, fewest=_FEWEST[where])
        if where == "outside":
            return say_many(
                "one stone left after {count} turn, but not on the star or either of the two "
                "rings around it",
                "one stone left after {count} turns, but not on the star or either of the two "
                "rings around it",
                turns,
            )
        return say_many(
            "solved in {count} turn, with one stone left on {cell}",
            "solved in {count} turns, with one stone left on {cell}",
            turns,
            cell=self.grid.names[cells[0]],
        )

    def hint(self, position: Position) -> str | None:
        """Return a move of a known solution, otherwise one found by search; None if there is neither."""
        known = super().hint(position)
        if known or position.to_move is None:
            return known
        stones = self.cells(position.stones)
        wanted = [
            cell
            for cell in range(len(self.grid))
            if self.is_goal(cell) and self.can_end_on(position.stones, cell)
        ]
        jumps = way(frozenset(stones), frozenset(wanted))
        if not jumps:
            return None
        cells = [*jumps[0]]
        for here, there in jumps[1:]:
            if here != cells[-1]:
                break
            cells.append(there)
        return "-".join(self.grid.names[cell] for cell in cells)


BUDGET = 10_000  # boards that a search looks at


def way(
    stones: frozenset[int], ends: frozenset[int], budget: int = BUDGET
) -> list[tuple[int, int]] | None:
    """Return jumps, as cells from and to, that leave one stone on a cell of ``ends``.

    Return None if there are none, or if none were found on ``budget`` boards.
    """
    dead: set[frozenset[int]] = set()

    def search(board: frozenset[int], last: int) -> list[tuple[int, int]] | None:
        if len(board) == 1:
            return [] if board <= ends else None
        if board in dead or len(dead) >= budget:
            return None
        # the stone that jumped last is tried first, so a way has few turns
        for here in sorted(board, key=lambda cell: (cell != last, -cell)):
            for over, there in jumps_from(here):
                if over in board and there not in board:
                    rest = search(board - {here, over} | {there}, there)
                    if rest is not None:
                        return [(here, there), *rest]
        dead.add(board)
        return None

    return search(stones, -1)
