"""A picture as PNG: 48 fixed colours, the same bytes for the same board.

The empty board is drawn once for each grid, a tile once for all pictures that show it. A picture is the
empty board with its tiles pasted, put together in bands of rows: if a board was drawn a move ago, most of
its bands are known, and are neither pasted nor compressed again. A band refers to the rows of the one above
it, where there are cells like its own; that makes a picture a third smaller. So Pillow does not write the
file: it compresses all rows each time, and with the same tiles takes two to four times as long.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from zlib import adler32, crc32

from PIL import Image, ImageChops, ImageDraw

from .canvas import COLOURS, NEAR, PALETTE, drawn, sketch
from .shapes import WIDTH, Box, Empty, Picture, Shape, Tile

_TILES = 8192  # tiles of all boards that are remembered at most
_BANDS = 4096
_TALL = 32  # rows of a band: so many of the widest picture are within reach of the next band
# Of zlib: 3 makes a picture a seventh larger; 6 takes a third longer, and saves a twentieth. Bands without a
# tile are packed once for each grid: there 9 saves a tenth, and takes seven times as long.
_LEVEL, _LEVEL_OF_EMPTY = 5, 9
_DIFFERS = [0] + [255] * 255
_END = b"\x03\x00"  # of a deflate stream: an empty last block


@dataclass(frozen=True, eq=False)
class _Patch:
    """The change of a tile on the empty board: its pixels, the mask of those that differ, its place."""

    image: Image.Image
    mask: Image.Image
    left: int
    top: int


def png(picture: Picture, most: int = WIDTH) -> bytes:
    """Return the PNG of a picture, at most ``most`` pixels wide."""
    empty = picture.empty
    rows = _rows(empty, most)
    on: list[list[_Patch]] = [[] for _ in range(0, rows.height, _TALL)]  # each band
    for tile in picture.tiles:
        patch = _patch(tile, most)
        last = patch.top + patch.image.height - 1
        for band in range(patch.top // _TALL, last // _TALL + 1):
            on[band].append(patch)
    bands, above = [], None
    for n, patches in enumerate(on):
        here = _Place(empty, most, n * _TALL, tuple(patches))
        bands.append(_band(here, above))
        above = here
    return _file(rows.width - 1, rows.height, bands)


def width_of(picture: Picture, most: int = WIDTH) -> int:
    """Return the width of a picture's PNG in pixels: an even number, so that half of it is whole."""
    return _rows(picture.empty, most).width - 1


def _unit(box: Box, most: int) -> int:
    """Return the pixels between neighbours.

    It is a whole number: so cells of a row are alike to the pixel, which makes a picture a fifth smaller.
    """
    return int(most / box[2])


# -- the file


@dataclass(frozen=True)
class _Band:
    """A part of a deflate stream: some rows, which need those above and no others, and their sum."""

    content: bytes
    length: int
    adler: int


def _file(width: int, height: int, bands: list[_Band]) -> bytes:
    adler = 1
    for band in bands:
        adler = _joined(adler, band)
    content = b"".join(
        (b"x\x9c", *(band.content for band in bands), _END, struct.pack(">I", adler))
    )
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _COLOURS,
            _chunk(b"IDAT", content),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))
    )


_COLOURS = _chunk(b"PLTE", bytes(PALETTE.getpalette("RGB") or ())[: 3 * COLOURS])


def _joined(adler: int, band: _Band) -> int:
    """Return the Adler-32 sum of two joined byte strings, from the sum of each.

    It is what zlib's adler32_combine computes, which Python does not offer.
    """
    low, high = (adler & 0xFFFF) + (band.adler & 0xFFFF) - 1, (adler >> 16) + (band.adler >> 16)
    high += band.length * ((adler & 0xFFFF) - 1)
    return (high % 65521) << 16 | low % 65521


# -- remembered pieces


def _drawn(box: Box, shapes: Iterable[Shape], most: int) -> Image.Image:
    """Return a whole picture; its first column is the byte 0 (no filter) that PNG wants before a row."""
    unit = _unit(box, most)
    even = (*box[:2], 2 * int(box[2] * unit / 2) / unit, box[3])
    image = drawn(sketch(shapes, even, unit))
    rows = Image.new("L", (image.width + 1, image.height))
    rows.paste(image, (1, 0))
    return rows


@lru_cache(32)
def _rows(empty: Empty, most: int) -> Image.Image:
    return _drawn(empty.box, empty.shapes, most)


class _Place(NamedTuple):
    """Rows of an empty board, from ``top`` on, and the patches on them."""

    empty: Empty
    most: int
    top: int
    patches: tuple[_Patch, ...]


@lru_cache(64)  # the bands of a picture, once for their own bytes and once for the band below
def _pasted(place: _Place) -> bytes:
    rows = _rows(place.empty, place.most)
    band = rows.crop((0, place.top, rows.width, min(place.top + _TALL, rows.height)))
    for patch in place.patches:
        band.paste(patch.image, (patch.left, patch.top - place.top), patch.mask)
    return band.tobytes()


@lru_cache(_BANDS)
def _band(place: _Place, above: _Place | None) -> _Band:
    """Compress a band, which may refer to all of the one above it."""
    content = _pasted(place)
    known = _pasted(above) if above else b""
    is_empty = not (place.patches or (above and above.patches))
    level = _LEVEL_OF_EMPTY if is_empty else _LEVEL
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=known)
    packed = packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)
    return _Band(packed, len(content), adler32(content))


@lru_cache(_TILES)
def _patch(tile: Tile, most: int) -> _Patch:
    empty, box, unit = tile.empty, tile.empty.box, _unit(tile.empty.box, most)
    xs, ys = ([(p[axis] - box[axis]) * unit for p in tile.outline] for axis in (0, 1))
    left, top = int(min(xs) + NEAR), int(min(ys) + NEAR)
    right, bottom = int(max(xs)) + 2, int(max(ys)) + 2
    around = left / unit + box[0], top / unit + box[1], (right - left) / unit, (bottom - top) / unit
    what = sketch(tile.shapes, around, unit)
    inside = Image.new("1", what.size)
    outline = [(int(x + NEAR) - left, int(y + NEAR) - top) for x, y in zip(xs, ys, strict=True)]
    ImageDraw.Draw(inside).polygon(outline, fill=1)
    before = _rows(empty, most).crop((left + 1, top, right + 1, bottom))
    after = before.copy()
    after.paste(_alike(what), mask=inside)
    mask = ImageChops.difference(before, after).point(_DIFFERS, "1")
    part = mask.getbbox() or (0, 0, 0, 0)
    return _Patch(after.crop(part), mask.crop(part), left + 1 + part[0], top + part[1])


_alike = lru_cache(2048)(drawn)  # tiles of different cells may be alike
