"""The games counted a second time, slowly and in another way: cells by name, sets, union-find.

Nothing here comes from the package, so that the two can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations

ARMS = "*STAR"
Near = Mapping[str, frozenset[str]]


def groups(cells: Iterable[str], near: Near) -> list[set[str]]:
    """The connected parts of a set of cells."""
    root = {cell: cell for cell in cells}

    def find(cell: str) -> str:
        return cell if root[cell] == cell else find(root[cell])

    for cell in root:
        for other in near[cell]:
            if other in root:
                root[find(cell)] = find(other)
    parts: dict[str, set[str]] = {}
    for cell in root:
        parts.setdefault(find(cell), set()).add(cell)
    return list(parts.values())


# -- Star


@cache
def hexagon(size: int) -> tuple[Near, Mapping[str, frozenset[tuple[int, int]]]]:
    """Neighbours, and the external cells touched, of each cell."""
    cells = {
        (c, r): f"{chr(65 + c)}{r}"
        for c in range(2 * size - 2)
        for r in range(1, 2 * size - 1)
        if size <= c + r <= 3 * size - 3
    }
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a != b]
    around = {cell: {(cell[0] + a, cell[1] + b) for a, b in steps} for cell in cells}
    near = {cells[c]: frozenset(cells[d] for d in ds if d in cells) for c, ds in around.items()}
    outside = {cells[c]: frozenset(ds - cells.keys()) for c, ds in around.items()}
    return near, outside


def star(size: int, stones: Iterable[str]) -> list[int]:
    """The points of a player's chains at the edge, best first."""
    near, outside = hexagon(size)
    touched = [frozenset().union(*(outside[c] for c in part)) for part in groups(stones, near)]
    return sorted((len(cells) - 2 for cells in touched if cells), reverse=True)


# -- the pentagon


def name(sector: int, ring: int, offset: int) -> str:
    """The name of a cell; an offset as large as its ring is the next sector's first cell."""
    if offset == ring:
        sector, offset = sector + 1, 0
    return f"{ARMS[sector % 5]}{ring % 10}{offset}"


@cache
def pentagon(rings: int, star_is_cell: bool) -> Near:
    """Five triangles of cells side by side, and the star in their middle."""
    near: dict[str, set[str]] = {}

    def join(a: str, b: str) -> None:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)

    for sector in range(5):
        inside = {(i, j) for i in range(rings + 1) for j in range(rings + 1) if 0 < i + j <= rings}
        for i, j in inside:
            for i2, j2 in ((i + 1, j), (i, j + 1), (i + 1, j - 1)):
                if (i2, j2) in inside:
                    join(name(sector, i + j, j), name(sector, i2 + j2, j2))
    first = [name(sector, 1, 0) for sector in range(5)]
    if star_is_cell:
        for cell in first:
            join("@", cell)
    else:
        for a, b in combinations(first, 2):
            join(a, b)
    return {cell: frozenset(others) for cell, others in near.items()}


def rim(rings: int) -> list[str]:
    """The cells of the outermost ring, clockwise."""
    return [name(sector, rings, offset) for sector in range(5) for offset in range(rings)]


def starstar(
    rings: int, nobridge: bool, x: set[str], o: set[str]
) -> tuple[tuple[int, int], dict[str, dict[str, int]]]:
    """X's and O's score, and what each comes from."""
    near = pentagon(rings, nobridge)
    edge = rim(rings)
    stars = {
        player: [part for part in groups(stones, near) if len(part & set(edge)) >= 2]
        for player, stones in (("X", x), ("O", o))
    }
    in_star = {c: player for player, parts in stars.items() for part in parts for c in part}
    owner = dict(in_star)
    for region in groups(near.keys() - in_star.keys(), near):
        touching = {in_star[c] for cell in region for c in near[cell] if c in in_star}
        if len(touching) == 1:
            owner |= dict.fromkeys(region, *touching)
    detail = {}
    for player, rival in (("X", "O"), ("O", "X")):
        owned = [cell for cell in edge if owner.get(cell) == player]
        detail[player] = {
            "peries": len(owned),
            "quarks": sum(cell[2] == "0" for cell in owned),
            "stars": len(stars[player]),
            "award": 2 * (len(stars[rival]) - len(stars[player])),
        }
    x_score, o_score = (d["peries"] + d["award"] + (d["quarks"] >= 3) for d in detail.values())
    return (x_score, o_score), detail


def stary(rings: int, stones: set[str]) -> bool:
    """Whether these stones hold a Star Y."""
    edge = rim(rings)
    sides = [
        {*edge[i * rings : (i + 1) * rings + 1], edge[(i + 1) * rings % len(edge)]}
        for i in range(5)
    ]
    return any(
        all(part & sides[(i + step) % 5] for step in (0, 1, 3))
        for part in groups(stones, pentagon(rings, True))
        for i in range(5)
    )
