"""The five-sided board of the *Star family: lattice, names, drawing, spellings of a cell."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from ...errors import InvalidMove, say, together
from ..base import Game, Option
from ..grids import NO_CELL, Grid, canvas, once, ringed, spots, touching
from ..spelling import plain, shown

ARMS = "*STAR"
SIDES = tuple(f"{ARMS[i]}-{ARMS[(i + 1) % 5]}" for i in range(5))
BRIDGE = "@"
_STEPS = ((2, 1), (-2, 1), (-3, -1), (0, -2), (3, -1))  # columns and lines along each arm
_CORNERS = tuple(  # x and y along each arm
    (math.cos(turn), math.sin(turn)) for turn in (math.radians(54 + 72 * arm) for arm in range(5))
)
_Number = TypeVar("_Number", int, float)
RINGS = Option("rings", "number of rings on the board", (3, 10), 10, other="size")


class PentagonGame(Game):
    """A game on the five-sided board; ``playable``: the star in the middle is a cell.

    bridge  the refusal of a move on the star, for games in which it is not a cell
    """

    bridge = say(
        "You can't play on the star in the middle of this board: it's a bridge that connects "
        "stones for both players."
    )

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        has_option = any(option.name == RINGS.name for option in self.options)
        self.rings = self.value(RINGS.name) if has_option else RINGS.default
        self.playable = self.has_playable_star()
        self.grid, self.edges = once(pentagon, self.rings, self.playable)
        self.perimeter = len(self.grid) - 5 * self.rings  # the first cell of the outermost ring

    def has_playable_star(self) -> bool:
        """Tell if a stone can stand on the star in the middle."""
        return True

    def cell(self, text: str) -> int:
        """Return the cell that a player's word names, even if a mail program has changed its asterisk.

        ``*30``, ``*30*``, ``**30**``, ``_*30_`` and ``Z30`` are one cell. Raises InvalidMove.
        """
        word = plain(text).replace("\\", "")
        bare = word.strip("*_")
        name = bare.upper() if bare.isascii() else bare
        if name in (BRIDGE, "STAR"):
            if self.playable:
                return self.grid.index[BRIDGE]
            raise InvalidMove(
                self.bridge,
                "bridge",
            )
        if re.fullmatch(r"[0-9][0-9]", name):
            if "*" not in word[: word.index(bare)]:
                raise InvalidMove(
                    say(
                        "The cell arrived as {name}, without its first character. If you meant "
                        "*{name}, write Z{name} instead.",
                        name=name,
                    ),
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
                    say(
                        "There's no cell {name} on this board: it would be on ring {ring}, but "
                        "the outermost ring is {rings}.",
                        name=name,
                        ring=ring,
                        rings=self.rings,
                    ),
                    "no-cell",
                )
            digits = say("There's no cell {name}: on ring 1, the last digit is always 0.")
            if ring > 1:
                digits = say(
                    "There's no cell {name}: on ring {ring}, the last digit goes from 0 to {last}."
                )
            raise InvalidMove(digits.given(name=name, ring=ring, last=ring - 1), "no-cell")
        raise InvalidMove(
            together(
                NO_CELL.given(name=shown(bare or word)),
                say(
                    "Write a cell like {example} or {star}: first its arm, then its ring, then its "
                    "place on the ring.",
                    example=self.grid.example,
                    star=f"*{self.grid.example[1:]}",
                ),
            ),
            "no-cell",
        )


def pentagon(rings: int, playable: bool) -> tuple[Grid, tuple[int, ...]]:
    """Return the pentagon with ``rings`` rings, and for each cell the sides that it lies on, as bits.

    The cells go ring by ring from the middle, each ring clockwise from ``*``; side i runs from corner i
    to corner i+1. If the star is ``playable``, it is the first cell, and the five innermost cells touch
    it; if not, they touch each other over the bridge.
    """
    points = [(n, k) for n in range(1, rings + 1) for k in range(5 * n)]
    names = [f"{ARMS[k // n]}{n % 10}{k % n}" for n, k in points]
    drawn = [_between(_STEPS, n, k) for n, k in points]
    places = [_between(_CORNERS, n, k) for n, k in points]
    marks = [
        (*spot, "." if k % n else str(n % 10)) for (n, k), spot in zip(points, drawn, strict=True)
    ]
    marks += [
        (column * (rings + 1), line * (rings + 1), arm)
        for arm, (column, line) in zip(ARMS, _STEPS, strict=True)
    ]
    marks.append((0, 0, "." if playable else "*"))
    if playable:
        names, drawn, places = [BRIDGE, *names], [(0, 0), *drawn], [(0.0, 0.0), *places]
    left = min(column for column, _, _ in marks)
    top = min(line for _, line, _ in marks)
    picture = canvas((line - top, column - left, word) for column, line, word in marks)
    spotted = spots(picture, ((line - top, column - left) for column, line in drawn))
    pairs = list(ringed(5, range(1, rings + 1), int(playable)))
    pairs += [(0, cell) for cell in range(1, 6)] if playable else combinations(range(5), 2)
    sides = tuple(
        1 << k // rings | (0 if k % rings else 1 << (k // rings - 1) % 5) for k in range(5 * rings)
    )
    near = touching(len(names), pairs)
    grid = Grid(tuple(names), near, picture, spotted, tuple(places), f"S{min(rings, 4)}2", _CORNERS)
    return grid, (0,) * (len(names) - len(sides)) + sides


def _between(corners: Sequence[tuple[_Number, _Number]], n: int, k: int) -> tuple[_Number, _Number]:
    """Return the place of the k-th cell of ring n, if these are the corners of ring 1."""
    s, y = divmod(k, n)
    (ax, ay), (bx, by) = corners[s], corners[(s + 1) % 5]
    return (n - y) * ax + y * bx, (n - y) * ay + y * by
