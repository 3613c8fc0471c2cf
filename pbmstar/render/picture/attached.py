"""The pictures in a letter: boards, and curves, such as the chances and the lead.

Pillow is imported when the first one is drawn: only one of the server's processes draws.
"""

from __future__ import annotations

import logging
import struct
from binascii import b2a_base64
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from ...games.base import Game
from ..board.view import View
from .shapes import WIDTH, Box, Empty, Shape, pentahexes, picture, stamp

STAMP = 144  # pixels of a stamp; a phone shows it half as wide
_LINE = 76  # characters of a line of base64
# Boards that are remembered, 30 to 60 kB each: both players of one get a letter about it, and often another
# before its next move. New games of a kind have the same board, and a help page has the same ones each time.
_KNOWN = 128

# Of the curve, in pixels.
_WIDTH, _HEIGHT = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 622, 16, 240
_LETTERS = 24  # a phone shows the picture half as wide
_MARKED = 10  # moves that are named at most
_AHEAD = 3  # across the curve of the lead, above its middle and below, at most
_INK, _GRID, _HALF, _CURVE, _DEAR = "#444", "#ddd", "#888", "#1560bd", "#c0392b"
_BAND = "#cfe0f3"

log = logging.getLogger("pbmstar")


class Drawn(NamedTuple):
    """A picture: its PNG in base64, in lines, its box in its own units, its width in pixels, its board."""

    base64: bytes
    box: Box
    width: int
    board: Empty | None = None


def of_board(view: View, most: int = WIDTH) -> Drawn | None:
    """Draw a board at most ``most`` pixels wide; None if that fails, which is logged."""
    last = frozenset(stone.cell for stone in view.stones if stone.last)
    game, position = view.match.game, view.match.position
    return _tried(lambda: _board(game, position.stones, last, position.over, most))


def of_position(game: Game, stones: bytes) -> Drawn | None:
    """Draw a board without a last move; None if that fails, which is logged."""
    return _tried(lambda: _board(game, stones))


def of_stamp(game: Game, stones: bytes) -> Drawn | None:
    """Draw a board as small as a stamp, for a row of a list; None if that fails, which is logged."""
    return _tried(lambda: _stamp(game, stones))


def of_pentahexes() -> Drawn | None:
    """Draw the shapes of pentahexes with their numbers; None if that fails, which is logged."""
    return _tried(_pentahexes)


def of_chances(chances: Sequence[float], dear: Sequence[int]) -> Drawn | None:
    """Draw the curve of a review; None if that fails, which is logged."""
    lines = [(percent / 100, f"{percent}%") for percent in (0, 25, 50, 75, 100)]
    return of_curve(chances, dear, lines)


def of_curve(
    heights: Sequence[float], marked: Sequence[int], lines: Sequence[tuple[float, str]]
) -> Drawn | None:
    """Draw a curve of heights from 0 to 1; None if that fails, which is logged.

    marked  the places with a dot
    lines   the lines across it, each with its height and the text before it
    """
    box = (0, 0, _WIDTH, _HEIGHT)
    curve = tuple(heights), tuple(marked), tuple(lines)
    return _tried(lambda: Drawn(_lines(_curve(*curve)), box, _WIDTH))


def of_leads(ends: Sequence[tuple[int, int]], turns: Sequence[int]) -> Drawn | None:
    """Draw the range between the least and the most that X can reach; None if that fails, which is logged.

    ends   the least and the most, in points ahead of O, before the first move and after each
    turns  the numbers of the moves with a dot
    """
    most = max(1, *(abs(each) for pair in ends for each in pair))
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100, most) if most / each <= _AHEAD)

    def height(lead: float) -> float:
        return (lead / most + 1) / 2

    count = most // step
    lines = tuple(
        (height(at * step), f"{at * step:+}" if at else "0") for at in range(-count, count + 1)
    )
    band = tuple((height(low), height(high)) for low, high in ends)
    middle = tuple((low + high) / 2 for low, high in band)
    box = (0, 0, _WIDTH, _HEIGHT)
    return _tried(lambda: Drawn(_lines(_curve(middle, tuple(turns), lines, band)), box, _WIDTH))


