"""The 22 shapes of pentahexes as a picture, each with its number, for the page that teaches them."""

from __future__ import annotations

import math
from io import BytesIO

from ...games.grids import X_STONE
from ...games.pentagon import polyhexes
from .canvas import PALETTE, drawn, sketch
from .layout import Outline, Point
from .shapes import CARD, CELLS, EDGE, LABEL, LOOKS, Box, Disc, Label, Polygon, Shape

_ABREAST = 4  # shapes in a row: a phone shows each some 80 pixels wide
_WIDE, _HIGH = 5.6, 5.0  # of the place of a shape, in cells
_ROW = math.sqrt(3) / 2


def drawn_pentahexes(width: int) -> tuple[bytes, Box, int]:
    """Return the PNG of the picture, at most so wide, with its box and its width."""
    shapes, box = pentahexes()
    sketched = sketch(shapes, box, int(width / box[2]))
    image = drawn(sketched).convert("P")
    image.putpalette(PALETTE.getpalette() or [])
    written = BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue(), box, sketched.size[0]


def pentahexes() -> tuple[tuple[Shape, ...], Box]:
    """Return the shapes of the picture, and its box; neighbours are 1 apart."""
    known = tuple(polyhexes.shapes())
    box = (0.0, 0.0, _WIDE * _ABREAST, _HIGH * -(-len(known) // _ABREAST))
    left, top, width, height = box
    corners = ((left, top), (width, top), (width, height), (left, height))
    every: list[Shape] = [Polygon(corners, CARD)]
    for place, shape in enumerate(known):
        row, column = divmod(place, _ABREAST)
        at = (column * _WIDE, row * _HIGH)
        every.append(Label((at[0] + 0.7, at[1] + 0.7), str(place + 1), 0.9, LABEL))
        every += _pentahex(shape, at)
    return tuple(every), box


def _pentahex(shape: polyhexes.Shape, at: Point) -> list[Shape]:
    """Return the cells of a shape with their stones, in the middle of its place."""
    cells = [(q + r / 2, r * _ROW) for q, r in shape]
    middle = [(min(each) + max(each)) / 2 for each in zip(*cells, strict=True)]
    x, y = at[0] + _WIDE / 2 + 0.3 - middle[0], at[1] + _HIGH / 2 + 0.2 - middle[1]
    look = LOOKS[X_STONE]
    hexes: list[Shape] = []
    for left, top in cells:
        hexes.append(Polygon(_hexagon((x + left, y + top)), CELLS[0], EDGE, 0.05))
        hexes.append(Disc((x + left, y + top), 0.32, look.stone, look.border, 0.05))
    return hexes


def _hexagon(at: Point) -> Outline:
    """Return the outline of a cell; two of its sides are upright."""
    turns = (math.radians(30 + 60 * corner) for corner in range(6))
    return tuple(
        (at[0] + math.cos(turn) / math.sqrt(3), at[1] + math.sin(turn) / math.sqrt(3))
        for turn in turns
    )
