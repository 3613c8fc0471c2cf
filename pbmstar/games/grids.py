"""Grids: cells, their names, their neighbours, and the drawing of a board in text.

The lattice has cells in rows and slanting columns, as in Star, Hex and Y: names, neighbours, places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import ascii_uppercase
from typing import TypeVar, cast

from ..errors import InvalidMove, say, together
from .spelling import shown

EMPTY, X_STONE, O_STONE = b".xo"
NO_CELL = say("There's no cell {name} on this board.")
_TAKEN = 0
_EAST, _SOUTH = (
    (1.0, 0.0),
    (0.5, math.sqrt(3) / 2),
)  # from a cell to the next column, to the next row
Built = TypeVar("Built")
Cell = tuple[int, int]  # column from 0, row from 1


@dataclass(frozen=True, eq=False)
class Grid:
    """A surface of cells 0..len(names)-1; immutable, built once for each size.

    names       canonical coordinate of each cell, upper case
    neighbours  for each cell the cells that it touches
    canvas      the empty board as ASCII text, lines ended by newlines, no trailing blanks
    spots       for each cell its place in ``canvas``
    places      for each cell its place in a picture: x to the right, y down; neighbours are about 1
                apart
    steps       if the places are a lattice: the steps round its middle in turn; each place is so many
                times one of them and so many times the next
    index       the cell of each name
    empty       the stones of an empty board
    """

    names: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    canvas: bytes
    spots: tuple[int, ...]
    places: tuple[tuple[float, float], ...]
    example: str
    steps: tuple[tuple[float, float], ...] = ()
    index: dict[str, int] = field(init=False)
    empty: bytes = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", {name: cell for cell, name in enumerate(self.names)})
        object.__setattr__(self, "empty", bytes([EMPTY]) * len(self.names))

    def __len__(self) -> int:
        return len(self.names)

    def cell(self, name: str) -> int:
        """Return the cell called ``name`` in any case. Raises InvalidMove."""
        try:
            return self.index[name.upper() if name.isascii() else name]
        except KeyError:
            raise InvalidMove(
                together(
                    NO_CELL.given(name=shown(name)),
                    say("Write a cell like {example}.", example=self.example),
                ),
                "no-cell",
            ) from None

    def chains(
        self, stones: bytes, stone: int, among: Iterable[int] | None = None
    ) -> list[list[int]]:
        """Return the maximal connected sets of cells with ``stone``, in the order of their first cells.

        With ``among``, only those that hold one of these cells.
        """
        left = bytearray(stones)
        neighbours = self.neighbours
        chains = []
        for start in range(len(left)) if among is None else among:
            if left[start] != stone:
                continue
            left[start] = _TAKEN
            chain = [start]
            for cell in chain:  # the chain grows while it is walked
                for near in neighbours[cell]:
                    if left[near] == stone:
                        left[near] = _TAKEN
                        chain.append(near)
            chains.append(chain)
        return chains

    def draw(self, stones: bytes) -> str:
        """Return the board as text: ``x`` and ``o`` on the empty board's canvas; ends with a newline."""
        text = bytearray(self.canvas)
        for spot, stone in zip(self.spots, stones, strict=True):
            if stone != EMPTY:
                text[spot] = stone
        return text.decode("ascii")


def canvas(marks: Iterable[tuple[int, int, str]]) -> bytes:
    """Return text with each mark (line, column, word) at its place; lines from 0 to the last used."""
    rows: dict[int, list[str]] = {}
    for line, column, word in marks:
        row = rows.setdefault(line, [])
        row.extend(" " * (column + len(word) - len(row)))
        row[column : column + len(word)] = word
    return "".join(
        "".join(rows.get(line, ())).rstrip() + "\n" for line in range(max(rows) + 1)
    ).encode("ascii")


def spots(picture: bytes, places: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return for each place (line, column) its index in the bytes of ``picture``."""
    starts = [0]
    for line in picture.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return tuple(starts[line] + column for line, column in places)


def touching(count: int, pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return for each of ``count`` cells those that it touches, in order, from the pairs that touch."""
    near: list[set[int]] = [set() for _ in range(count)]
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    return tuple(tuple(sorted(cells)) for cells in near)


def ringed(arms: int, rings: range, first: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of cells that touch on rings round a middle; ``first``: the first cell on them.

    On ring n each arm is n cells from the next. A cell touches the next one on its ring, and of the ring
    outside those beside its way outward: two, or three on an arm.
    """
    for n in rings:
        outer = first + arms * n
        for k in range(arms * n):
            yield first + k, first + (k + 1) % (arms * n)
            arm, offset = divmod(k, n)
            for step in ((0, 1) if offset else (-1, 0, 1)) if n + 1 in rings else ():
                yield first + k, outer + (arm * (n + 1) + offset + step) % (arms * (n + 1))
        first = outer


def once(build: Callable[..., Built], *sizes: int) -> Built:
    """Return the board that a function builds from these sizes; it is built once, and shared."""
    return cast(Built, _board(build, *sizes))


@cache
def _board(build: Callable[..., object], *sizes: int) -> object:
    return build(*sizes)


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
        tuple((c * _EAST[0] + r * _SOUTH[0], r * _SOUTH[1]) for c, r in cells),
        example,
        (_EAST, _SOUTH),
    )


def column_feet(
    cells: Iterable[Cell], spot: Callable[[int, int], tuple[int, int]], below: int
) -> Iterable[tuple[int, int, str]]:
    """Return the labels of columns: a backslash, ``below`` lines under a column, and a letter under it."""
    lowest = {c: spot(c, r) for c, r in cells}
    for c, (line, column) in lowest.items():
        yield line + below, column + below, "\\"
        yield line + below + 1, column + below + 1, ascii_uppercase[c]
