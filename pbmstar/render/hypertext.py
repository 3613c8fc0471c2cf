"""Pieces of the HTML part: the board, paragraphs, links; the templates put them together.

Inline styles only, since many mail programs drop all others; the board has its own background and
colours, so that a program's dark mode cannot hide it. Stones differ in letter, weight and slant,
chains that reach the edge are underlined, the last move stands out reversed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from .view import View

_FIXED = "font-family:Consolas,Menlo,'DejaVu Sans Mono','Courier New',monospace"
_LISTED = f'style="{_FIXED};font-size:13px;white-space:pre-wrap"'
_LAST = "color:#fff;outline:2px solid #000"


def _mark(who: str, tag: str, colour: str, line: str, edge: bool, last: bool) -> str:
    """A stone: bold or italic by element, all else by style. Short: a board may have 500 stones."""
    style = f"color:{colour}" + (f";border-bottom:2px {line}" if edge else "")
    if last:
        style = f"background:{colour};{_LAST}"
    return f'<{tag}\nstyle="{style}">{who}</{tag}>'  # the line break keeps the mail's lines short


_MARKS = {
    (look[0], edge, last): _mark(*look, edge, last)
    for look in (("x", "b", "#800", "solid"), ("o", "i", "#028", "dotted"))
    for edge in (False, True)
    for last in (False, True)
}
_LONG = 56  # a line of running text that is longer goes on in the next


def draw(view: View) -> Markup:
    """The board: the same characters as in the text, the stones and the last move marked."""
    spots, drawing = view.match.game.grid.spots, view.drawing
    pieces, here = [], 0
    for spot, _, who, edge, last in sorted((spots[stone.cell], *stone) for stone in view.stones):
        pieces.append(drawing[here:spot])
        pieces.append(_MARKS[who, edge, last])
        here = spot + 1
    pieces.append(drawing[here:])
    columns = max(map(len, drawing.split("\n")))
    size = max(8, min(15, 536 // columns))  # as wide as a phone, if it can be read
    return Markup(  # noqa: S704 - the drawing has letters, digits and signs that need no escape
        f'<pre role="img" aria-label="board {view.number}" style="{_FIXED};font-size:{size}px;'
        'line-height:1.25;background:#fff;color:#222;padding:8px;overflow-x:auto">'
        f"{''.join(pieces)}</pre>"
    )


def pre(text: str) -> Markup:
    """Lines that stay as they are, in a fixed font. Markup in them is kept, all else escaped."""
    return Markup(f"<pre {_LISTED}>{escape(text)}</pre>")  # noqa: S704


def joined(words: Iterable[str]) -> Markup:
    """Short texts one after the other; none is broken at the end of a line."""
    return Markup(",\n".join(map(_whole, words)))  # noqa: S704


@lru_cache(4096)  # a letter names all moves of its board, most of which were in the last one
def _whole(word: str) -> str:
    return str(escape(word)).replace(" ", "&nbsp;")


@lru_cache(16)  # both players get the same comment
def paragraphs(text: str) -> Markup:
    """Text of paragraphs with empty lines between them.

    Running text is set anew by the reader's program; where a line is indented, lines stay as they
    are.
    """
    pieces = [piece.strip("\n") for piece in text.split("\n\n")]
    return Markup("\n".join(_paragraph(piece) for piece in pieces if piece))  # noqa: S704


def page(text: str) -> Markup:
    """The text of a help page: its title, headings (short lines alone), and paragraphs."""
    pieces = [piece.strip("\n") for piece in text.strip("\n").split("\n\n")]
    parts = []
    for number, piece in enumerate(piece for piece in pieces if piece):
        if _HEADING.fullmatch(piece):
            level, size = ("h1", 20) if number == 0 else ("h2", 17)
            style = f"font-size:{size}px;margin:14px 0 4px"
            parts.append(f'<{level} style="{style}">{escape(piece)}</{level}>')
        else:
            parts.append(_paragraph(piece))
    return Markup("\n".join(parts))  # noqa: S704


_HEADING = re.compile(r"[A-Z*][^\n]{0,38}[^\n.,:;!?]")
_ITEMS = re.compile(r"- .*(\n(- |  (?! )).*)*")


def _paragraph(text: str) -> str:
    if _ITEMS.fullmatch(text):
        items = text.replace("\n  ", "\n").split("\n- ")
        style = "margin:0 0 6px 14px;text-indent:-14px"
        return "\n".join(
            f'<p style="{style}">{escape(item if item[:2] == "- " else f"- {item}")}</p>'
            for item in items
        )
    if text[0] == " " or "\n " in text:
        return pre(text)
    *lines, last = str(escape(text)).split("\n")
    return "<p>" + "".join(f"{line}{_end(line)}" for line in lines) + f"{last}</p>"


def _end(line: str) -> str:
    """What follows a line of running text: a short one stays a line of its own."""
    return "\n" if len(line) >= _LONG else "<br>\n"
