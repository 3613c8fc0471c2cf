"""Y: a chain that touches all three sides of a triangle, flat or bent."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from typing import ClassVar

from ...errors import BadOption
from ..base import PLAYERS, How, Option
from ..chains import ChainGame
from ..grids import Grid, once
from .bent import SIDES, bent
from .lattice import column_feet, lattice


class Y(ChainGame):
    """A player who joins the three sides with a chain wins; a corner cell belongs to two sides."""

    word = "y"
    title = "Y"
    aim = "joins all three sides"
    brief = (
        "Players take turns to put a stone on an empty cell; stones never move. You win as soon as "
        "one chain of your stones touches all three sides of the board. A corner belongs to both "
        "its sides, and one of the players always gets such a chain."
    )
    options = (
        Option("size", "cells along each side", (3, 26), 17),
        Option("bent", "the board of 93 points with bent rows, of one size"),
    )
    sides: tuple[str, ...] = ("left", "right", "bottom")
    aims = dict.fromkeys(PLAYERS, ((0, 1, 2),))
    joins = "a Y"
    verdicts: ClassVar[Mapping[How, str]] = {"chain": "{winner} joined all three sides"}

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        if not self.value("bent"):
            self.grid, self.edges = once(_triangle, self.value("size"))
            return
        if "size" in self.values:
            raise BadOption("The bent board has one size: -bent goes without -size.", "bent-size")
        self.grid, self.edges = once(bent)
        self.sides = SIDES


def _triangle(size: int) -> tuple[Grid, tuple[int, ...]]:
    """Return the flat triangle, row by row from the top, and for each cell the sides it lies on."""

    def spot(c: int, r: int) -> tuple[int, int]:
        return r - 1, 4 - size + r + 2 * c

    cells = [(c, r) for r in range(1, size + 1) for c in range(size - r, size)]
    labels = list(column_feet(cells, spot, 1))
    for r in range(1, size + 1):
        labels.append((r - 1, size + 2 - r - len(str(r)), f"{r}-"))
    edges = tuple((c + r == size) | (c == size - 1) << 1 | (r == size) << 2 for c, r in cells)
    middle = 2 * size // 3
    return lattice(cells, spot, labels, f"{ascii_uppercase[size - middle // 2 - 1]}{middle}"), edges
