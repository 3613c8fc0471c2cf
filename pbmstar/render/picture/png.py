"""A picture as PNG: 16 colours, the same bytes for the same board.

The empty board is drawn once for each width, a tile once for all pictures that show it. A picture is a copy
of the empty board, on which its tiles are pasted. To compress it takes longest, so zlib-ng does that, which
is more than twice as quick as Python's zlib.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from PIL import Image, ImageDraw
from zlib_ng import zlib_ng

from .canvas import NEAR, drawn, named, shown, sketch
from .shapes import Empty, Picture, Tile

_TILES = 8192  # tiles of all boards that are remembered at most
# Of zlib-ng: 4 is a seventh quicker and makes a picture a tenth larger; 6 takes half as long again, and saves
# a twentieth.
_LEVEL = 5
_BITS = 4  # of a pixel
_FILTER = 8 // _BITS  # columns before a row, all 0: the byte that PNG wants there, for no filter


class _Patch(NamedTuple):
    """A tile in pixels: its drawing, the mask of what's inside its outline, its place; the colours named."""

    image: Image.Image
    mask: Image.Image
    place: tuple[int, int]
    named: int


def png(picture: Picture) -> bytes:
    """Return the PNG of a picture of pixels, see ``layout``."""
    empty, colours = _rows(picture.empty)
    rows = empty.copy()
    for tile in picture.tiles:
        patch = _patch(tile)
        rows.paste(patch.image, patch.place, patch.mask)
        colours |= patch.named
    numbers, palette = shown(colours)
    packed = rows.point(numbers).tobytes("raw", f"P;{_BITS}")
    size = struct.pack(">IIBBBBB", rows.width - _FILTER, rows.height, _BITS, 3, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", size),
            _chunk(b"PLTE", palette),
            _chunk(b"IDAT", zlib_ng.compress(packed, _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))
    )


# -- remembered pieces


@lru_cache(32)
def _rows(empty: Empty) -> tuple[Image.Image, int]:
    """Return the empty board with the columns before its rows, and the colours that it names."""
    where, (left, top, _, high) = empty.where, empty.box
    what = sketch(empty.shapes, (left, top, where.width / where.unit, high), where.unit)
    image = drawn(what)
    rows = Image.new("P", (image.width + _FILTER, image.height))
    rows.paste(image, (_FILTER, 0))
    return rows, named(what)


@lru_cache(_TILES)
def _patch(tile: Tile) -> _Patch:
    box, unit = tile.empty.box, tile.empty.where.unit
    xs, ys = ([(p[axis] - box[axis]) * unit for p in tile.outline] for axis in (0, 1))
    left, top = int(min(xs) + NEAR), int(min(ys) + NEAR)
    right, bottom = int(max(xs)) + 2, int(max(ys)) + 2
    around = left / unit + box[0], top / unit + box[1], (right - left) / unit, (bottom - top) / unit
    what = sketch(tile.shapes, around, unit)
    outline = ((int(x + NEAR) - left, int(y + NEAR) - top) for x, y in zip(xs, ys, strict=True))
    mask = _inside(what.size, tuple(outline))
    return _Patch(_alike(what), mask, (left + _FILTER, top), named(what))


_alike = lru_cache(2048)(drawn)  # tiles of different cells may be alike


@lru_cache(2048)
def _inside(size: tuple[int, int], outline: tuple[tuple[int, int], ...]) -> Image.Image:
    mask = Image.new("1", size)
    ImageDraw.Draw(mask).polygon(outline, fill=1)
    return mask
