"""Pieces of the HTML part: the board, paragraphs, links; the templates put them together.

Inline styles only, since many mail programs drop all others; the board has its own background and
colours, so that a program's dark mode cannot hide it. Stones differ in letter, weight and slant,
chains that reach the edge are underlined, the last move stands out reversed.
"""

from __future__ import annotations

from urllib.parse import quote

from markupsafe import Markup, escape

from .view import View

_FIXED = "font-family:Consolas,Menlo,'DejaVu Sans Mono','Courier New',monospace"
_LISTED = f'style="{_FIXED};font-size:13px;white-space:pre-wrap"'
# Bold and italic by element, all else by style: short, since a board may have 500 stones.
_TAG = {"x": "b", "o": "i"}
_PLAIN = {"x": "color:#800", "o": "color:#028"}
_EDGE = {"x": ";border-bottom:2px solid", "o": ";border-bottom:2px dotted"}
_LAST = {
    "x": "background:#800;color:#fff;outline:2px solid #000",
    "o": "background:#028;color:#fff;outline:2px solid #000",
}
_LONG = 56  # a line of running text that is longer goes on in the next


def draw(view: View) -> Markup:
    """The board: the same characters as in the text, the stones and the last move marked."""
    spots, drawing = view.match.game.grid.spots, view.drawing
    pieces, here = [], 0
    for spot, stone in sorted((spots[stone.cell], stone) for stone in view.stones):
        who = stone.stone
        style = _LAST[who] if stone.last else _PLAIN[who] + (_EDGE[who] if stone.edge else "")
        # a line break inside each tag keeps the lines of the mail short
        mark = f'<{_TAG[who]}\nstyle="{style}">{who}</{_TAG[who]}>'
        pieces += [drawing[here:spot], mark]
        here = spot + 1
    pieces.append(drawing[here:])
    columns = max(map(len, drawing.split("\n")))
    size = max(8, min(15, 560 // columns))
    return Markup(  # noqa: S704 - the drawing has letters, digits and signs that need no escape
        f'<pre role="img" aria-label="board {view.number}" style="{_FIXED};font-size:{size}px;'
        'line-height:1.25;background:#fff;color:#222;padding:8px;overflow-x:auto">'
        f"{''.join(pieces)}</pre>"
    )


def pre(text: str) -> Markup:
    """Lines that stay as they are, in a fixed font. Markup in them is kept, all else escaped."""
    return Markup(f"<pre {_LISTED}>{escape(text)}</pre>")  # noqa: S704


def links(words: tuple[str, ...], to: str) -> Markup:
    """Each of a few words a link to a mail to ``to`` that says just that."""
    href = f"mailto:{quote(to, safe='@')}?body="
    return Markup("  ").join(
        Markup('<a href="{}{}">{}</a>').format(href, quote(word), word) for word in words
    )


def paragraphs(text: str) -> Markup:
    """Text of paragraphs with empty lines between them.

    Running text is set anew by the reader's program; where a line is indented, lines stay as they
    are.
    """
    return Markup("\n").join(
        _paragraph(each) for each in text.split("\n\n") for each in [each.strip("\n")] if each
    )


def _paragraph(text: str) -> Markup:
    if text[0] == " " or "\n " in text:
        return pre(text)
    *lines, last = [escape(line) for line in text.split("\n")]
    lines = [line + Markup("<br>") if len(line) < _LONG else line for line in lines]
    return Markup("<p>{}</p>").format(Markup("\n").join([*lines, last]))
