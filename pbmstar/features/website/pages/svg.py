"""A picture as SVG, from the same shapes: for web pages.

It is small: coordinates are whole numbers, shapes of one look are one path, and a shape that appears many
times is drawn once, as the marker of a path whose corners are the places. Shapes that a tile covers are
left out; all others lie side by side, so they can be drawn look by look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from itertools import count, pairwise
from typing import NamedTuple

from ....games.grids import O_STONE, X_STONE
from ....render.picture.layout import TIP, Outline, Point
from ....render.picture.shapes import (
    CELLS,
    LOOKS,
    Box,
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
    pentahexes,
)

UNIT = 32  # a distance of 1 on the board, in the picture's own coordinates
BELOW = 0.36  # from the middle of a text to its base line, as a part of its size
_LETTER = 0.65  # from one letter to the next, as a part of their size
_MARKER = 200  # letters that a marker and its path take
_ROW = 6  # letters of a row that takes less as an element of its own
_FONT = 'font-family="sans-serif" text-anchor="middle"'

# In small pictures cream stones on cream cells would be lost: there O's stones are as its rim is.
_SMALL = {X_STONE: LOOKS[X_STONE].stone, O_STONE: LOOKS[O_STONE].rim}

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
    pen, keys = pen_of(picture.empty), map("m{}".format, count())
    inks = [*_untiled(pen, picture.tiles), *_tiled(pen, picture.tiles)]
    drawn = "".join((*_laid(inks, keys), *_joined(pen, picture, keys), *_placed(inks, keys)))
    return f"{_opened(0, 0, pen.width, pen.height)}<title>{escape(title)}</title>{drawn}</svg>\n"


def small(picture: Picture) -> str:
    """Return the SVG of a picture that is seen as small as a stamp: cells and chains as thick lines."""
    pen, cells, near = pen_of(picture.empty), picture.empty.cells, picture.empty.grid.neighbours
    rows = [(a, b) for a, b in pairwise(cells) if b in near[a]]
    drawn = [_bands(pen, f'fill="{CELLS[0]}" {_stroke(CELLS[0], 1.1)}', cells, rows)]
    for stone, colour in _SMALL.items():
        mine = [t for t in picture.tiles if isinstance(t, CellTile) and t.stone == stone]
        links = [(tile.cell, other) for tile in mine for other in tile.linked if other > tile.cell]
        drawn.append(_bands(pen, _stroke(colour, 0.72), [tile.cell for tile in mine], links))
    xs, ys = zip(*(pen.spots[cell] for cell in cells), strict=True)
    box = min(xs) - UNIT, min(ys) - UNIT, max(xs) - min(xs) + 2 * UNIT, max(ys) - min(ys) + 2 * UNIT
    return (
        f'{_opened(*box)}<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(drawn)}</g></svg>\n"
    )


class Sheet:
    """The pictures within one page. An empty board is drawn once; later pictures of the page use it again.

    Cells lie below names in all of them: a stone hides the name of its cell.
    """

    def __init__(self) -> None:
        self._keys = map("m{}".format, count())
        self._known: dict[tuple[Empty, type], str] = {}

    def svg(self, picture: Picture, title: str) -> str:
        """Return a picture as an element of the page, which has all pictures before it, too."""
        pen = pen_of(picture.empty)
        tiled = [ink for ink in _tiled(pen, picture.tiles) if not isinstance(ink, Word)]
        same = {ink for _, ink in pen.base}
        grounds = (ink for ink in tiled if isinstance(ink, Ground) and ink not in same)
        drawn = (
            self._part(picture.empty, Ground),
            *_laid(grounds, self._keys),
            self._part(picture.empty, Word),
            *_joined(pen, picture, self._keys),
            *_placed(tiled, self._keys),
        )
        return _element_of_page(pen, title, drawn)

    def pentahexes(self, title: str) -> str:
        """Return the shapes of pentahexes as an element of the page."""
        shapes, box = pentahexes()
        scale = Scale(box)
        inks: list[Ink] = [scale.ground(shape) for shape in shapes if isinstance(shape, Polygon)]
        inks += [scale.word(shape) for shape in shapes if isinstance(shape, Label)]
        inks += [scale.piece(shape) for shape in shapes if isinstance(shape, Disc)]
        return _element_of_page(
            scale, title, (*_laid(inks, self._keys), *_placed(inks, self._keys))
        )

    def _part(self, empty: Empty, kind: type[Ground | Word]) -> str:
        """Return the inks of one kind of an empty board."""
        if (known := self._known.get((empty, kind))) is not None:
            return f'<use href="#{known}"/>'
        key = self._known[empty, kind] = next(self._keys)
        inks = (ink for _, ink in pen_of(empty).base if isinstance(ink, kind))
        return f'<g id="{key}">{"".join(_laid(inks, self._keys))}</g>'


def _element_of_page(scale: Scale, title: str, drawn: Iterable[str]) -> str:
    return (
        f'<svg class="card" viewBox="0 0 {scale.width} {scale.height}" role="img" '
        f'aria-label="{escape(title)}">{"".join(drawn)}</svg>'
    )


def _opened(*box: int) -> str:
    """Return the beginning of a file; the box is its left, top, width and height."""
    view = " ".join(map(str, box))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img">'


def _bands(pen: Pen, look: str, cells: Iterable[int], links: Sequence[tuple[int, int]]) -> str:
    """Return a path of one look with lines between linked cells, and dots on the others."""
    alone = sorted(set(cells).difference(*links))
    dots = "".join(f"M{x} {y}h0" for x, y in (pen.spots[cell] for cell in alone))
    steps = dots + _trails([(pen.spots[a], pen.spots[b]) for a, b in links])
    return f'<path {look} d="{steps}"/>' if steps else ""


def _placed(inks: Iterable[Ink], keys: Iterator[str]) -> Iterator[str]:
    """Yield the elements of the pieces among inks."""
    stones: dict[str, list[Spot]] = defaultdict(list)
    for ink in inks:
        if isinstance(ink, Piece):
            stones[ink.form].append(ink.at)
    for form, spots in stones.items():
        yield from _marked(next(keys), form, spots)


def _laid(inks: Iterable[Ink], keys: Iterator[str]) -> Iterator[str]:
    """Yield the elements of the grounds and words among inks, look by look."""
    grounds: dict[str, dict[str, list[Spot]]] = defaultdict(lambda: defaultdict(list))
    words: dict[str, list[Word]] = defaultdict(list)
    for ink in inks:
        if isinstance(ink, Ground):
            grounds[ink.look][ink.form].append(ink.at)
        elif isinstance(ink, Word):
            words[ink.look].append(ink)
    for look, forms in grounds.items():
        few = ""
        for form, spots in forms.items():
            if len(spots) * len(form) > _MARKER + len(form):
                yield from _marked(next(keys), f'<path {look} d="M0 0{form}"/>', spots)
            else:
                few += "".join(f"M{x} {y}{form}" for x, y in spots)
        if few:
            yield f'<path {look} d="{few}"/>'
    for look, some in words.items():
        yield f"<g {look}>{_written(some)}</g>"


def _written(words: Sequence[Word]) -> str:
    """Return texts of one look. A long row is an element of its own, and its letters share the y."""
    rows: dict[int, list[Word]] = defaultdict(list)
    for word in words:
        rows[word.spots[0][1]].append(word)
    parts, rest = [], []
    for row in rows.values():
        if sum(len(word.text) for word in row) > _ROW:
            parts.append(_text(row, row[0].spots[:1]))
        else:
            rest += row
    if rest:
        parts.append(_text(rest, [at for word in rest for at in word.spots]))
    return "".join(parts)


def _text(words: Sequence[Word], spots: Sequence[Spot]) -> str:
    """Return an element of texts; ``spots`` have the y of their letters, the last one for all that follow."""
    xs, ys = (
        " ".join(str(x) for word in words for x, _ in word.spots),
        " ".join(str(y) for _, y in spots),
    )
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
    for to in spots:
        words.append(f"{_gap(to[0] - at[0])}{_step(at, to)}")
        at = to
    return "l" + "".join(words).lstrip()


def _step(at: Spot, to: Spot) -> str:
    """Return how far one spot lies from another, across and down."""
    return f"{to[0] - at[0]}{_gap(to[1] - at[1])}{to[1] - at[1]}"


def _gap(number: int) -> str:
    return "" if number < 0 else " "


class Scale:
    """A writer of lengths as whole numbers, from the left and top of a box."""

    def __init__(self, box: Box) -> None:
        self._left, self._top, width, height = box
        self.width, self.height = round(width * UNIT), round(height * UNIT)

    def at(self, point: Point) -> Spot:
        """Return a point in the picture's coordinates."""
        return round((point[0] - self._left) * UNIT), round((point[1] - self._top) * UNIT)

    def polygon(self, points: Outline) -> str:
        """Return a closed path."""
        (x, y), *rest = map(self.at, points)
        return f"M{x} {y}{_steps((x, y), rest)}z"

    def form(self, place: Point, points: Outline) -> str:
        """Return a closed path from a place on: outlines of one form are equal wherever they lie."""
        (x, y), *rest = (
            (round((x - place[0]) * UNIT), round((y - place[1]) * UNIT)) for x, y in points
        )
        return f"m{_step((0, 0), (x, y))}{_steps((x, y), rest)}z"

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

    def piece(self, shape: Disc) -> Piece:
        """Return a circle."""
        return Piece(_element(shape, shape.at), self.at(shape.at))


