"""A picture as SVG, from the same shapes: for web pages.

It is a whole file and small: coordinates are whole numbers, shapes of one look are one path, and a shape
that appears many times is drawn once, as the marker of a path whose corners are the places. Shapes that a
tile covers are left out; all others lie side by side, so they can be drawn look by look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from ...render.picture.layout import TIP, Outline, Point
from ...render.picture.shapes import (
    LOOKS,
    BridgeTile,
    CellTile,
    Disc,
    Empty,
    Label,
    Line,
    Picture,
    Polygon,
    Shape,
    Tile,
)

UNIT = 32  # a distance of 1 on the board, in the picture's own coordinates
BELOW = 0.36  # from the middle of a text to its base line, as a part of its size
_LETTER = 0.65  # from one letter to the next, as a part of their size
_MARKER = 200  # letters that a marker and its path take
_FONT = 'font-family="sans-serif" text-anchor="middle"'

Spot = tuple[int, int]  # a point in the picture's coordinates


class Ground(NamedTuple):
    """A filled outline: its look, and its form as a path from the spot that it begins at."""

    look: str
    form: str
    at: Spot


class Word(NamedTuple):
    """A short text, with a spot for each letter."""

    look: str
    text: str
    spots: tuple[Spot, ...]


class Piece(NamedTuple):
    """A stone, a ring or both, as elements around a spot."""

    form: str
    at: Spot


Ink = Ground | Word | Piece


def svg(picture: Picture, title: str) -> str:
    """Return the SVG of a picture, a whole file."""
    pen = pen_of(picture.empty)
    grounds: dict[str, dict[str, list[Spot]]] = defaultdict(lambda: defaultdict(list))
    words: dict[str, list[Word]] = defaultdict(list)
    stones: dict[str, list[Spot]] = defaultdict(list)
    for ink in _seen(pen, picture):
        if isinstance(ink, Ground):
            grounds[ink.look][ink.form].append(ink.at)
        elif isinstance(ink, Word):
            words[ink.look].append(ink)
        else:
            stones[ink.form].append(ink.at)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {pen.width} {pen.height}" role="img">'
        f"<title>{escape(title)}</title>"
    ]
    for look, forms in grounds.items():
        few = ""
        for form, spots in forms.items():
            if len(spots) * len(form) > _MARKER + len(form):
                drawn += _marked(f"m{len(drawn)}", f'<path {look} d="M0 0{form}"/>', spots)
            else:
                few += "".join(f"M{x} {y}{form}" for x, y in spots)
        if few:
            drawn.append(f'<path {look} d="{few}"/>')
    drawn += (f"<g {look}>{_written(some)}</g>" for look, some in words.items())
    drawn += _joined(pen, picture)
    for form, spots in stones.items():
        drawn += _marked(f"m{len(drawn)}", form, spots)
    return "".join(drawn) + "</svg>\n"


def _written(words: Sequence[Word]) -> str:
    """Return texts of one look as one element."""
    xs, ys = (" ".join(str(at[axis]) for word in words for at in word.spots) for axis in (0, 1))
    return f'<text x="{xs}" y="{ys}">{escape("".join(word.text for word in words))}</text>'


def _marked(key: str, form: str, spots: Sequence[Spot]) -> tuple[str, str]:
    """Return elements that show a form at each of its spots. The ends of a path have no such marker."""
    return (
        f'<marker id="{key}" overflow="visible">{form}</marker>',
        f'<path fill="none" marker-mid="url(#{key})" d="M0 0{_steps((0, 0), spots)} 0 0"/>',
    )


def _steps(at: Spot, spots: Sequence[Spot]) -> str:
    """Return the lines of a path that leads from one spot to others."""
    words = []
    x, y = at
    for to_x, to_y in spots:
        words.append(f"{_gap(to_x - x)}{to_x - x}{_gap(to_y - y)}{to_y - y}")
        x, y = to_x, to_y
    return "l" + "".join(words).lstrip()


def _gap(number: int) -> str:
    return "" if number < 0 else " "


class Pen:
    """A writer of a board's lengths as whole numbers, from the left and top of its box.

    spots  the spots of the cells
    base   for each shape of the empty board its place, and its ink
    known  the inks of the tiles that it has met
    """

    def __init__(self, empty: Empty) -> None:
        self._left, self._top, width, height = empty.box
        self.width, self.height = round(width * UNIT), round(height * UNIT)
        self.spots = [self.at(place) for place in empty.grid.places]
        self.known: dict[Tile, tuple[Ink, ...]] = {}
        self.base: list[tuple[object, Ink]] = []
        for shape in empty.shapes:
            if isinstance(shape, Polygon):
                self.base.append((shape.points, self.ground(shape)))
            elif isinstance(shape, Label):
                self.base.append((shape.at, self.word(shape)))

    def at(self, point: Point) -> Spot:
        """Return a point in the picture's coordinates."""
        return round((point[0] - self._left) * UNIT), round((point[1] - self._top) * UNIT)

    def polygon(self, points: Outline) -> str:
        """Return a closed path."""
        (x, y), *rest = map(self.at, points)
        return f"M{x} {y}{_steps((x, y), rest)}z"

    def ground(self, shape: Polygon) -> Ground:
        """Return a polygon, from its highest corner on: polygons of one form are equal wherever they lie."""
        points = shape.points
        top = min(range(len(points)), key=lambda at: (round(points[at][1], 6), points[at][0]))
        (left, high), *rest = points[top:] + points[:top]
        form = [(round((x - left) * UNIT), round((y - high) * UNIT)) for x, y in rest]
        border = f" {_stroke(shape.line, shape.width)}" if shape.width else ""
        look = f'fill="{shape.fill}"{border}'
        return Ground(look, f"{_steps((0, 0), form)}z", self.at((left, high)))

    def word(self, shape: Label) -> Word:
        """Return a short text."""
        look = f'{_FONT} font-size="{round(shape.size * UNIT)}" fill="{shape.fill}"'
        x, y = shape.at[0], shape.at[1] + BELOW * shape.size
        wide = _LETTER * shape.size
        first = x - wide * (len(shape.text) - 1) / 2
        spots = (self.at((first + wide * at, y)) for at in range(len(shape.text)))
        return Word(look, shape.text, tuple(spots))


