"""Shapes drawn with Pillow in fixed colours. Edges are smoothed by drawing three times as large.

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
    is_guarded = any(fill == s.GUARDED for _, _, fill, _, _ in what.strokes)
    palette = _OF_GUARDED if is_guarded else PALETTE
    return image.reduce(_LARGER).quantize(palette=palette, dither=Image.Dither.NONE)


def named(what: Sketch) -> int:
    """Return the colours that the shapes of a sketch have, each a bit at the place of its number."""
    found = {each for _, _, fill, line, _ in what.strokes for each in (fill, line)}
    return sum(1 << NUMBERS[each] for each in found if each in NUMBERS)


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

_X, _O = s.LOOKS.values()
_SMOOTH = "#b2a892"  # chosen by eye: between cells of any kind and their edges
_SHOWN = (
    16  # colours of a picture: half a byte for a pixel is smaller than a byte, and packed sooner
)
_SEEN = (2, 4, 3)  # how well eyes tell red, green and blue


def _mixed(a: str, b: str, part: float) -> str:
    mix = (round(x + (y - x) * part) for x, y in zip(_parts(a), _parts(b), strict=True))
    return "#" + "".join(f"{each:02x}" for each in mix)


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


# The first that a picture names are shown in it, and the others as the nearest of these. So the last ones
# have another nearby, such as the sign of a stone and its border: nobody sees the difference.
_COLOURS = (
    *(s.CARD, s.CELLS[0], s.NAME, s.RIM, s.LAST, _X.stone, _O.stone, _O.border),
    *(_X.tint, _X.rim, _O.tint, _O.rim, s.CELLS[1], s.BRIDGE, _SMOOTH, _X.border),
    *(_O.sign, s.LABEL, s.EDGE, _X.sign, s.GUARDED, s.BRIDGE_EDGE, "#ffffff", s.GUARDED_NAME),
)
# What smoothing makes where two touch, for those that have room.
_BETWEEN = (
    _SMOOTH,
    *(_mixed(a, b, part) for a, b, part in (
        (s.LAST, s.CELLS[0], 0.5),
        (_O.border, s.CELLS[0], 0.5),
        (s.CARD, s.LABEL, 1 / 3),
        (s.CARD, s.LABEL, 2 / 3),
        (_X.stone, _X.sign, 0.5),
        (s.CARD, s.RIM, 0.5),
        (s.CARD, s.EDGE, 0.5),
    )),
)  # fmt: skip
# Further shades of an edge or a name on a cell: no picture shows them, but ``_SMOOTH`` is near.
_SMOOTHED = tuple(_mixed(cell, s.EDGE, 0.5) for cell in s.CELLS)
# Of a name on a guarded cell, which is so near to it that thin lines would vanish.
_SMOOTHED_THERE = tuple(_mixed(s.GUARDED, other, 0.5) for other in (s.EDGE, s.GUARDED_NAME))


def _palette(colours: tuple[str, ...]) -> Image.Image:
    """Return an image with these colours, filled up to the 256 that Pillow wants."""
    image = Image.new("P", (1, 1))
    filled = (*colours, *colours[:1] * (256 - len(colours)))
    image.putpalette([part for colour in filled for part in _parts(colour)])
    return image


_USUAL = tuple(dict.fromkeys((*_COLOURS, *_BETWEEN, *_SMOOTHED)))
EVERY = (*_USUAL, *_SMOOTHED_THERE)
NUMBERS = {colour: number for number, colour in enumerate(EVERY)}
PALETTE, _OF_GUARDED = _palette(_USUAL), _palette(EVERY)
_ALWAYS = sum(1 << NUMBERS[colour] for colour in _BETWEEN)


@lru_cache(256)
def shown(named: int) -> tuple[list[int], bytes]:
    """Return what stands for each colour in a picture that names some, and the colours shown in it.

    The first one, which is around the board, is number 0 in both.
    """
    wanted = named | _ALWAYS | 1
    kept = [number for number in range(len(EVERY)) if wanted >> number & 1][:_SHOWN]

    def nearest(number: int) -> int:
        return min(range(len(kept)), key=lambda at: _apart(EVERY[number], EVERY[kept[at]]))

    numbers = [nearest(number) for number in range(len(EVERY))]
    return numbers + [0] * (256 - len(numbers)), b"".join(bytes(_parts(EVERY[n])) for n in kept)


def _apart(a: str, b: str) -> int:
    """Return how far two colours are apart for the eye, which sees green best."""
    return sum(
        weight * (x - y) ** 2 for weight, x, y in zip(_SEEN, _parts(a), _parts(b), strict=True)
    )