class Pen(Scale):
    """The scale of a board's pictures.

    spots  the spots of the cells
    base   for each shape of the empty board its place, and its ink
    known  the inks of the tiles that it has met
    """

    def __init__(self, empty: Empty) -> None:
        super().__init__(empty.box)
        self.spots = [self.at(place) for place in empty.where.places]
        self.known: dict[Tile, tuple[Ink, ...]] = {}
        self.base: list[tuple[object, Ground | Word]] = []
        for shape in empty.shapes:
            if isinstance(shape, Polygon):
                self.base.append((shape.points, self.ground(shape)))
            elif isinstance(shape, Label):
                self.base.append((shape.at, self.word(shape)))


@lru_cache(64)
def pen_of(empty: Empty) -> Pen:
    """Return the pen of all pictures of that board: it remembers what it has drawn."""
    return Pen(empty)


def _untiled(pen: Pen, tiles: Sequence[Tile]) -> Iterator[Ground | Word]:
    """Yield the inks of the empty board that no tile covers."""
    covered: set[object] = {tile.outline for tile in tiles}
    for tile in tiles:
        if isinstance(tile, CellTile):
            covered.add(tile.empty.where.places[tile.cell])
    for where, ink in pen.base:
        if where not in covered:
            yield ink


def _tiled(pen: Pen, tiles: Sequence[Tile]) -> Iterator[Ink]:
    """Yield the inks on the tiles, except for lines between cells."""
    for each in sorted(tiles, key=_is_cell):  # the rim lies below the cells
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
        middle, ring = tile.empty.where.places[tile.cell], len(tile._replace(last=False).shapes)
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


def _joined(pen: Pen, picture: Picture, keys: Iterator[str]) -> Iterator[str]:
    """Yield the lines between neighbours of one chain, first as wide as their borders, then as they are.

    Lines at a bridge lead to its middle.
    """
    lines: dict[int, list[tuple[Spot, Spot]]] = defaultdict(list)
    places, spanned = picture.empty.where.places, picture.empty.where.spanned
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
    looks = [(LOOKS[stone], next(keys), each) for stone, each in sorted(lines.items()) if each]
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
            words.append(f"M{begin[0]} {begin[1]}{_steps(begin, _corners(begin, trail))}")
    return "".join(words)


def _corners(at: Spot, trail: Sequence[Spot]) -> list[Spot]:
    """Return the spots of a trail at which it turns, and its end."""
    found = []
    for here, after in pairwise([*trail, None]):
        assert here is not None
        if after is None or _turns(at, here, after):
            found.append(here)
            at = here
    return found


def _turns(a: Spot, b: Spot, c: Spot) -> bool:
    """Return True if a line from a over b to c is not straight; a line that goes back is not, either."""
    (x, y), (z, w) = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
    return x * w != y * z or x * z + y * w < 0


def _stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width * UNIT:.3g}"'
