"""The places on the picture of a board: outlines of cells, pieces of rim, labels.

All of it follows from the grid's neighbours and places. A corner of a cell is the middle of the cells
that meet there; beyond the edge of the board missing cells stand in, each as far outside as its
counterpart is inside. Lengths are in units of the grid: neighbours are about 1 apart.

On a picture in pixels each step of a lattice is moved to whole pixels, unless cells are so small that you'd
see it. Then cells that are turned alike are alike to the pixel, and large pictures are a quarter smaller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ...games.grids import Grid

Point = tuple[float, float]
Outline = tuple[Point, ...]

_LONGEST = 1.5  # distance of neighbours side by side at most; neighbours farther apart are joined by a bridge
_OPEN = 2.7  # the least angle between two neighbours in turn if the outside lies between them
_SIXTH = math.pi / 3
_DEEP = 0.3  # the rim's depth
TIP = 0.4  # part of the way from the middle to a cell at the bridge: there the bridge ends
_MARGIN = 0.25  # the card's margin around rim and labels
_FEW = 22  # pixels between neighbours: if they are fewer, half a pixel or one less is a visible difference
ROW = math.sqrt(3) / 2  # from a row of cells to the next
_LOOKS_BACK = 32_500  # pixels in which a picture's packer finds what it has seen before


@dataclass(frozen=True, eq=False)
class Layout:
    """The places of one grid.

    places    the middle of each cell
    unit      the pixels between neighbours; 0 if the picture isn't one of pixels
    outlines  the outline of each cell
    rim       for each cell the outlines of the pieces of rim that it touches, one for each place just
              outside the board
    shades    for each cell 0 or 1, so that rings can be told apart
    bridge    the outline of the bridge in the middle, empty where there is none
    spanned   for each cell at the bridge the cells that it touches across it
    labels    the labels around the board: the place and the text of each
    box       left, top, width and height of the whole
    """

    places: tuple[Point, ...]
    unit: int
    outlines: tuple[Outline, ...]
    rim: tuple[tuple[Outline, ...], ...]
    shades: tuple[int, ...]
    bridge: Outline
    spanned: dict[int, tuple[int, ...]]
    labels: tuple[tuple[Point, str], ...]
    box: tuple[float, float, float, float]

    @property
    def width(self) -> int:
        """The width of the picture in pixels: an even number, so that half of it is whole."""
        return 2 * int(self.box[2] * self.unit / 2)


def layout(grid: Grid, cells: Sequence[int], most: int = 0) -> Layout:
    """Compute the layout of a grid of which only these ``cells`` are shown.

    Its picture is as wide as it can be, or a step smaller if it packs much better then.

    most  the pixels that the picture may be wide; 0 if it isn't one of pixels
    """
    plain = _layout(grid, cells, 0)
    if not most:
        return plain
    largest = int(most / plain.box[2])
    if largest < _FEW or not grid.steps:
        return replace(plain, unit=largest)
    # Even numbers, since a row begins half a cell beside the one above. Moved cells may need less room.
    units = range(largest // 2 * 2 + 2, 0, -2)
    fitting = (where for unit in units if (where := _layout(grid, cells, unit)).width <= most)
    two = list(islice(fitting, 2))
    return next(filter(_repeats, two), two[0])


def _repeats(where: Layout) -> bool:
    """Tell if a row of cells is still seen where the next one is packed."""
    return ROW * where.unit * where.width + where.unit < _LOOKS_BACK


def _layout(grid: Grid, cells: Sequence[int], unit: int) -> Layout:
    places = _moved(grid, unit)
    near = [
        tuple(b for b in neighbours if math.dist(places[a], places[b]) <= _LONGEST)
        for a, neighbours in enumerate(grid.neighbours)
    ]
    spanned = {
        cell: tuple(set(grid.neighbours[cell]) - set(near[cell]))
        for cell in range(len(grid))
        if len(near[cell]) < len(grid.neighbours[cell])
    }
    outlines, rim = [], []
    for cell in range(len(grid)):
        outline, pieces = _outline(cell, near, places)
        outlines.append(outline)
        rim.append(pieces)
    bridge: Outline = ()
    if spanned:
        tips = sorted(spanned, key=lambda cell: _angle((0, 0), places[cell]))
        bridge = _star([places[cell] for cell in tips])
        for cell in spanned:
            outlines[cell] = _notched(outlines[cell], places[cell])
    if len(cells) < len(grid):
        rim = [()] * len(grid)
    labels = _labels(grid, cells, places)
    shown = (*(outlines[cell] for cell in cells), *(each for few in rim for each in few))
    points = [p for outline in shown for p in outline]
    xs = [p[0] for p in points] + [at[0] + s * 0.2 for at, _ in labels for s in (-1, 1)]
    ys = [p[1] for p in points] + [at[1] + s * 0.2 for at, _ in labels for s in (-1, 1)]
    left, top = min(xs) - _MARGIN, min(ys) - _MARGIN
    box = (left, top, max(xs) + _MARGIN - left, max(ys) + _MARGIN - top)
    return Layout(
        places, unit, tuple(outlines), tuple(rim), _shades(grid), bridge, spanned, labels, box
    )


def _moved(grid: Grid, unit: int) -> tuple[Point, ...]:
    """Return the places of a lattice, each step moved to whole pixels; as they are if ``unit`` is 0."""
    if not unit:
        return grid.places
    pairs = list(zip(grid.steps, grid.steps[1:] + grid.steps[:1], strict=True))

    def moved(place: Point) -> Point:
        for a, b in pairs:
            turn = _turn(a, b)
            times_a, times_b = (
                round(each, 3) for each in (_turn(place, b) / turn, _turn(a, place) / turn)
            )
            if times_a >= 0 and times_b >= 0:
                x, y = (
                    times_a * round(a[axis] * unit) + times_b * round(b[axis] * unit)
                    for axis in (0, 1)
                )
                return x / unit, y / unit
        raise AssertionError("this place isn't a sum of steps")

    return tuple(map(moved, grid.places))


def _turn(a: Point, b: Point) -> float:
    return a[0] * b[1] - a[1] * b[0]


def _outline(
    cell: int, near: Sequence[tuple[int, ...]], places: Sequence[Point]
) -> tuple[Outline, tuple[Outline, ...]]:
    """Return the outline of a cell, and of the pieces of rim that it touches."""
    here = places[cell]
    around: list[tuple[Point, bool]] = []  # the points around it in turn, with True if outside
    turn = sorted(near[cell], key=lambda other: _angle(here, places[other]))
    for this, following in zip(turn, turn[1:] + turn[:1], strict=True):
        around.append((places[this], False))
        gap = (_angle(here, places[following]) - _angle(here, places[this])) % math.tau
        if (gap or math.tau) < _OPEN:
            continue
        ends = [_beyond(cell, other, near, places) for other in (this, following)]
        around += [(point, True) for point in _fan(here, ends)]
    corners = [
        _middle(here, a[0], b[0]) for a, b in zip(around, around[1:] + around[:1], strict=True)
    ]
    pieces = tuple(
        _piece(corners[place - 1], corners[place])
        for place, (_, outside) in enumerate(around)
        if outside
    )
    return tuple(corners), pieces


def _beyond(
    cell: int, other: int, near: Sequence[tuple[int, ...]], places: Sequence[Point]
) -> Point:
    """Return the place of the missing cell beyond the edge between two cells: opposite the one inside."""
    common = [places[third] for third in near[cell] if third in near[other]]
    inside = common[0] if common else (0.0, 0.0)
    here, there = places[cell], places[other]
    return here[0] + there[0] - inside[0], here[1] + there[1] - inside[1]


def _fan(here: Point, ends: list[Point]) -> list[Point]:
    """Return points from one such cell to the other, both included: one about every sixth of a circle."""
    first, last = (_angle(here, end) for end in ends)
    gap = (last - first) % math.tau
    if math.dist(*ends) < 0.5:
        return [ends[0]]
    between = max(0, round(gap / _SIXTH) - 1)
    steps = [first + gap * (step + 1) / (between + 1) for step in range(between)]
    fan = [(here[0] + math.cos(step), here[1] + math.sin(step)) for step in steps]
    return [ends[0], *fan, ends[1]]


def _piece(a: Point, b: Point) -> Outline:
    """Return the piece of rim along an edge from ``a`` to ``b``, outside it."""
    length = math.dist(a, b) or 1.0
    out = ((b[1] - a[1]) / length * _DEEP, (a[0] - b[0]) / length * _DEEP)
    slant = 0.22
    return (
        a,
        (_between(a, b, slant)[0] + out[0], _between(a, b, slant)[1] + out[1]),
        (_between(b, a, slant)[0] + out[0], _between(b, a, slant)[1] + out[1]),
        b,
    )


def _star(tips: list[Point]) -> Outline:
    """Return the bridge: a star whose tips point at its cells."""
    points = []
    for this, following in zip(tips, tips[1:] + tips[:1], strict=True):
        valley = _middle(this, following)
        points += [_between((0, 0), this, TIP), _between((0, 0), valley, 0.92)]
    return tuple(points)


def _notched(outline: Outline, place: Point) -> Outline:
    """Return the outline of a cell at the bridge, which reaches to the middle, with the star cut out."""
    at = min(range(len(outline)), key=lambda corner: math.hypot(*outline[corner]))
    before, after = outline[at - 1], outline[(at + 1) % len(outline)]
    return (
        *outline[:at],
        _foot(before, place),
        _between((0, 0), place, TIP),
        _foot(after, place),
        *outline[at + 1 :],
    )


def _foot(corner: Point, place: Point) -> Point:
    """Return the point where the border between two cells meets the bridge."""
    along = math.atan2(corner[1], corner[0])
    span = math.hypot(*place) * math.cos(math.pi / 5) * 0.92
    return span * math.cos(along), span * math.sin(along)


def _shades(grid: Grid) -> tuple[int, ...]:
    """Return the shade of each cell: on a five-sided board the rings are shaded in turn.

    A name has the last digit of its ring.
    """
    if _has_arms(grid):
        return tuple(int(name[1:2] or 0) % 2 for name in grid.names)
    return (0,) * len(grid)


def _labels(
    grid: Grid, cells: Sequence[int], every: Sequence[Point]
) -> tuple[tuple[Point, str], ...]:
    """Return the letters at the ends of arms; without arms, numbers before rows and letters below columns."""
    names, places = [grid.names[cell] for cell in cells], [every[cell] for cell in cells]
    centre = _middle(*places)
    if _has_arms(grid):
        far: dict[str, Point] = {}
        for name, place in zip(names, places, strict=True):
            if name[2:] == "0" and math.hypot(*place) >= math.hypot(*far.get(name[0], (0, 0))):
                far[name[0]] = place
        return tuple((_outward(place, centre, 0.75), arm) for arm, place in far.items())
    levels = {(name[1:], round(y, 6)) for name, (_, y) in zip(names, places, strict=True)}
    if len(levels) > len({row for row, _ in levels}):
        return ()  # the rows are not straight: each cell's own name must do
    first: dict[str, Point] = {}
    low: dict[str, Point] = {}
    for name, place in zip(names, places, strict=True):
        if name[1:] not in first or place[0] < first[name[1:]][0]:
            first[name[1:]] = place
        if name[0] not in low or place[1] > low[name[0]][1]:
            low[name[0]] = place
    rows = [((x - 1.05, y), row) for row, (x, y) in first.items()]
    columns = [((x + 0.56, y + 0.97), letter) for letter, (x, y) in low.items()]
    return (*rows, *columns)


def _has_arms(grid: Grid) -> bool:
    return any(name[0] == "*" for name in grid.names)


def _outward(place: Point, centre: Point, far: float) -> Point:
    away = math.dist(place, centre) or 1.0
    return _between(centre, place, (away + far + 0.35) / away)


def _angle(a: Point, b: Point) -> float:
    return math.atan2(b[1] - a[1], b[0] - a[0])


def _middle(*points: Point) -> Point:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
