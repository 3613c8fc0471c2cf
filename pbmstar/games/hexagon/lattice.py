"""Cells in rows and slanting columns, as in Star, Hex and Y: names, neighbours, places."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from string import ascii_uppercase

from ..grids import Grid, canvas, spots

Cell = tuple[int, int]  # column from 0, row from 1


def around(cell: Cell) -> tuple[Cell, ...]:
    """Return the six places next to a cell, on the board or not."""
    c, r = cell
    return (c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1), (c + 1, r - 1), (c - 1, r + 1)


def lattice(
    cells: Sequence[Cell],
    spot: Callable[[int, int], tuple[int, int]],
    labels: Iterable[tuple[int, int, str]],
    example: str,
) -> Grid:
    """Return the grid of these cells.

    spot    returns the line and column in the drawing of the cell of a column and row
    labels  the other parts of the drawing: line, column, word
    """
    index = {cell: i for i, cell in enumerate(cells)}
    drawn = [spot(*cell) for cell in cells]
    picture = canvas([*labels, *((line, column, ".") for line, column in drawn)])
    return Grid(
        tuple(f"{ascii_uppercase[c]}{r}" for c, r in cells),
        tuple(tuple(index[near] for near in around(cell) if near in index) for cell in cells),
        picture,
        spots(picture, drawn),
        tuple((c + r / 2, r * math.sqrt(3) / 2) for c, r in cells),
        example,
    )


def column_feet(
    cells: Iterable[Cell], spot: Callable[[int, int], tuple[int, int]], below: int
) -> Iterable[tuple[int, int, str]]:
    """Return the labels of columns: a backslash, ``below`` lines under a column, and a letter under it."""
    lowest = {c: spot(c, r) for c, r in cells}
    for c, (line, column) in lowest.items():
        yield line + below, column + below, "\\"
        yield line + below + 1, column + below + 1, ascii_uppercase[c]
