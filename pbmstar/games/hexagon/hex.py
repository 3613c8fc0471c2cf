"""Hex: a chain from one side of a player to the opposite one."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from typing import ClassVar

from ...errors import NOTHING, Sentence, say, say_many
from ..base import Option, Player, Position
from ..chains import ChainGame
from ..grids import Grid, lattice, once

_SIDES = (say("top"), say("bottom"), say("left"), say("right"))
_GOALS = {
    "X": say("wins by connecting top and bottom"),
    "O": say("wins by connecting left and right"),
}
_JOINED = {
    "X": say("{winner} connected top and bottom"),
    "O": say("{winner} connected left and right"),
}
_YOU_JOINED = {"X": say("you connected top and bottom"), "O": say("you connected left and right")}


class Hex(ChainGame):
    """X joins top and bottom, O left and right; a corner cell belongs to both its sides."""

    word = "hex"
    title = "Hex"
    brief = say(
        "Players take turns putting a stone on an empty cell. Stones never move. X wins by "
        "connecting the top row to the bottom row with a chain of stones, and O wins by "
        "connecting the left column to the right column. A cell that isn't on the edge touches "
        "six others, two of them in its own row. There are no ties: in the end, one player always"
        " has a chain like that."
    )
    options: ClassVar[tuple[Option, ...]] = (Option("size", "rows and columns", (3, 21), 11),)
    sides = _SIDES
    aims: ClassVar[Mapping[Player, tuple[tuple[int, ...], ...]]] = {"X": ((0, 1),), "O": ((2, 3),)}
    joined = say_many(
        "{sides}: {count} stone, connecting both sides",
        "{sides}: {count} stones, connecting both sides",
        0,
    )

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        size = self.value("size")
        self.grid = once(_grid, size)
        self.edges = tuple(
            (r == 1) | (r == size) << 1 | (c == 0) << 2 | (c == size - 1) << 3
            for r in range(1, size + 1)
            for c in range(size)
        )

    def goal(self, player: Player) -> Sentence:
        """Return the two sides that the player joins."""
        return _GOALS[player]

    def _clause(self, position: Position) -> Sentence:
        """Return the two sides that were joined."""
        ending = position.ending
        if ending and ending.how == "chain" and ending.winner:
            return _JOINED[ending.winner]
        return NOTHING

    def _own_clause(self, position: Position) -> Sentence:
        """Return the same for the player who joined them."""
        joiner = self._joiner(position.stones, range(len(position.stones)))
        return _YOU_JOINED[joiner] if joiner else NOTHING


def _grid(size: int) -> Grid:
    """Return the rhombus, row by row; every row starts one column to the right of the last."""

    def spot(c: int, r: int) -> tuple[int, int]:
        return r, 6 + r + 2 * c

    cells = [(c, r) for r in range(1, size + 1) for c in range(size)]
    labels = []
    for c in range(size):
        labels.append((0, 6 + 2 * c, ascii_uppercase[c]))
        labels.append((size + 1, spot(c, size)[1] + 1, ascii_uppercase[c]))
    for r in range(1, size + 1):
        labels.append((r, 4 + r - len(str(r)), str(r)))
        labels.append((r, spot(size - 1, r)[1] + 3, str(r)))
    middle = size // 2
    return lattice(cells, spot, labels, f"{ascii_uppercase[middle]}{middle + 1}")
