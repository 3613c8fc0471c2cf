"""Rows, shapes and enclosures a second time: the board laid flat, four sectors at once.

Nothing here comes from the package. Five sectors of 60 degrees round the star are too few for the
plane, so any four that follow each other lie flat; no row crosses more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from games.naive import ARMS, groups, name, pentagon

RINGS = 10
_E = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@cache
def flat(first: int, rings: int = RINGS) -> Mapping[tuple[int, int], str]:
    """The names of the cells of four sectors, by their places in a flat lattice; the star is 0, 0."""
    places = {(0, 0): "@"}
    for sector in range(4):
        (a, b), (c, d) = _E[sector], _E[sector + 1]
        for ring in range(1, rings + 1):
            for y in range(ring + 1):
                place = (ring - y) * a + y * c, (ring - y) * b + y * d
                places[place] = name((first + sector) % 5, ring, y)
    return places


@cache
def ways() -> Mapping[str, frozenset[tuple[str, ...]]]:
    """For each cell the cells after it in every direction, to the edge of the board."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for first in range(5):
        places = flat(first)
        for (q, r), cell in places.items():
            for a, b in _E:
                way, k = [], 1
                while (q + k * a, r + k * b) in places:
                    way.append(places[q + k * a, r + k * b])
                    k += 1
                found.setdefault(cell, set()).add(tuple(way))
    return {cell: frozenset(rows) for cell, rows in found.items()}


def reach(cell: str, taken: set[str]) -> set[str]:
    """Where a stone can move."""
    found = set()
    for way in ways()[cell]:
        for to in way:
            if to in taken:
                break
            found.add(to)
    return found


def longest_row(stones: set[str]) -> int:
    """How many of these stones stand next to each other in a row."""
    best = 0
    for cell in stones:
        for way in ways()[cell]:
            run = 1
            for to in way:
                if to not in stones:
                    break
                run += 1
            best = max(best, run)
    return best


def jumps(stones: set[str]) -> set[tuple[str, str]]:
    """The jumps that are possible, from and to."""
    return {
        (cell, way[1])
        for cell in stones
        for way in ways()[cell]
        if len(way) > 1 and way[0] in stones and way[1] not in stones
    }


def guarded(queens: set[str]) -> set[str]:
    """The cells that queens hold or see."""
    return queens | {cell for queen in queens for way in ways()[queen] for cell in way}


# -- Penta-Hex


def shape(group: set[str], rings: int = RINGS) -> tuple[tuple[int, int], ...] | None:
    """The canonical cells of a group: cut along a spoke that it is not joined across."""
    if "@" in group:
        return None
    near = pentagon(rings, True)
    for cut in range(5):
        before = {c for c in group if c[0] == ARMS[cut - 1]}
        after = {c for c in group if c[0] == ARMS[cut] and c[2] == "0"}
        if any(near[a] & after for a in before):
            continue
        cells = []
        for cell in group:
            j = (ARMS.index(cell[0]) - cut) % 5
            n, y = int(cell[1]) or 10, int(cell[2])
            (a, b), (c, d) = _E[j], _E[(j + 1) % 6]
            cells.append(((n - y) * a + y * c, (n - y) * b + y * d))
        return min(images(cells))
    return None


def images(cells: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """The twelve images of a shape, each shifted to 0, 0."""
    for swap in (False, True):
        image = [(b, a) if swap else (a, b) for a, b in cells]
        for _ in range(6):
            image = [(-b, a + b) for a, b in image]
            low, top = min(a for a, _ in image), min(b for _, b in image)
            yield tuple(sorted((a - low, b - top) for a, b in image))


def hexes(stones: set[str]) -> list[tuple[set[str], tuple[tuple[int, int], ...]]]:
    """The pentahexes of one colour with their shapes."""
    parts = [part for part in groups(stones, pentagon(RINGS, True)) if len(part) == 5]
    return [(part, found) for part in parts if (found := shape(part))]


def enclosed(mine: set[str], theirs: set[str], to: str) -> set[str]:
    """The enemy stones that the stone moved to ``to`` encloses: three apart round a cell."""
    near = pentagon(RINGS, True)
    safe = {cell for part, _ in hexes(theirs) for cell in part}
    return {
        cell
        for cell in near[to] & theirs - safe
        if len(near[cell]) == 6
        and any(
            b not in near[to] and c not in near[to] and c not in near[b] and b != c
            for b in near[cell] & mine - {to}
            for c in near[cell] & mine - {to}
        )
    }


def stands(x: set[str], o: set[str], separate: bool) -> bool:
    """Whether a board may stand after a move."""
    both = [hexes(x), hexes(o)]
    standing = [found for part in both for _, found in part]
    if len(set(standing)) < len(standing):
        return False
    near = pentagon(RINGS, True)
    return not separate or not any(
        near[cell] & rival for part, _ in both[0] for cell in part for rival, _ in both[1]
    )
