"""Y: a chain that touches all three sides of a triangle, flat or bent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from string import ascii_uppercase
from typing import ClassVar

from ...errors import BadOption, Sentence, say, say_many
from ..base import PLAYERS, How, Option
from ..chains import ChainGame
from ..grids import Grid, canvas, column_feet, lattice, once, ringed, spots, touching


class Y(ChainGame):
    """A player who joins the three sides with a chain wins; a corner cell belongs to two sides."""

    word = "y"
    title = "Y"
    aim = say("connects all three sides")
    brief = say(
        "Players take turns putting a stone on an empty cell. Stones never move. You win as soon "
        "as one chain of your stones touches all three sides of the board. A corner cell counts "
        "for both of its sides. There are no ties: in the end, one player always has a chain like"
        " that."
    )
    options = (
        Option("size", "cells along each side", (3, 26), 17),
        Option("bent", "the bent board with 93 cells (it only comes in one size)"),
    )
    sides: tuple[Sentence | str, ...] = (say("left"), say("right"), say("bottom"))
    aims = dict.fromkeys(PLAYERS, ((0, 1, 2),))
    joined = say_many(
        "{sides}: {count} stone, connected in a Y", "{sides}: {count} stones, connected in a Y", 0
    )
    verdicts: ClassVar[Mapping[How, Sentence]] = {
        "chain": say("{winner} connected all three sides")
    }
    own_verdicts: ClassVar[Mapping[How, Sentence]] = {"chain": say("you connected all three sides")}

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        if not self.value("bent"):
            self.grid, self.edges = once(_triangle, self.value("size"))
            return
        if "size" in self.values:
            raise BadOption(
                say("The bent board has only one size, so leave out -size."), "bent-size"
            )
        self.scale = ""
        self.grid, self.edges = once(_bent)
        self.sides = _BENT_SIDES


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


_ARMS = "TRL"
# -- the bent board: rings round a flat triangle, so that the middle is worth less

_BENT_SIDES = tuple(f"{_ARMS[i]}-{_ARMS[(i + 1) % 3]}" for i in range(3))
_STEPS = ((0, -2), (3, 1), (-3, 1))  # columns and lines along each arm
_TURNS = tuple(math.radians(120 * arm - 90) for arm in range(3))  # of the arms, from the right
_FLAT, _RIM = 4, 8  # the ring that is the border of the flat triangle, and the outermost one
_RADIUS = 5.0  # the radius of the outermost ring, in distances between neighbours
_Point = tuple[int, int, int]  # arm, ring, offset clockwise


def _bent() -> tuple[Grid, tuple[int, ...]]:
    """Return the grid of 93 points, and for each the sides it lies on, as bits.

    The three points of the innermost ring come first, then the rings outwards, each clockwise from
    the arm T. Ring 4 is the border of a flat triangle with those three inside it; the rings outside
    have three points more each than the one before, and touch it as rings of *Star do.
    """
    points: list[_Point] = [(arm, 1, 0) for arm in range(3)]
    for ring in range(_FLAT, _RIM + 1):
        points += [(k // ring, ring, k % ring) for k in range(3 * ring)]
    pairs = list(ringed(3, range(_FLAT, _RIM + 1), 3))
    flat = {_weights(point): i for i, point in enumerate(points) if point[1] <= _FLAT}
    for (a, b, c), i in flat.items():
        around = ((a + 1, b - 1, c), (a, b + 1, c - 1), (a - 1, b, c + 1))
        pairs += [(i, flat[near]) for near in around if near in flat]

    drawn = [_drawn(point) for point in points]
    top, left = -2 * (_RIM + 1), -3 * (_RIM + 1)
    marks = [(_RIM + 1, left, "L"), (_RIM + 1, -left, "R"), (top, 0, "T")]
    for (_, ring, offset), (line, column) in zip(points, drawn, strict=True):
        marks.append((line, column, "." if offset else str(ring)))
    picture = canvas((line - top, column - left, word) for line, column, word in marks)
    spotted = spots(picture, ((line - top, column - left) for line, column in drawn))
    names = tuple(f"{_ARMS[arm]}{ring}{offset}" for arm, ring, offset in points)
    neighbours = touching(len(points), pairs)
    edges = tuple(
        (1 << arm | (0 if offset else 1 << (arm - 1) % 3)) if ring == _RIM else 0
        for arm, ring, offset in points
    )
    return Grid(names, neighbours, picture, spotted, tuple(map(_place, points)), "T62"), edges


def _weights(point: _Point) -> tuple[int, int, int]:
    """Return the place of a point in the flat triangle: its distances from the sides, in sum 4."""
    arm, ring, offset = point
    if ring == 1:
        weights = [1, 1, 1]
        weights[arm] = 2
    else:
        weights = [0, 0, 0]
        weights[arm], weights[(arm + 1) % 3] = ring - offset, offset
    return weights[0], weights[1], weights[2]


def _drawn(point: _Point) -> tuple[int, int]:
    """Return the line and column of a point, counted from the middle of the board."""
    arm, ring, offset = point
    here, there = _STEPS[arm], _STEPS[(arm + 1) % 3]
    return (
        (ring - offset) * here[1] + offset * there[1],
        (ring - offset) * here[0] + offset * there[0],
    )


def _place(point: _Point) -> tuple[float, float]:
    """Return the place of a point in a picture: the triangle stays flat, the outermost ring is a circle."""
    arm, ring, offset = point
    share = offset / ring
    corners = [(math.cos(turn), math.sin(turn)) for turn in (_TURNS[arm], _TURNS[(arm + 1) % 3])]
    chord = [(1 - share) * a + share * b for a, b in zip(*corners, strict=True)]
    if ring <= _FLAT:
        return chord[0] * ring / math.sqrt(3), chord[1] * ring / math.sqrt(3)
    turn = _TURNS[arm] + share * math.radians(120)
    outward = (ring - _FLAT) / (_RIM - _FLAT)
    flat = (1 - outward) * _FLAT / math.sqrt(3)
    round_ = outward * _RADIUS
    return flat * chord[0] + round_ * math.cos(turn), flat * chord[1] + round_ * math.sin(turn)