def _tried(draw: Callable[[], Drawn]) -> Drawn | None:
    try:
        return draw()
    except Exception:  # no memory, no font: the letter goes without its picture
        log.exception("picture")
        return None


@lru_cache(_KNOWN)
def _board(
    game: Game,
    stones: bytes,
    last: frozenset[int] = frozenset(),
    over: bool = False,
    most: int = WIDTH,
) -> Drawn:
    from .png import png  # noqa: PLC0415

    shown = picture(game, stones, last, over, most)
    return Drawn(_lines(png(shown)), shown.empty.box, shown.empty.where.width, shown.empty)


@lru_cache(100)  # most boards of a list are as they were when it was asked for last
def _stamp(game: Game, stones: bytes) -> Drawn:
    shapes, box = stamp(picture(game, stones))
    return _sketched(shapes, box, STAMP / box[2])


def _pentahexes() -> Drawn:
    shapes, box = pentahexes()
    return _sketched(shapes, box, int(_WIDTH / box[2]))


def _sketched(shapes: Iterable[Shape], box: Box, unit: float) -> Drawn:
    from .canvas import drawn, sketch  # noqa: PLC0415

    sketched = sketch(shapes, box, unit)
    written = BytesIO()
    drawn(sketched).save(written, "PNG", optimize=True)
    return Drawn(_lines(written.getvalue()), box, sketched.size[0])


def _lines(content: bytes) -> bytes:
    """Return base64 in lines, as a message needs it."""
    text = b2a_base64(content, newline=False)
    whole = len(text) // _LINE
    lines = struct.unpack_from(f"{_LINE}s" * whole, text)
    return b"\n".join((*lines, text[whole * _LINE :])).rstrip() + b"\n"


@lru_cache(8)  # both players of a board get it, and it takes as long as ten letters
def _curve(
    heights: tuple[float, ...],
    dear: tuple[int, ...],
    lines: tuple[tuple[float, str], ...],
    band: tuple[tuple[float, float], ...] = (),
) -> bytes:
    """Draw the curve of heights from 0 to 1, with a dot after each of the moves that are ``dear``.

    lines  the lines across it, each with its height and the text before it
    band   the band behind it: its lowest and highest height at each place, if there is one
    """
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415

    image = Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(_LETTERS)
    last = max(1, len(heights) - 1)

    def at(place: int, height: float) -> tuple[float, float]:
        return _LEFT + (_RIGHT - _LEFT) * place / last, _BOTTOM - (_BOTTOM - _TOP) * height

    def spot(place: int) -> tuple[float, float]:
        return at(place, heights[place])

    if band:
        above = [at(place, high) for place, (_, high) in enumerate(band)]
        below = [at(place, low) for place, (low, _) in enumerate(band)]
        draw.polygon([*above, *below[::-1]], fill=_BAND)

    for height, text in lines:
        y = _BOTTOM - (_BOTTOM - _TOP) * height
        draw.line([(_LEFT, y), (_RIGHT, y)], fill=_HALF if height == 0.5 else _GRID)
        draw.text((_LEFT - 8, y), text, fill=_INK, font=font, anchor="rm")
    step = next(each for each in (10, 20, 50, 100, 200, 500, last) if last / each < _MARKED)
    for place in range(0, last + 1, step):
        under = spot(place)[0], _BOTTOM + 8
        draw.text(under, str(place), fill=_INK, font=font, anchor="mt")
    draw.line([spot(place) for place in range(len(heights))], fill=_CURVE, width=4)
    for place in dear:
        x, y = spot(place)
        draw.ellipse([x - 7, y - 7, x + 7, y + 7], fill=_DEAR)
    written = BytesIO()
    image.quantize(16).save(written, "PNG", optimize=True)
    return written.getvalue()
