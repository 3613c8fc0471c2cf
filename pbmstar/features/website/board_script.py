"""The empty board of a grid as a script for web pages, which draw stones on it.

It has the facts of a board that a page cannot compute: places, outlines, names, neighbours. All boards
of a grid share it, and its name follows from its content, so that a browser may keep it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ...games.grids import EMPTY, O_STONE, X_STONE, Grid
from ...render.picture.layout import Outline
from ...render.picture.shapes import empty_board
from .svg import BELOW, UNIT, pen_of

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUES = {EMPTY: 0, X_STONE: 1, O_STONE: 2}


class BoardScript(NamedTuple):
    """The script of a grid, the key by which pages ask for it, and the size of its picture."""

    key: str
    script: str
    width: int
    height: int


@lru_cache(256)  # more than there are boards of all games in all sizes
def surface(grid: Grid) -> BoardScript:
    """Return the script of a grid.

    u  the distance between neighbours; w, h: the size of the picture; o: its middle
    n  names of the cells
    f  forms, as paths from the place of a cell
    k  kinds of cells: how far it lies from the cell before, x and y; the number of its outline's form; its
       shade; how far on its neighbours with greater numbers are, see ``spaced``
    c  the number of each cell's kind
    v  for cells at a bridge the cells that they touch across it; b: its outline, if there is one
    r  pieces of rim: the number of the cell and the number of the form, in turn
    l  the labels around the board
    """
    empty = empty_board(grid, range(len(grid)))
    where, pen = empty.where, pen_of(empty)
    labels = (((x, y + BELOW * 0.5), text) for (x, y), text in where.labels)
    forms: dict[str, int] = {}

    def form(cell: int, outline: Outline) -> int:
        return forms.setdefault(pen.form(grid.places[cell], outline), len(forms))

    kinds: dict[tuple[int | str, ...], int] = {}
    cells, before = [], (0, 0)
    for cell, (x, y) in enumerate(pen.spots):
        after = spaced(other - cell for other in grid.neighbours[cell] if other > cell)
        outline = form(cell, where.outlines[cell])
        kind = (x - before[0], y - before[1], outline, where.shades[cell], after)
        cells.append(kinds.setdefault(kind, len(kinds)))
        before = x, y
    rim = [(cell, form(cell, each)) for cell, pieces in enumerate(where.rim) for each in pieces]
    facts = {
        "u": UNIT,
        "w": pen.width,
        "h": pen.height,
        "o": pen.at((0.0, 0.0)),
        "n": " ".join(grid.names),
        "f": list(forms),
        "k": list(kinds),
        "c": cells,
        "v": where.spanned,
        "b": pen.polygon(where.bridge) if where.bridge else "",
        "r": [number for piece in rim for number in piece],
        "l": [[*pen.at(at), text] for at, text in labels],
    }
    content = json.dumps(facts, separators=(",", ":"))
    key = hashlib.sha256(content.encode()).hexdigest()[:10]
    return BoardScript(key, f'surface("{key}",{content})\n', pen.width, pen.height)


def packed(stones: bytes) -> str:
    """Return stones in few letters, three cells in each, without empty letters at the end."""
    values = [_VALUES.get(stone, 0) for stone in stones]
    values += [0] * (-len(values) % 3)
    letters = (
        _LETTERS[9 * values[at] + 3 * values[at + 1] + values[at + 2]]
        for at in range(0, len(values), 3)
    )
    return "".join(letters).rstrip("A")


def numbered(cells: Iterable[int]) -> str:
    """Return the numbers of cells, two letters each."""
    return "".join(_LETTERS[cell // 64] + _LETTERS[cell % 64] for cell in cells)


def deflated(ways: Iterable[tuple[int, Iterable[int]]]) -> str:
    """Return ways, each a cell with those that it leads to, in about two thirds of what ``spaced`` takes.

    They are bytes of distances, 0 after each way, 255 for a distance of 254 that ends at no cell; each
    first cell is counted from the first cell of the way before. Raw deflate, in base64 for addresses,
    packs them.
    """
    content, before = bytearray(), -1
    for origin, cells in sorted(ways):
        content += _distances((origin,), before) + _distances(sorted(cells), -1) + b"\0"
        before = origin
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    whole = packer.compress(bytes(content)) + packer.flush()
    return urlsafe_b64encode(whole).decode("ascii").rstrip("=")


def _distances(cells: Iterable[int], before: int) -> bytes:
    found = bytearray()
    for cell in cells:
        far, near = divmod(cell - before - 1, 254)
        found += bytes([255] * far + [near + 1])
        before = cell
    return bytes(found)


def spaced(cells: Iterable[int]) -> str:
    """Return the numbers of cells by their distances, mostly a letter each; ``_`` adds 63 to the next."""
    letters, before = "", 0
    for cell in sorted(cells):
        far, near = divmod(cell - before, 63)
        letters += _LETTERS[63] * far + _LETTERS[near]
        before = cell
    return letters
