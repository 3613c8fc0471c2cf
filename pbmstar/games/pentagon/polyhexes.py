"""The 22 shapes of five joined hexagons, and the shape of a group on the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..grids import once
from .straights import OFF, STAR, lines

FIVE = 5
Axial = tuple[int, int]
Shape = tuple[Axial, ...]
# The six directions of a flat lattice in cyclic order; opposite ones are three apart.
_DIRECTIONS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def shapes() -> dict[Shape, int]:
    """Return the number of each shape, from 1, in the order of touching pairs of cells, then of cells."""
    return once(_shapes)


def _shapes() -> dict[Shape, int]:
    grown: set[Shape] = {((0, 0),)}
    for _ in range(FIVE - 1):
        grown = {
            canonical([*shape, (q + a, r + b)])
            for shape in grown
            for q, r in shape
            for a, b in _DIRECTIONS
            if (q + a, r + b) not in shape
        }
    ordered = sorted(grown, key=lambda shape: (_contacts(shape), shape))
    return {shape: number for number, shape in enumerate(ordered, 1)}


def canonical(cells: Iterable[Axial]) -> Shape:
    """Return the least of the twelve turned and mirrored images, moved as far up and left as it can be."""
    images = []
    image = list(cells)
    for _ in range(2):
        for _ in range(6):
            image = [(-r, q + r) for q, r in image]
            left, top = min(q for q, _ in image), min(r for _, r in image)
            images.append(tuple(sorted((q - left, r - top) for q, r in image)))
        image = [(r, q) for q, r in image]
    return min(images)


def _contacts(shape: Shape) -> int:
    return sum(
        (a[0] - b[0], a[1] - b[1]) in _DIRECTIONS for i, a in enumerate(shape) for b in shape[:i]
    )


@lru_cache(5000)  # for an enclosed stone the same chains come again with each cell of the rim
def number(rings: int, cells: tuple[int, ...]) -> int | None:
    """Return the number of the shape of five joined cells; None if they have no shape.

    A group with the star cannot be laid flat in only one way, because the star has five neighbours;
    nor can the closed ring round it.
    """
    if STAR in cells or cells == (1, 2, 3, 4, 5):
        return None
    slots = lines(rings).slots
    start = cells[0]
    flat: dict[int, Axial] = {start: (0, 0)}
    turned = {start: 0}  # for each cell the slot that lies in direction 0
    walk = [start]
    for cell in walk:
        for slot, near in enumerate(slots[cell]):
            if near == OFF or near not in cells or near in flat:
                continue
            direction = (slot - turned[cell]) % 6
            q, r = flat[cell]
            a, b = _DIRECTIONS[direction]
            flat[near] = q + a, r + b
            turned[near] = (slots[near].index(cell) - direction - 3) % 6
            walk.append(near)
    return shapes()[canonical(flat.values())]


def pictures(wanted: Sequence[int]) -> str:
    """Return the shapes with these numbers side by side as text, each under its number."""
    columns = []
    known = tuple(shapes())
    for number_ in wanted:
        shape = known[number_ - 1]
        rows = [[" "] * 8 for _ in range(1 + max(r for _, r in shape))]
        left = min(2 * q + r for q, r in shape)
        for q, r in shape:
            rows[r][2 * q + r - left] = "o"
        columns.append([str(number_), *("".join(row).rstrip() for row in rows)])
    deepest = max(map(len, columns))
    return "\n".join(
        "".join(column[i].ljust(12) if i < len(column) else " " * 12 for column in columns).rstrip()
        for i in range(deepest)
    )
