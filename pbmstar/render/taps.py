"""The board to tap: its picture with an image map, and below it the moves as rows of links.

A tap opens a mail with the move as its Subject. Where stones are placed a row is one of the board,
where they move it is one stone and where it can go. Rows carry no colours but that of a border, so
that no program's dark mode can hide them, and stones are letters, so that they can be heard.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from ..games.boards import EMPTY, O_STONE, X_STONE
from ..match import Match
from .cells import ADDRESS, Box, circles, links, rows, subject
from .view import View

WIDE = 640  # pixels of the picture in a window that is wide enough
_LEAST = 20  # pixels between cells that can be tapped on a picture
ROOM = 88_000  # characters that the HTML may have in all
_OTHERS = 9_000  # of them for all but cells and moves
MORE = "+"  # behind a move to which something is to be added by hand


class Shown(NamedTuple):
    """A picture that the letter carries: its Content-ID, its box in the board's units, its width.

    On a phone it is shown half as wide as it has pixels: there a pixel of a page is two of the screen.
    """

    cid: str
    box: Box
    width: int


def mailto(reply_to: str, word: str) -> str:
    """The address of a mail with that word as its Subject; ``*`` is written ``Z``, as it may get lost."""
    return _to(reply_to) + subject(word)


@lru_cache(16)  # a letter asks for the same one hundreds of times
def _to(reply_to: str) -> str:
    return f"mailto:{quote(reply_to, safe='@')}?subject="


def can_tap(view: View) -> bool:
    """Whether the reader is to move, by a reply."""
    return view.moving and bool(view.reply_to)


def how(view: View) -> str:
    """How a tap makes a move."""
    more = ""
    if _places(view):
        if view.pairwise:
            more = "A turn is two cells: tap the first, and write the second behind the +."
    elif not _fits(view):
        more = "Tap a stone, and write where it goes behind the -."
    elif any(MORE in move for _, moves in _movements(view.match) for move in moves):
        more = "Behind a + write the cells for the stones that you enclose."
    words = "What you write in it goes to your opponent." if len(view.sides) > 1 else ""
    return " ".join(
        filter(None, ("A mail opens with your move as its Subject: send it.", more, words))
    )


def targets(view: View) -> Markup:
    """The moves to tap, as rows. The reader ``can_tap``."""
    return _cells(view) if _places(view) else _moves(view)


def image(view: View, shown: Shown) -> Markup:
    """The picture: narrow, and where there is room for its map, wide as well."""
    alt = escape(_alt(view))
    taps = can_tap(view) and _places(view)
    cells = _free(view) if taps else []
    room = _room(view) - len(cells) * _size(view)
    narrow = shown.width // 2
    maps = {"n": "", "w": ""}
    for name, width in zip(maps, (narrow, WIDE), strict=True):
        if cells and width / shown.box[2] >= _LEAST:
            areas = _map(view, shown, width, name, cells)
            if len(areas) < room:
                maps[name] = areas
                room -= len(areas)

    def mapped(name: str, width: int, hidden: str = "") -> str:
        height = round(width * shown.box[3] / shown.box[2])
        uses = f' usemap="#{name}"' if maps[name] else ""
        return (
            f'<img src="cid:{shown.cid}" width="{width}" height="{height}" border="0"\n'
            f'alt="{alt}" class="{name}" style="{hidden}border-radius:8px"{uses}>{maps[name]}'
        )

    if not any(maps.values()):
        return Markup(  # noqa: S704 - all that is not ours is escaped
            f'<img src="cid:{shown.cid}" width="{WIDE}" border="0"\nalt="{alt}" '
            f'style="width:100%;max-width:{WIDE}px;height:auto;border-radius:8px">'
        )
    return Markup(  # noqa: S704
        mapped("n", narrow)
        + "\n<!--[if !mso]><!-->"
        + mapped("w", WIDE, "display:none;max-height:0;")
        + "<!--<![endif]-->"
    )


def _places(view: View) -> bool:
    """Whether a move of the game is a cell, or begins with one to put a stone on."""
    return view.match.game.written.startswith("coord")


def _cells(view: View) -> Markup:
    """All cells in rows: ``x``, ``o``, and a link for each that a stone can be put on."""
    grid, stones = view.match.game.grid, view.match.position.stones
    cells = [_STANDS.get(stone, "<i>#</i>") for stone in stones]
    taps = links(grid, _more(view))
    for number in _free(view):
        cells[number] = taps[number]
    order, pieces = rows(grid)
    drawn = [cells[number] or f"<i>{escape(grid.names[number])}</i>" for number in order]
    text = "".join(itertools.chain.from_iterable(zip(pieces, drawn, strict=False)))
    text = text.replace(ADDRESS, _to(view.reply_to)) + pieces[-1]
    return Markup(f'<div style="max-width:{WIDE}px">{text}</div>')  # noqa: S704


_STANDS = {X_STONE: "<b>x</b>", O_STONE: "<i>o</i>", EMPTY: ""}


def _free(view: View) -> list[int]:
    """The cells that a stone can be put on."""
    grid, position = view.match.game.grid, view.match.position
    if view.pairwise:
        return [cell for cell, stone in enumerate(position.stones) if stone == EMPTY]
    return [grid.index[move] for move in position.moves() if move in grid.index]


def _moves(view: View) -> Markup:
    """A row for each stone that can move: what it is on, and where it goes, a link each.

    If these are too many for a letter the stone is the link, and what is missing is to be written.
    """
    fits, rows = _fits(view), []
    for origin, moves in _movements(view.match):
        goals = [move.removeprefix(f"{origin}-") for move in moves]
        if fits:
            stone = f"<b>{escape(origin)}</b>"
            ways = [_link(view, goal, move) for goal, move in zip(goals, moves, strict=True)]
        else:
            stone = _link(view, origin, f"{origin}-")
            ways = [str(escape(goal)) for goal in goals]
        rows.append(f'<p class="c" style="margin:0 0 8px">{stone} to\n{chr(10).join(ways)}</p>')
    return Markup(f'<div style="max-width:{WIDE}px">{chr(10).join(rows)}</div>')  # noqa: S704


@lru_cache(4)
def _movements(match: Match) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """By the cells that they begin on the moves of stones; for what follows a blank stands ``MORE``."""
    ways: dict[str, dict[str, None]] = {}
    for move in match.position.moves():
        movement, _, rest = move.partition(" ")
        origin, dash, _ = movement.partition("-")
        if dash:
            ways.setdefault(origin, {})[movement + (MORE if rest else "")] = None
    return tuple((origin, tuple(moves)) for origin, moves in ways.items())


def _fits(view: View) -> bool:
    """Whether there is room for a link for each movement."""
    return sum(len(moves) for _, moves in _movements(view.match)) * _size(view) < _room(view)


def _room(view: View) -> int:
    """The characters that there are for links and image maps."""
    return ROOM - _OTHERS - len(view.moves) * 14


def _size(view: View) -> int:
    """About how many characters a link has."""
    return 90 + len(view.reply_to)


def _link(view: View, label: str, move: str) -> str:
    """A move to tap."""
    return f'<a\nhref="{mailto(view.reply_to, move)}">{escape(label)}</a>'


def _more(view: View) -> str:
    """What is behind a cell to tap: two that are due at once are not tapped at once."""
    return MORE if view.pairwise else ""


def buttons(words: Iterable[str], reply_to: str) -> Markup:
    """Words to tap."""
    style = (
        "display:inline-block;padding:11px 15px;margin:0 6px 8px 0;border:1px solid;"
        "border-radius:8px;text-decoration:none"
    )
    return Markup(  # noqa: S704
        "\n".join(
            f'<a style="{style}"\nhref="{mailto(reply_to, word)}">{escape(word)}</a>'
            for word in words
        )
    )


def _map(view: View, shown: Shown, width: int, name: str, cells: Sequence[int]) -> str:
    """A circle for each of the cells."""
    areas = circles(view.match.game.grid, shown.box, width, _more(view))
    text = "".join([areas[number] for number in cells]).replace(ADDRESS, _to(view.reply_to))
    return f'<map name="{name}">{text}</map>'


def _alt(view: View) -> str:
    stones = view.match.position.stones
    of = ", ".join(
        f"{stones.count(side.stone.encode('ascii'))} of {side.userid}" for side in view.sides
    )
    below = " All cells are in the rows below." if can_tap(view) and _places(view) else ""
    what = f"Board {view.number}" if view.number else "The board"
    return f"{what}, stones: {of}.{below}"
