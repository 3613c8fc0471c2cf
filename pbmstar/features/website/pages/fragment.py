"""The address of the page where a player chooses a move on a big board; it has all that the page needs.

These facts stand after the ``#``, so that no web server sees them, in letters that no mail program
changes.

The empty board of a grid as a script for web pages, which draw stones on it.

It has the facts of a board that a page cannot compute: places, outlines, names, neighbours. All boards
of a grid share it, and its name follows from its content, so that a browser may keep it.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import quote
from zlib import crc32

from ....games import title_of
from ....games.base import STONE
from ....games.grids import EMPTY, O_STONE, X_STONE, Grid
from ....machine.times import HOUR
from ....render import drawings
from ....render.board import clock_face
from ....render.board.view import View
from ....render.picture.layout import Outline
from ....render.picture.shapes import empty_board
from ....render.translator import Translator
from .svg import BELOW, UNIT, pen_of

LONGEST = 900  # characters of the address in HTML: a line of a message has at most 998
_WORDS = ("pass", "swap")  # moves that are not cells, as words of a reply
_MANY = 9
_WORDS_SHOWN = 120  # characters of the opponent's words
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUES = {EMPTY: 0, X_STONE: 1, O_STONE: 2}


def big_board(
    view: View, url: str, words: str = "", following: Mapping[str, Any] | None = None
) -> str:
    """Return the address for a letter; empty if its reader is not to move, or it would be too long.

    words      those that the opponent has sent with the move; their beginning is shown
    following  the next board that waits for the reader: its number, the word of its game, the opponent
    """
    if not url or not drawings.can_tap(view):
        return ""
    form, targets, ways = _turn(view)
    is_offered = view.translator.language in Translator.offered()
    place = (
        "play/"
        if view.translator.is_english or not is_offered
        else f"{view.translator.language}/play/"
    )
    # The shorter forms are for boards with many targets: browsers older than 2023 do not know the second.
    ways_known: tuple[Mapping[str, str], ...] = (
        {"t": targets},
        {"z": deflated(ways) if ways else ""},
        {},
    )
    for known, more in product(ways_known, _beside(view, words, following)):
        address = f"{url}/{place}#{_fragment(view, form, {**known, **more})}"
        if len(escape(address)) <= LONGEST:
            return address
    return ""


def _beside(
    view: View, words: str, following: Mapping[str, Any] | None
) -> Iterator[Mapping[str, str]]:
    """Yield what the page shows beside the board, then less and less of it: an address has a length.

    n       X's least and most points, then O's; s: the points of both as the board stands
    fx, fo  the time of each player: the hours left, the hours in all, and both in words
    i       the beginning of the opponent's words
    j       the next board that waits: its number, the title of its game, the opponent
    q       the record, a ``Z`` for each ``*``
    """
    sides = {side.stone: side for side in view.sides}
    ends = [
        end for stone in "xo" if stone in sides for end in (sides[stone].low, sides[stone].high)
    ]
    least = {"n": ".".join(map(str, ends))} if len(ends) == 4 and None not in ends else {}
    points = [sides[stone].points for stone in "xo" if stone in sides]
    if len(points) == 2 and None not in points:
        least["s"] = ".".join(map(str, points))
    if following:
        title = title_of(following["word"])
        least["j"] = f"{following['number']}|{title}|{following['userid']}"
    times = _times(view)
    record = ".".join(entry.move.replace("*", "Z").replace(" ", "-") for entry in view.match.whole)
    said = {"i": textwrap.shorten(words, _WORDS_SHOWN, placeholder=" …")} if words else {}
    yield {**least, **times, **said, "q": record}
    yield {**least, **times, **said}
    yield {**least, **times}
    yield least
    yield {}


def _times(view: View) -> dict[str, str]:
    """Return the times of the players when the letter was written."""
    pace = view.match.terms.pace
    if pace is None:
        return {}
    stones = {who: name.lower() for name, who in view.match.players.items()}
    whole = max(pace.bank, *view.left.values()) if view.left else pace.bank
    return {
        f"f{stones[who]}": f"{seconds // HOUR}|{whole // HOUR}|{_left(seconds, view.translator)}"
        for who, seconds in view.left.items()
    }


def _left(seconds: int, translator: Translator) -> str:
    return translator.tell("{time} left", time=translator.say(clock_face.length(seconds)))


def _fragment(view: View, form: str, known: Mapping[str, str]) -> str:
    """Return the words of the page, and last a sum over all of them.

    k, p, l  the surface, the stones on it, the cells of the last move
    g, h     game and board; the last move
    x, o     the players of X and O; m: the reader's stone
    w        the form of a turn: a number of cells (c1, c2; c9: any number), or of cells of a way
             (p2, p9), and a + if other cells may follow it
    t        the cells that can take a stone or, by the cell of each stone that can move, the cells
             that it can go to; z: the same, packed; both absent: not known
    b        words that are moves too
    r        the address that the move goes to, and perhaps a word for the end of its Subject
    """
    match = view.match
    stones = {name.lower(): who for name, who in match.players.items()}
    player = next(p for p, who in match.players.items() if who == match.to_move)
    words = {
        "k": surface(match.game.grid).key,
        "p": packed(match.position.stones),
        "l": numbered(stone.cell for stone in view.stones if stone.last),
        "g": view.translator.tell("{title} board {number}", title=view.title, number=view.number),
        "h": view.played,
        **stones,
        "m": chr(STONE[player]),
        "w": form,
        **known,
        "b": " ".join(word for word in view.words if word in _WORDS),
        "r": view.reply_to,
    }
    text = "&".join(f"{name}={quote(word, safe='')}" for name, word in words.items() if word)
    return f"{text}&c={crc32(text.encode()):08x}"


def _turn(view: View) -> tuple[str, str, list[tuple[int, set[int]]]]:
    """Return the form of a turn, its targets, and the ways of stones that move."""
    game, index = view.match.game, view.match.game.grid.index
    many = "..." in game.written
    if drawings.places_stones(view):
        free = drawings.free_cells(view)
        is_any = len(free) == view.match.position.stones.count(game.grid.empty[:1])
        count = _MANY if many else 2 if view.pairwise else 1
        return f"c{count}", "" if is_any else spaced(free), []
    movements = drawings.movements(view.match)
    form = f"p{_MANY if many else 2}"
    if any(drawings.MORE in move for _, moves in movements for move in moves):
        form += "+"
    ways = [
        (index[origin], {index[m.split("-")[1].removesuffix(drawings.MORE)] for m in moves})
        for origin, moves in movements
    ]
    return form, ".".join(numbered([cell]) + spaced(goals) for cell, goals in ways), ways


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
        return forms.setdefault(pen.form(where.places[cell], outline), len(forms))

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
