"""The five-sided board of the *Star family: lattice, names, drawing, spellings of a cell."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache

from ...errors import InvalidMove
from ..base import Game, Option
from ..boards import Grid, canvas, spots
from ..text import plain, shown

ARMS = "*STAR"
SIDES = tuple(f"{ARMS[i]}-{ARMS[(i + 1) % 5]}" for i in range(5))
BRIDGE = "@"
_STEPS = ((2, 1), (-2, 1), (-3, -1), (0, -2), (3, -1))  # columns and lines along each arm
_TURNS = tuple(math.radians(54 + 72 * arm) for arm in range(5))  # of each arm, from the right
RINGS = Option("rings", "rings of the board", (3, 10), 10)


class PentagonGame(Game):
    """A game on the five-sided board; ``playable``: the star in the middle is a cell.

    bridge  what it is where it is none
    """

    bridge = "it is a bridge, over which both players connect"

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.rings = self.ring_count()
        self.playable = self.has_playable_star()
        self.grid = pentagon(self.rings, self.playable)
        self.perimeter = len(self.grid) - 5 * self.rings  # the first cell of the outermost ring
        self.edges = _edges(self.rings, self.perimeter)

    def ring_count(self) -> int:
        """How many rings the board has."""
        return self.value("rings")

    def has_playable_star(self) -> bool:
        """Whether a stone can stand on the star in the middle."""
        return True

    def cell(self, text: str) -> int:
        """The cell that a player's word names, in whatever way mail programs treat its asterisk.

        ``*30``, ``*30*``, ``**30**``, ``_*30_`` and ``Z30`` are one cell. Raises InvalidMove.
        """
        word = plain(text).replace("\\", "")
        bare = word.strip("*_")
        name = bare.upper() if bare.isascii() else bare
        if name in (BRIDGE, "STAR"):
            if self.playable:
                return self.grid.index[BRIDGE]
            raise InvalidMove(
                f"Nobody can play on the star in the middle of this board: {self.bridge}.",
                "bridge",
            )
        if re.fullmatch(r"[0-9][0-9]", name):
            if "*" not in word[: word.index(bare)]:
                raise InvalidMove(
                    f"{name} has lost its first character, perhaps an asterisk on the way: "
                    f"for *{name} write Z{name}.",
                    "lost-asterisk",
                )
            name = "*" + name
        elif name.startswith("Z"):
            name = "*" + name[1:]
        if name in self.grid.index:
            return self.grid.index[name]
        if re.fullmatch(r"[*STAR][0-9][0-9]", name):
            ring = int(name[1]) or 10
            if ring > self.rings:
                raise InvalidMove(
                    f"There is no cell {name} on this board: it would be on ring {ring}, "
                    f"and the outermost ring is {self.rings}.",
                    "no-cell",
                )
            raise InvalidMove(
                f"There is no cell {name}: on ring {ring} the last digit is 0 to {ring - 1}.",
                "no-cell",
            )
        raise InvalidMove(
            f"There is no cell {shown(bare or word)} on this board; a cell is an arm's letter, a "
            f"ring and a count, like {self.grid.example} or *{self.grid.example[1:]}.",
            "no-cell",
        )


@cache
def pentagon(rings: int, playable: bool) -> Grid:
    """The pentagon of so many rings, ring by ring from the middle, each ring clockwise from ``*``.

    The five innermost cells touch each other over the bridge; or, if the star is ``playable``, they
    touch it: then it is the first cell.
    """
    first = [0] * (rings + 2)  # of each ring, its first cell
    first[1] = int(playable)
    for n in range(1, rings + 1):
        first[n + 1] = first[n] + 5 * n
    touching: list[set[int]] = [set() for _ in range(first[rings + 1])]

    def join(a: int, b: int) -> None:
        touching[a].add(b)
        touching[b].add(a)

    names: list[str] = []
    drawn: list[tuple[int, int]] = []
    places: list[tuple[float, float]] = []
    marks = [
        (line * (rings + 1), column * (rings + 1), arm)
        for arm, (column, line) in zip(ARMS, _STEPS, strict=True)
    ]
    if playable:
        names.append(BRIDGE)
        drawn.append((0, 0))
        places.append((0.0, 0.0))
        marks.append((0, 0, "."))
    else:
        marks.append((0, 0, "*"))
    for n in range(1, rings + 1):
        for k in range(5 * n):
            s, y = divmod(k, n)
            cell = first[n] + k
            names.append(f"{ARMS[s]}{n % 10}{y}")
            join(cell, first[n] + (k + 1) % (5 * n))
            if n < rings:
                outward = s * (n + 1) + y
                join(cell, first[n + 1] + outward)
                join(cell, first[n + 1] + outward + 1)
                if y == 0:
                    join(cell, first[n + 1] + (outward - 1) % (5 * n + 5))
            if n == 1:
                for near in (0,) if playable else range(cell):
                    join(cell, near)
            here, there = _STEPS[s], _STEPS[(s + 1) % 5]
            drawn.append(((n - y) * here[1] + y * there[1], (n - y) * here[0] + y * there[0]))
            marks.append((*drawn[-1], "." if y else str(n % 10)))
            left, right = _TURNS[s], _TURNS[(s + 1) % 5]
            places.append(
                (
                    (n - y) * math.cos(left) + y * math.cos(right),
                    (n - y) * math.sin(left) + y * math.sin(right),
                )
            )

    top = min(line for line, _, _ in marks)
    first_column = min(column for _, column, _ in marks)
    picture = canvas((line - top, column - first_column, word) for line, column, word in marks)
    spotted = spots(picture, ((line - top, column - first_column) for line, column in drawn))
    neighbours = tuple(tuple(sorted(near)) for near in touching)
    return Grid(tuple(names), neighbours, picture, spotted, tuple(places), f"S{min(rings, 4)}2")


@cache
def _edges(rings: int, perimeter: int) -> tuple[int, ...]:
    """For each cell the sides it lies on, as bits; side i runs from corner i to corner i+1."""
    sides = [0] * perimeter
    for k in range(5 * rings):
        side, offset = divmod(k, rings)
        sides.append(1 << side | (0 if offset else 1 << (side - 1) % 5))
    return tuple(sides)
