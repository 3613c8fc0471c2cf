"""A picture as SVG, from the same shapes: for web pages.

Shapes of one look are one path, and coordinates are whole numbers: so a full board has some kilobytes.
What a tile covers is left out; all else lies side by side, so that it may be drawn look by look.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape

from .layout import TIP, Outline, Point
from .shapes import LOOKS, Box, CellTile, Empty, Label, Line, Picture, Polygon, Shape, Tile

UNIT = 32  # a distance of 1 on the board, in the picture's own coordinates
BELOW = 0.36  # from the middle of a text to its base line, as a part of its size
_THIN = 0.1  # the lines of signs
_ROUND = 'stroke-linecap="round"'
Stroke = tuple[int, str, str]  # rank (the larger one is drawn later), style, path
_FONT = 'font-family="sans-serif" text-anchor="middle"'


def svg(picture: Picture, title: str) -> str:
    """Return the SVG of a picture, a whole file."""
    pen = _pen_of(picture.empty)
    below: dict[tuple[int, str], list[str]] = {}
    for rank, style, path in (*_seen(pen, picture), *_links(pen, picture)):
        below.setdefault((rank, style), []).append(path)
    paths: dict[str, str] = {}  # what is drawn twice, wide and narrow, is there once
    drawn = [
        _element(style, "".join(each), paths)
        for (_, style), each in sorted(below.items(), key=_rank)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {pen.width} {pen.height}" role="img">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>\n"
    )


class Pen:
    """Writes lengths of a board as whole numbers, from the left and top of its box.

    base   for each shape of the empty board where it lies, and its strokes
    known  the strokes of tiles that it has drawn
    """

    def __init__(self, box: Box) -> None:
        self.base: tuple[tuple[object, tuple[Stroke, ...]], ...] = ()
        self.known: dict[Tile, tuple[Stroke, ...]] = {}
        self._left, self._top, width, height = box
        self.width, self.height = round(width * UNIT), round(height * UNIT)

    def at(self, point: Point) -> tuple[int, int]:
        """Return a point in the picture's coordinates."""
        return round((point[0] - self._left) * UNIT), round((point[1] - self._top) * UNIT)

    def polygon(self, points: Outline) -> str:
        """Return a closed path."""
        (x, y), *rest = map(self.at, points)
        words, first = [f"M{x} {y}"], True
        for to_x, to_y in rest:
            words.append(f"{'l' if first else _gap(to_x - x)}{to_x - x}{_gap(to_y - y)}{to_y - y}")
            x, y, first = to_x, to_y, False
        return "".join(words) + "z"

    def line(self, a: Point, b: Point) -> str:
        """Return the path from one point to another."""
        (x, y), (to_x, to_y) = self.at(a), self.at(b)
        return f"M{x} {y}l{to_x - x}{_gap(to_y - y)}{to_y - y}"

    def label(self, label: Label) -> str:
        """Return a short text."""
        x, y = self.at((label.at[0], label.at[1] + BELOW * label.size))
        return f'<text x="{x}" y="{y}">{escape(label.text)}</text>'


@lru_cache(64)
def _pen_of(empty: Empty) -> Pen:
    """Return the pen of all pictures of that board: it remembers what it has drawn."""
    pen = Pen(empty.box)
    pen.base = tuple(
        (
            shape.points if isinstance(shape, Polygon) else getattr(shape, "at", None),
            tuple(_strokes(pen, shape)),
        )
        for shape in empty.shapes
    )
    return pen


def _gap(number: int) -> str:
    return "" if number < 0 else " "


def _seen(pen: Pen, picture: Picture) -> Iterator[Stroke]:
    """Yield the strokes that no tile covers, and those of the tiles but links."""
    covered: set[object] = {tile.outline for tile in picture.tiles}
    for tile in picture.tiles:
        if isinstance(tile, CellTile):
            covered.add(picture.empty.grid.places[tile.cell])
    for where, strokes in pen.base:
        if where not in covered:
            yield from strokes
    for each in picture.tiles:
        tile = each._replace(linked=()) if isinstance(each, CellTile) else each
        if (known := pen.known.get(tile)) is None:
            known = pen.known[tile] = tuple(
                s for shape in tile.shapes for s in _strokes(pen, shape)
            )
        yield from known


def _links(pen: Pen, picture: Picture) -> Iterator[Stroke]:
    """Yield the lines between neighbours of one chain, each once; tiles have it half by half."""
    places, spanned = picture.empty.grid.places, picture.empty.where.spanned
    for tile in picture.tiles:
        if not isinstance(tile, CellTile):
            continue
        here, look = places[tile.cell], LOOKS.get(tile.stone)
        for other in tile.linked if look else ():
            end = places[other]
            if other in spanned.get(tile.cell, ()):
                end = (here[0] * TIP, here[1] * TIP)
            elif other < tile.cell:
                continue
            assert look is not None
            for colour, width in ((look.border, 0.3), (look.stone, 0.2)):
                yield 2, _stroke(colour, width), pen.line(here, end)


def _strokes(pen: Pen, shape: Shape) -> Iterator[Stroke]:
    """Yield the strokes of a shape."""
    if isinstance(shape, Polygon):
        border = f" {_stroke(shape.line, shape.width)}" if shape.width else ""
        yield 0, f'fill="{shape.fill}"{border}', pen.polygon(shape.points)
    elif isinstance(shape, Label):
        size = round(shape.size * UNIT)
        yield 1, f'{_FONT} font-size="{size}" fill="{shape.fill}"', pen.label(shape)
    elif isinstance(shape, Line):
        cap = f" {_ROUND}" if shape.round else ""
        # A sign lies on its stone, a link below it.
        rank = 5 if shape.width < _THIN else 2
        yield rank, f"{_stroke(shape.line, shape.width)}{cap}", pen.line(shape.a, shape.b)
    elif shape.fill:  # dots: a line without length, with round ends
        x, y = pen.at(shape.at)
        for colour, width in (
            (shape.line, 2 * shape.radius + shape.width),
            (shape.fill, 2 * shape.radius - shape.width),
        ):
            yield 4, f"{_stroke(colour, width)} {_ROUND}", f"M{x} {y}h0"
    else:
        x, y = pen.at((shape.at[0] - shape.radius, shape.at[1]))
        r = f"{shape.radius * UNIT:.2g}"
        yield 6, _stroke(shape.line, shape.width), f"M{x} {y}a{r} {r} 0 1 1 0 .1z"


def _rank(group: tuple[tuple[int, str], list[str]]) -> tuple[int, float]:
    """Return the place of a group of strokes: of those of one rank the wider is below."""
    (rank, style), _ = group
    width = style.partition('stroke-width="')[2].partition('"')[0]
    return rank, -float(width) if rank and width else 0.0


def _stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width * UNIT:.3g}"'


def _element(style: str, path: str, known: dict[str, str]) -> str:
    """Return an element; a path that has been drawn before is used again."""
    if path.startswith("<"):
        return f"<g {style}>{path}</g>"
    if "fill=" in style:
        return f'<path {style} d="{path}"/>'
    if path in known:
        return f'<use href="#{known[path]}" {style}/>'
    name = known[path] = f"p{len(known)}"
    return f'<path id="{name}" fill="none" d="{path}"/><use href="#{name}" {style}/>'
