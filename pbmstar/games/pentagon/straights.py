"""Rows of the five-sided board whose star is a cell: the cells straight on, and those between.

A cell has six slots, in cyclic order; a row goes on through the slot opposite. At the star it forks:
from one arm to the two arms opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..grids import once

Ray = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]  # a row and the arms after the star
OFF = -1  # in a slot: the board ends there
STAR = 0  # the star's cell


@dataclass(frozen=True, eq=False)
class Lines:
    """The rows of one size of board.

    slots    for each cell the cells in its six slots, OFF for no cell; the star has no slots
    rays     for each cell its rows outward: the cells in order, and if the row comes to the star, the
             two arms along which it goes on
    between  for every two cells in a row the cells between them; they are in one row only
    lines    all rows of full length, from their first cell on the board; through the star several
    through  for each cell the lines that it is on
    rim      the cells of the outermost ring
    sees     for each cell those in a row with it, in board order
    jumps    for each cell the jumps from it in board order: the cell in between, the cell beyond
    """

    slots: tuple[tuple[int, ...], ...]
    rays: tuple[tuple[Ray, ...], ...]
    between: dict[tuple[int, int], tuple[int, ...]]
    lines: tuple[tuple[int, ...], ...]
    through: tuple[tuple[tuple[int, ...], ...], ...]
    rim: tuple[int, ...]
    sees: tuple[tuple[int, ...], ...]
    jumps: tuple[tuple[tuple[int, int], ...], ...]


def lines(rings: int) -> Lines:
    """Return the rows of the board with ``rings`` rings."""
    return once(_lines, rings)


def _lines(rings: int) -> Lines:
    slots = _slots(rings)
    arms = tuple(_straight(slots, STAR, 1 + s) for s in range(5))

    def forks(cell: int) -> tuple[tuple[int, ...], ...]:
        """Return the two arms along which a row goes on after it comes to the star on the arm of ``cell``."""
        arm = next(s for s in range(5) if cell in arms[s])
        return arms[(arm + 2) % 5], arms[(arm + 3) % 5]

    rays: list[tuple[Ray, ...]] = [tuple((arm, ()) for arm in arms)]
    for cell in range(1, len(slots)):
        rows = filter(None, (_straight(slots, cell, near) for near in slots[cell]))
        rays.append(tuple((row, forks(cell) if row[-1] == STAR else ()) for row in rows))

    between: dict[tuple[int, int], tuple[int, ...]] = {}
    full: set[tuple[int, ...]] = set()
    for cell, starting in enumerate(rays):
        for row, branches in starting:
            begins = cell != STAR and slots[cell][(slots[cell].index(row[0]) + 3) % 6] == OFF
            for way in [(*row, *branch) for branch in branches] or [row]:
                for i, to in enumerate(way):
                    between[cell, to] = way[:i]
                if begins:
                    full.add(min((cell, *way), (*way[::-1], cell)))
    ordered = tuple(sorted(full))
    sees: list[list[int]] = [[] for _ in slots]
    jumps: list[list[tuple[int, int]]] = [[] for _ in slots]
    for (here, there), over in sorted(between.items()):
        sees[here].append(there)
        if len(over) == 1:
            jumps[here].append((over[0], there))
    return Lines(
        slots=slots,
        rays=tuple(rays),
        between=between,
        lines=ordered,
        through=tuple(
            tuple(line for line in ordered if cell in line) for cell in range(len(slots))
        ),
        rim=tuple(range(len(slots) - 5 * rings, len(slots))),
        sees=tuple(map(tuple, sees)),
        jumps=tuple(map(tuple, jumps)),
    )


def _slots(rings: int) -> tuple[tuple[int, ...], ...]:
    first = [1 + 5 * n * (n - 1) // 2 for n in range(rings + 1)]  # of each ring, its first cell

    def at(ring: int, k: int) -> int:
        if ring > rings:
            return OFF
        return first[ring] + k % (5 * ring) if ring else STAR

    slots: list[tuple[int, ...]] = [()]
    for n in range(1, rings + 1):
        for k in range(5 * n):
            s, y = divmod(k, n)
            out, back = s * (n + 1) + y, s * (n - 1) + y
            if y:
                inward = (at(n - 1, back), at(n - 1, back - 1), at(n, k - 1))
            else:
                inward = (at(n - 1, back), at(n, k - 1), at(n + 1, out - 1))
            slots.append((at(n + 1, out), at(n + 1, out + 1), at(n, k + 1), *inward))
    return tuple(slots)


def _straight(slots: Sequence[tuple[int, ...]], here: int, there: int) -> tuple[int, ...]:
    """Return the cells after ``here`` on the row to its neighbour ``there``, to the star or the edge."""
    row = []
    while there != OFF:
        row.append(there)
        if there == STAR:
            break
        here, there = there, slots[there][(slots[there].index(here) + 3) % 6]
    return tuple(row)
