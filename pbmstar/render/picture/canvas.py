"""Shapes drawn with Pillow in 48 fixed colours. Edges are smoothed by drawing three times as large.

Corners, stones and letters are in the middle of pixels, and from cell to cell there are whole pixels, as
``layout`` says. So cells of one kind are alike to the pixel: nobody sees it, and a picture packs well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from . import shapes as s
from .layout import Point
from .shapes import Box, Label, Line, Polygon, Shape

COLOURS = 48
_LARGER = 3  # times, while it is drawn: an odd number, so that a pixel has a middle
NEAR = 1e-6  # of a pixel, within which two places are the same

_Stroke = tuple[str, tuple[int, ...], str, str, int]


class Sketch(NamedTuple):
    """A list of shapes in pixels, as Pillow wants them: in whole numbers, so shapes of one look are equal.

    size     the size of the drawing, in its own pixels
    strokes  of each shape its kind, its place in the larger picture, and its look
    """

    size: tuple[int, int]
    strokes: tuple[_Stroke, ...]


def sketch(shapes: Iterable[Shape], box: Box, unit: float) -> Sketch:
    """Return the shapes on a part of a picture: ``box``, in its units, each of ``unit`` pixels."""
    left, top, wide, high = box
    larger = unit * _LARGER

    def at(*points: Point) -> tuple[int, ...]:
        pixels = (place * unit + NEAR for x, y in points for place in (x - left, y - top))
        return tuple(math.floor(each) * _LARGER + _LARGER // 2 for each in pixels)

    def stroke(shape: Shape) -> _Stroke:
        if isinstance(shape, Label):
            return "text", at(shape.at), shape.fill, shape.text, round(shape.size * larger)
        width = round(shape.width * larger)
        if isinstance(shape, Polygon):
            return "polygon", at(*shape.points), shape.fill, shape.line, width
        if isinstance(shape, Line) and not shape.round:
            return "line", at(shape.a, shape.b), "", shape.line, width
        if isinstance(shape, Line):  # of a sign: it keeps its length
            (ax, ay), (bx, by) = shape.a, shape.b
            x, y = at(((ax + bx) / 2, (ay + by) / 2))
            right, down = round((bx - ax) / 2 * larger), round((by - ay) / 2 * larger)
            return "round", (x - right, y - down, x + right, y + down), "", shape.line, width
        (x, y), radius = at(shape.at), round((shape.radius + shape.width / 2) * larger)
        around = (x - radius, y - radius, x + radius, y + radius)
        return "disc", around, shape.fill, shape.line, max(1, width)

    size = round(wide * unit), round(high * unit)
    return Sketch(size, tuple(stroke(shape) for shape in shapes))


def drawn(what: Sketch) -> Image.Image:
    """Return a sketch, drawn larger and reduced; each pixel is the number of a colour in the palette."""
    size = what.size
    image = Image.new("RGB", (size[0] * _LARGER, size[1] * _LARGER), s.CARD)
    pen = ImageDraw.Draw(image)
    for kind, at, fill, line, width in what.strokes:
        if kind == "polygon":
            pen.polygon(at, fill=fill)
            if width:
                pen.line((*at, *at[:4]), fill=line, width=width, joint="curve")
        elif kind == "disc":
            pen.ellipse(at, fill=fill or None, outline=line or None, width=width)
        elif kind == "text":
            _write(pen, at, line, fill, _font(width))
        else:
            pen.line(at, fill=line, width=width)
            for x, y in (at[:2], at[2:]) if kind == "round" else ():
                half = width / 2
                pen.ellipse((x - half, y - half, x + half, y + half), fill=line)
    coloured = image.reduce(_LARGER).quantize(palette=PALETTE, dither=Image.Dither.NONE).tobytes()
    # Without a guarded cell, its colour stands only where edges are smoothed, and another may replace it.
    if not any(fill == s.GUARDED for _, _, fill, _, _ in what.strokes):
        coloured = coloured.translate(FEWER)
    return Image.frombytes("L", size, coloured)


def _write(
    pen: ImageDraw.ImageDraw,
    at: tuple[int, ...],
    text: str,
    fill: str,
    font: ImageFont.FreeTypeFont,
) -> None:
    """Write a text around its middle, each letter of it at the beginning of a pixel."""
    widths = [round(font.getlength(letter) / _LARGER) * _LARGER for letter in text]
    x = round((at[0] - sum(widths) / 2) / _LARGER) * _LARGER
    for letter, width in zip(text, widths, strict=True):
        pen.text((x, at[1]), letter, fill=fill, font=font, anchor="lm")
        x += width


@lru_cache(64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font of Pillow in that size."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # where Pillow is built with FreeType
    return font


# -- colours


def _colours() -> list[str]:
    """Return the colours of the shapes, and those that smoothing makes where two touch."""
    colours = [*_PLAIN]
    for a, b, steps in _TOUCHING:
        colours += [_mixed(a, b, step / (steps + 1)) for step in range(1, steps + 1)]
    distinct = list(dict.fromkeys(colours))
    assert len(distinct) <= COLOURS
    return distinct


def _palette() -> Image.Image:
    """Return an image with that palette, filled up to the 256 colours that Pillow wants."""
    every = _colours()
    image = Image.new("P", (1, 1))
    image.putpalette(
        [p for colour in every + every[:1] * (256 - len(every)) for p in _parts(colour)]
    )
    return image


def _fewer() -> bytes:
    """Return for each colour the number of the one that is shown in its place."""
    every, table = _colours(), bytearray(range(256))
    for shown, others in _ALIKE.items():
        for each in others:
            table[every.index(each)] = every.index(shown)
    return bytes(table)


def _mixed(a: str, b: str, part: float) -> str:
    mix = (round(x + (y - x) * part) for x, y in zip(_parts(a), _parts(b), strict=True))
    return "#" + "".join(f"{each:02x}" for each in mix)


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


_X, _O = s.LOOKS.values()
_SMOOTH = "#b2a892"  # chosen by eye: it lies between the three that it replaces in ``_ALIKE``
_PLAIN = (
    *(s.CARD, s.LABEL, s.RIM, *s.CELLS, s.EDGE, s.NAME, s.BRIDGE, s.BRIDGE_EDGE, s.LAST, "#ffffff"),
    *(s.GUARDED, s.GUARDED_NAME),
    *_X,
    *_O,
    _SMOOTH,
)
_TOUCHING = (
    (s.CARD, s.LABEL, 2),
    (s.CARD, s.RIM, 1),
    (s.CARD, _X.rim, 1),
    (s.CARD, _O.rim, 1),
    (s.CARD, s.EDGE, 1),
    (s.CELLS[0], s.EDGE, 1),
    (s.CELLS[1], s.EDGE, 1),
    (s.GUARDED, s.EDGE, 1),
    (s.GUARDED, s.GUARDED_NAME, 1),
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

# Shown in the place of others, which differ by 16 of 255 at most: nobody sees it, and edges and names of
# different cells have the same pixels more often, so they pack better.
_ALIKE = {
    _SMOOTH: (_mixed(s.CELLS[0], s.EDGE, 0.5), _mixed(s.CELLS[1], s.EDGE, 0.5), s.GUARDED),
    s.EDGE: (_mixed(s.GUARDED, s.EDGE, 0.5), _mixed(s.GUARDED, s.GUARDED_NAME, 0.5)),
    s.NAME: (s.GUARDED_NAME,),
    _mixed(_O.border, s.CELLS[0], 0.5): (
        _mixed(_O.stone, _O.border, 0.5),
        _mixed(_O.tint, s.EDGE, 0.5),
    ),
}

PALETTE = _palette()
FEWER = _fewer()
