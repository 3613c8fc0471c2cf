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
        while (above := root[cell]) != cell:
            root[cell] = root[above]
            cell = above
        return cell

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


def polyy(rings: int, stones: set[str]) -> set[str]:
    """The arms of the corners that these stones own."""
    edge = rim(rings)
    sides = [set((edge + edge)[i * rings : (i + 1) * rings + 1]) for i in range(5)]
    owned = set()
    for part in groups(stones, pentagon(rings, True)):
        touched = {i for i in range(5) if part & sides[i]}
        owned |= {ARMS[i] for i in touched if (i - 1) % 5 in touched and touched - {i, (i - 1) % 5}}
    return owned


# -- Hex and Y


@cache
def slanting(cells: frozenset[tuple[int, int]]) -> Near:
    """Cells of a hexagonal lattice, the columns slanting to the right; by name."""
    places = {cell: complex(cell[0] + cell[1] / 2, cell[1] * 0.75**0.5) for cell in cells}
    names = {cell: f"{chr(65 + cell[0])}{cell[1]}" for cell in cells}
    return {
        names[a]: frozenset(names[b] for b in cells if 0.9 < abs(places[a] - places[b]) < 1.1)
        for a in cells
    }


def hex_ends(size: int, stones: set[str]) -> tuple[bool, bool]:
    """Whether these stones join top and bottom, and whether left and right."""
    last = chr(64 + size)
    near = slanting(frozenset((c, r) for c in range(size) for r in range(1, size + 1)))
    parts = groups(stones, near)
    return (
        any({"1", str(size)} <= {name[1:] for name in part} for part in parts),
        any({"A", last} <= {name[0] for name in part} for part in parts),
    )


def y(size: int, stones: set[str]) -> bool:
    """Whether these stones join all three sides of the triangle."""
    cells = {(c, r) for r in range(1, size + 1) for c in range(size) if c + r >= size}
    for part in groups(stones, slanting(frozenset(cells))):
        places = {(ord(name[0]) - 65, int(name[1:])) for name in part}
        left, right = (any(c + r == size for c, r in places), any(c == size - 1 for c, r in places))
        if left and right and any(r == size for c, r in places):
            return True
    return False


@cache
def bent() -> tuple[Near, tuple[frozenset[str], ...]]:
    """The board of 93 points and its sides: three sectors outside, a flat triangle inside."""
    near: dict[str, set[str]] = {}

    def called(arm: int, ring: int, offset: int) -> str:
        if offset == ring:
            arm, offset = arm + 1, 0
        return f"{'TRL'[arm % 3]}{ring}{offset}"

    def join(a: str, b: str) -> None:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)

    for arm in range(3):
        sector = {(i, j) for i in range(9) for j in range(9) if 4 <= i + j <= 8}
        for i, j in sector:
            for i2, j2 in ((i + 1, j), (i, j + 1), (i + 1, j - 1)):
                if (i2, j2) in sector:
                    join(called(arm, i + j, j), called(arm, i2 + j2, j2))
    turn = complex(-0.5, 0.75**0.5)
    corners = [turn**arm for arm in range(4)]
    flat = {called(arm, 1, 0): corners[arm] for arm in range(3)}
    for arm in range(3):
        for j in range(4):
            flat[called(arm, 4, j)] = (4 - j) * corners[arm] + j * corners[arm + 1]
    for a, b in combinations(flat, 2):
        if abs(flat[a] - flat[b]) < 1.8:
            join(a, b)
    sides = tuple(frozenset(called(arm, 8, k) for k in range(9)) for arm in range(3))
    return {cell: frozenset(others) for cell, others in near.items()}, sides


def bent_y(stones: set[str]) -> bool:
    """Whether these stones join all three sides of the bent board."""
    near, sides = bent()
    return any(all(part & side for side in sides) for part in groups(stones, near))