@lru_cache(64)
def pen_of(empty: Empty) -> Pen:
    """Return the pen of all pictures of that board: it remembers what it has drawn."""
    return Pen(empty)


def _seen(pen: Pen, picture: Picture) -> Iterator[Ink]:
    """Yield the inks that no tile covers, and those on the tiles except for lines between cells."""
    covered: set[object] = {tile.outline for tile in picture.tiles}
    for tile in picture.tiles:
        if isinstance(tile, CellTile):
            covered.add(picture.empty.grid.places[tile.cell])
    for where, ink in pen.base:
        if where not in covered:
            yield ink
    for each in sorted(picture.tiles, key=_is_cell):  # the rim lies below the cells
        tile = each._replace(linked=()) if isinstance(each, CellTile) else each
        if (known := pen.known.get(tile)) is None:
            known = pen.known[tile] = tuple(_inks(pen, tile))
        yield from known


def _is_cell(tile: Tile) -> bool:
    return isinstance(tile, CellTile)


def _inks(pen: Pen, tile: Tile) -> Iterator[Ink]:
    """Yield the inks on a tile: ground and name, and on a cell a piece for its stone and one for its ring."""
    shapes = tile.shapes
    for shape in shapes:
        if isinstance(shape, Polygon):
            yield pen.ground(shape)
        elif isinstance(shape, Label):
            yield pen.word(shape)
    if isinstance(tile, CellTile):
        middle, ring = tile.empty.grid.places[tile.cell], len(tile._replace(last=False).shapes)
        for part in (shapes[:ring], shapes[ring:]):
            if form := "".join(_element(shape, middle) for shape in part):
                yield Piece(form, pen.spots[tile.cell])


def _element(shape: Shape, middle: Point) -> str:
    """Return a part of a stone as an element around the middle of its cell; empty for other shapes."""
    if isinstance(shape, Disc):
        border = _stroke(shape.line, shape.width)
        return f'<circle r="{shape.radius * UNIT:.3g}" fill="{shape.fill or "none"}" {border}/>'
    if isinstance(shape, Line):
        x, y, to_x, to_y = (
            f"{(end[at] - middle[at]) * UNIT:.2g}" for end in (shape.a, shape.b) for at in (0, 1)
        )
        cap = ' stroke-linecap="round"' if shape.round else ""
        return f'<path {_stroke(shape.line, shape.width)}{cap} d="M{x} {y}L{to_x} {to_y}"/>'
    return ""


def _joined(pen: Pen, picture: Picture) -> Iterator[str]:
    """Yield the lines between neighbours of one chain, first as wide as their borders, then as they are.

    Lines at a bridge lead to its middle.
    """
    lines: dict[int, list[tuple[Spot, Spot]]] = defaultdict(list)
    places, spanned = picture.empty.grid.places, picture.empty.where.spanned
    for tile in picture.tiles:
        if isinstance(tile, BridgeTile):
            for cell, stone in tile.crossing:
                x, y = places[cell]
                tip = pen.at((x * TIP, y * TIP))
                lines[stone] += [(pen.spots[cell], tip), (tip, pen.at((0.0, 0.0)))]
        elif isinstance(tile, CellTile):
            over = spanned.get(tile.cell, ())
            lines[tile.stone] += [
                (pen.spots[tile.cell], pen.spots[other])
                for other in tile.linked
                if other > tile.cell and other not in over
            ]
    looks = [(LOOKS[stone], f"l{stone}", each) for stone, each in sorted(lines.items()) if each]
    for look, key, each in looks:
        yield f'<path id="{key}" fill="none" stroke-linejoin="round" d="{_trails(each)}"/>'
        yield f'<use href="#{key}" {_stroke(look.border, 0.3)}/>'
    for look, key, _ in looks:
        yield f'<use href="#{key}" {_stroke(look.stone, 0.2)}/>'


def _trails(lines: Sequence[tuple[Spot, Spot]]) -> str:
    """Return a path of those lines; each begins where the one before it ended, if possible."""
    ends: dict[Spot, dict[Spot, None]] = defaultdict(dict)
    for a, b in lines:
        ends[a][b] = ends[b][a] = None
    words = []
    for begin, after in ends.items():
        while after:
            at, trail = begin, []
            while ends[at]:
                to, _ = ends[at].popitem()
                del ends[to][at]
                trail.append(to)
                at = to
            words.append(f"M{begin[0]} {begin[1]}{_steps(begin, trail)}")
    return "".join(words)


def _stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width * UNIT:.3g}"'
