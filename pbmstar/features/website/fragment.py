"""The address of the page where a player chooses a move on a big board; it has all that the page needs.

These facts stand after the ``#``, so that no web server sees them, in letters that no mail program
changes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from html import escape
from itertools import product
from typing import Any
from urllib.parse import quote
from zlib import crc32

from ...games import title_of
from ...games.base import STONE
from ...machine.times import HOUR
from ...render import drawings
from ...render.board import clock_face
from ...render.board.view import View
from ...render.translator import Translator
from .board_script import deflated, numbered, packed, spaced, surface

LONGEST = 900  # characters of the address in HTML: a line of a message has at most 998
_WORDS = ("pass", "swap")  # moves that are not cells, as words of a reply
_MANY = 9
_WORDS_SHOWN = 120  # characters of the opponent's words


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
