"""The picture of a letter's board, drawn once for the letters of all its players."""

from __future__ import annotations

import logging
import struct
from binascii import b2a_base64
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ..match import Match
from . import curve
from .view import View

_LONG = 76  # characters of a line of base64

log = logging.getLogger("pbmstar")


class Drawn(NamedTuple):
    """A picture: its PNG in base64, in lines, its box in the board's units, and its width in pixels."""

    base64: bytes
    box: tuple[float, float, float, float]
    width: int


def of(view: View) -> Drawn | None:
    """The picture of a board; None if it cannot be drawn, which is logged: the letter does without."""
    try:
        last = frozenset(stone.cell for stone in view.stones if stone.last)
        return _drawn(view.match, last)
    except Exception:  # no memory, no font: a letter is worth more than its picture
        log.exception("picture")
        return None


def of_curve(chances: Sequence[float], dear: Sequence[int]) -> Drawn | None:
    """The curve of a review as a picture; None if it cannot be drawn, which is logged."""
    try:
        box = (0, 0, curve.WIDTH, curve.HEIGHT)
        return Drawn(_lines(curve.png(chances, dear)), box, curve.WIDTH)
    except Exception:  # as above
        log.exception("picture")
        return None


@lru_cache(8)  # the players of a board get their letters one after the other
def _drawn(match: Match, last: frozenset[int]) -> Drawn:
    from .picture import picture, png, width_of  # with Pillow, which only who draws needs

    shown = picture(match.game, match.position.stones, last, match.position.over)
    return Drawn(_lines(png(shown)), shown.empty.box, width_of(shown))


def _lines(content: bytes) -> bytes:
    """Base64 in lines, as a mail wants it."""
    text = b2a_base64(content, newline=False)
    whole = len(text) // _LONG
    lines = struct.unpack_from(f"{_LONG}s" * whole, text)
    return b"\n".join((*lines, text[whole * _LONG :])).rstrip() + b"\n"
