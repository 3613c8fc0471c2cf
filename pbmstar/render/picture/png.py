"""A picture as PNG: 48 fixed colours, the same bytes for the same board.

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

from .canvas import COLOURS, NEAR, PALETTE, drawn, sketch
from .shapes import Empty, Picture, Tile

_TILES = 8192  # tiles of all boards that are remembered at most
# Of zlib-ng: 4 is a fifth quicker and makes a picture a tenth larger; 6 takes two thirds longer, and saves a
# twentieth, on an empty board up to a fifth.
_LEVEL = 5


class _Patch(NamedTuple):
    """A tile in pixels: its drawing, the mask of what's inside its outline, its place."""

    image: Image.Image
    mask: Image.Image
    place: tuple[int, int]


def png(picture: Picture) -> bytes:
    """Return the PNG of a picture of pixels, see ``layout``."""
    rows = _rows(picture.empty).copy()
    for tile in picture.tiles:
        patch = _patch(tile)
        rows.paste(patch.image, patch.place, patch.mask)
    size = struct.pack(">IIBBBBB", rows.width - 1, rows.height, 8, 3, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", size),
            _COLOURS,
            _chunk(b"IDAT", zlib_ng.compress(rows.tobytes(), _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))
    )


_COLOURS = _chunk(b"PLTE", bytes(PALETTE.getpalette("RGB") or ())[: 3 * COLOURS])


# -- remembered pieces


@lru_cache(32)
def _rows(empty: Empty) -> Image.Image:
    """Return the empty board; its first column is the byte 0 (no filter) that PNG wants before a row."""
    where, (left, top, _, high) = empty.where, empty.box
    image = drawn(sketch(empty.shapes, (left, top, where.width / where.unit, high), where.unit))
    rows = Image.new("L", (image.width + 1, image.height))
    rows.paste(image, (1, 0))
    return rows


@lru_cache(_TILES)
def _patch(tile: Tile) -> _Patch:
    box, unit = tile.empty.box, tile.empty.where.unit
    xs, ys = ([(p[axis] - box[axis]) * unit for p in tile.outline] for axis in (0, 1))
    left, top = int(min(xs) + NEAR), int(min(ys) + NEAR)
    right, bottom = int(max(xs)) + 2, int(max(ys)) + 2
    around = left / unit + box[0], top / unit + box[1], (right - left) / unit, (bottom - top) / unit
    what = sketch(tile.shapes, around, unit)
    outline = ((int(x + NEAR) - left, int(y + NEAR) - top) for x, y in zip(xs, ys, strict=True))
    return _Patch(_alike(what), _inside(what.size, tuple(outline)), (left + 1, top))


_alike = lru_cache(2048)(drawn)  # tiles of different cells may be alike


@lru_cache(2048)
def _inside(size: tuple[int, int], outline: tuple[tuple[int, int], ...]) -> Image.Image:
    mask = Image.new("1", size)
    ImageDraw.Draw(mask).polygon(outline, fill=1)
    return mask
