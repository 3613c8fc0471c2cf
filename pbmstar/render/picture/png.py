"""A picture as PNG: 64 fixed colours, the same bytes for the same board.

The empty board is drawn once for each grid and width, a tile once for all pictures that show it. A
picture is the empty board with its tiles pasted, put together in bands of rows: of a board that was
drawn a move ago most bands are known, and are neither pasted nor compressed again.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from functools import lru_cache
from zlib import adler32, crc32

from PIL import Image, ImageChops, ImageDraw

from .canvas import COLOURS, Canvas, palette
from .shapes import Box, Empty, Picture, Tile

WIDTH = 680  # pixels at most
_TILES = 8192  # of all boards that are remembered
_BANDS = 4096
_MOST = 70_000  # bytes of a picture
# Rows that are compressed together, and the level of zlib: the second way takes three times as long,
# and is for large boards full of stones, which the first would make too big.
_WAYS = ((32, 3), (80, 6))
_DIFFERS = [0] + [255] * 255
_END = b"\x03\x00"  # of a deflate stream: an empty last block


@dataclass(frozen=True, eq=False)
class _Patch:
    """What a tile changes on the empty board: its pixels, the mask of those that differ, its place."""

    image: Image.Image
    mask: Image.Image
    left: int
    top: int
    bottom: int


def png(picture: Picture, width: int = WIDTH) -> bytes:
    """The PNG of a picture, about so many pixels wide and not more."""
    unit = unit_of(picture.empty.box, width)
    patches = [_patch(picture.empty, tile, unit) for tile in picture.tiles]
    content = b""
    for way in _WAYS:
        content = _pasted(picture.empty, patches, unit, *way)
        if len(content) <= _MOST:
            break
    return content


def unit_of(box: Box, width: int = WIDTH) -> int:
    """The pixels between neighbours, a whole number: then the cells of a row are alike to the pixel.

    That makes a picture a fifth smaller.
    """
    return int(width / box[2])


def _pasted(empty: Empty, patches: list[_Patch], unit: int, tall: int, level: int) -> bytes:
    rows = _rows(empty, unit)
    on: list[list[_Patch]] = [[] for _ in range(0, rows.height, tall)]  # each band
    for patch in patches:
        for band in range(patch.top // tall, (patch.bottom - 1) // tall + 1):
            on[band].append(patch)
    bands = [_band(empty, unit, n * tall, tall, level, tuple(each)) for n, each in enumerate(on)]
    return _file(rows.width - 1, rows.height, bands)


def png_anew(picture: Picture, width: int = WIDTH) -> bytes:
    """The same without anything that was drawn before: what ``png`` is compared with."""
    canvas = Canvas(picture.empty.box, unit_of(picture.empty.box, width))
    for shape in picture.shapes:
        canvas.draw(shape)
    rows = _filtered(canvas.reduced())
    return _file(rows.width - 1, rows.height, [_compressed(rows, _WAYS[0][1])])


# -- the file


@dataclass(frozen=True)
class _Band:
    """Rows as a part of a deflate stream that stands for itself; how many bytes, and their sum."""

    content: bytes
    length: int
    adler: int


def _file(width: int, height: int, bands: list[_Band]) -> bytes:
    adler = 1
    for band in bands:
        adler = _joined(adler, band)
    colours = bytes(palette().getpalette("RGB") or ())[: 3 * COLOURS]
    content = b"".join(
        (b"x\x9c", *(band.content for band in bands), _END, struct.pack(">I", adler))
    )
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", colours),
            _chunk(b"IDAT", content),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))
    )


def _joined(adler: int, band: _Band) -> int:
    """The Adler-32 sum of two byte strings one after the other, from those of each."""
    low, high = (adler & 0xFFFF) + (band.adler & 0xFFFF) - 1, (adler >> 16) + (band.adler >> 16)
    high += band.length * ((adler & 0xFFFF) - 1)
    return (high % 65521) << 16 | low % 65521


def _compressed(rows: Image.Image, level: int) -> _Band:
    content = rows.tobytes()
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)
    return _Band(packed, len(content), adler32(content))


# -- what is remembered


def _filtered(image: Image.Image) -> Image.Image:
    """The image with what PNG wants before each row, a byte 0 (no filter), as a first column."""
    rows = Image.new("L", (image.width + 1, image.height))
    rows.paste(image, (1, 0))
    return rows


@lru_cache(32)
def _rows(empty: Empty, unit: int) -> Image.Image:
    """The rows of an empty board."""
    canvas = Canvas(empty.box, unit)
    for shape in empty.shapes:
        canvas.draw(shape)
    return _filtered(canvas.reduced())


@lru_cache(_BANDS)
def _band(
    empty: Empty, unit: int, top: int, tall: int, level: int, patches: tuple[_Patch, ...]
) -> _Band:
    """So many rows of an empty board, from ``top`` on, with patches on them."""
    rows = _rows(empty, unit)
    band = rows.crop((0, top, rows.width, min(top + tall, rows.height)))
    for patch in patches:
        band.paste(patch.image, (patch.left, patch.top - top), patch.mask)
    return _compressed(band, level)


@lru_cache(_TILES)
def _patch(empty: Empty, tile: Tile, unit: int) -> _Patch:
    box = empty.box
    xs, ys = ([(p[axis] - box[axis]) * unit for p in tile.outline] for axis in (0, 1))
    left, top = int(min(xs)), int(min(ys))
    right, bottom = int(max(xs)) + 2, int(max(ys)) + 2
    canvas = Canvas(
        (left / unit + box[0], top / unit + box[1], (right - left) / unit, (bottom - top) / unit),
        unit,
    )
    for shape in tile.shapes:
        canvas.draw(shape)
    inside = Image.new("1", canvas.size)
    outline = [(x - left, y - top) for x, y in zip(xs, ys, strict=True)]
    ImageDraw.Draw(inside).polygon(outline, fill=1)
    before = _rows(empty, unit).crop((left + 1, top, right + 1, bottom))
    after = before.copy()
    after.paste(canvas.reduced(), mask=inside)
    mask = ImageChops.difference(before, after).point(_DIFFERS, "1")
    part = mask.getbbox() or (0, 0, 0, 0)
    return _Patch(
        after.crop(part), mask.crop(part), left + 1 + part[0], top + part[1], top + part[3]
    )
