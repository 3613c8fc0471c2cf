"""Shapes drawn with Pillow in 64 fixed colours. Edges are smoothed by drawing three times as large."""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFont

from . import shapes as s
from .shapes import Box, Disc, Line, Polygon, Shape

COLOURS = 64
_LARGER = 3  # times, while it is drawn


class Canvas:
    """Shapes on a part of a picture, drawn larger and reduced."""

    def __init__(self, box: Box, unit: float) -> None:
        """``box`` is the part, in the picture's units; ``unit`` are the pixels of one."""
        self._left, self._top, width, height = box
        self._unit = unit * _LARGER
        size = round(width * self._unit / _LARGER), round(height * self._unit / _LARGER)
        self.size = size
        self.image = Image.new("RGB", (size[0] * _LARGER, size[1] * _LARGER), s.CARD)
        self._pen = ImageDraw.Draw(self.image)

    def draw(self, shape: Shape) -> None:
        if isinstance(shape, Polygon):
            self._polygon(shape)
        elif isinstance(shape, Disc):
            self._disc(shape)
        elif isinstance(shape, Line):
            self._line(shape)
        else:
            font = _font(round(shape.size * self._unit))
            self._pen.text(self._at(shape.at), shape.text, fill=shape.fill, font=font, anchor="mm")

    def reduced(self) -> Image.Image:
        """The part in its own size, of each pixel the number of its colour in the palette."""
        small = self.image.resize(self.size, Image.Resampling.BOX)
        coloured = small.quantize(palette=palette(), dither=Image.Dither.NONE)
        return Image.frombytes("L", self.size, coloured.tobytes())

    def _at(self, point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - self._left) * self._unit, (point[1] - self._top) * self._unit

    def _polygon(self, shape: Polygon) -> None:
        points = [self._at(point) for point in shape.points]
        self._pen.polygon(points, fill=shape.fill)
        if width := round(shape.width * self._unit):
            self._pen.line([*points, *points[:2]], fill=shape.line, width=width, joint="curve")

    def _disc(self, shape: Disc) -> None:
        (x, y), radius = self._at(shape.at), (shape.radius + shape.width / 2) * self._unit
        self._pen.ellipse(
            (x - radius, y - radius, x + radius, y + radius),
            fill=shape.fill or None,
            outline=shape.line or None,
            width=max(1, round(shape.width * self._unit)),
        )

    def _line(self, shape: Line) -> None:
        a, b, width = self._at(shape.a), self._at(shape.b), round(shape.width * self._unit)
        self._pen.line((a, b), fill=shape.line, width=width)
        for x, y in (a, b) if shape.round else ():
            half = width / 2
            self._pen.ellipse((x - half, y - half, x + half, y + half), fill=shape.line)


@lru_cache(256)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow's own, where it is built with FreeType
    return font


# -- colours


@cache
def palette() -> Image.Image:
    """The colours of the shapes, and what smoothing makes between those that touch: 64 in all."""
    colours = [*_PLAIN]
    for a, b, steps in _TOUCHING:
        colours += [_mixed(a, b, step / (steps + 1)) for step in range(1, steps + 1)]
    distinct = list(dict.fromkeys(colours))
    assert len(distinct) <= COLOURS
    distinct += distinct[:1] * (256 - len(distinct))
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in distinct for part in _parts(colour)])
    return image


def _mixed(a: str, b: str, part: float) -> str:
    mix = (round(x + (y - x) * part) for x, y in zip(_parts(a), _parts(b), strict=True))
    return "#" + "".join(f"{each:02x}" for each in mix)


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


_X, _O = s.LOOKS.values()
_PLAIN = (
    *(s.CARD, s.LABEL, s.RIM, *s.CELLS, s.EDGE, s.NAME, s.BRIDGE, s.BRIDGE_EDGE, s.LAST, "#ffffff"),
    *_X,
    *_O,
)
_TOUCHING = (
    (s.CARD, s.LABEL, 2),
    (s.CARD, s.RIM, 1),
    (s.CARD, _X.rim, 1),
    (s.CARD, _O.rim, 1),
    (s.CARD, s.EDGE, 1),
    (s.CELLS[0], s.EDGE, 1),
    (s.CELLS[1], s.EDGE, 1),
    (s.CELLS[0], s.NAME, 1),
    (_X.tint, s.EDGE, 1),
    (_O.tint, s.EDGE, 1),
    (_X.stone, _X.sign, 1),
    (_X.border, s.CELLS[0], 1),
    (_X.border, _X.tint, 1),
    (_O.stone, _O.border, 1),
    (_O.stone, _O.sign, 1),
    (_O.border, s.CELLS[0], 1),
    (_O.border, _O.tint, 1),
    (s.LAST, s.CELLS[0], 1),
    (s.LAST, "#ffffff", 1),
    (s.LAST, _O.border, 1),
    (s.BRIDGE, s.CELLS[0], 1),
    (s.BRIDGE, _X.border, 1),
)
