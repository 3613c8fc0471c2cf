"""The HTML part of a letter: the same as its text, made from it, readable on a phone.

Inline styles only, since many mail programs drop all others; the board has its own background and
colours, so that a program's dark mode cannot hide it. Stones differ in letter, weight and slant,
chains that reach the edge are underlined, the last move stands out reversed.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from urllib.parse import quote

from ..games.boards import EMPTY, O_STONE, X_STONE
from ..match import Match

_FIXED = "font-family:Consolas,Menlo,'DejaVu Sans Mono','Courier New',monospace"
_LISTED = f'style="{_FIXED};font-size:13px;white-space:pre-wrap"'
_HEAD = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>Board</title></head>\n'
    '<body style="margin:0;padding:8px;font-family:sans-serif;font-size:15px;line-height:1.4">\n'
)
# Bold and italic by element, all else by style: short, since a board may have 500 stones.
_TAG = {X_STONE: "b", O_STONE: "i"}
_PLAIN = {X_STONE: "color:#800", O_STONE: "color:#028"}
_EDGE = {X_STONE: ";border-bottom:2px solid", O_STONE: ";border-bottom:2px dotted"}
_LAST = {
    X_STONE: "background:#800;color:#fff;outline:2px solid #000",
    O_STONE: "background:#028;color:#fff;outline:2px solid #000",
}
_LONG = 56  # a line of running text that is longer goes on in the next


def hypertext(text: str, ready: Mapping[str, str], links: str = "", to: str = "") -> str:
    """The HTML of a letter's text.

    ready      pieces of the text, and what they are as HTML already
    links, to  the line of the text whose words become links, each to a mail of that word to ``to``
    """
    said = [_HEAD]
    for piece, html in ready.items():
        before, found, after = text.partition(piece)
        if found:
            said += [paragraphs(before), html]
            text = after
    body = paragraphs(text)
    if links:
        body = body.replace(links, _linked(links, to), 1)
    return "".join((*said, body, "</body></html>\n"))


def paragraphs(text: str) -> str:
    """Text as HTML: running text is set anew; where a line is indented, lines stay as they are."""
    said = []
    for paragraph in escape(text, quote=False).split("\n\n"):
        paragraph = paragraph.strip("\n")
        if paragraph.startswith("****"):  # the line before a comment
            said.append('<hr style="border:0;border-top:3px double #888">\n')
            paragraph = paragraph.lstrip("*\n")
        if not paragraph:
            continue
        if paragraph[0] == " " or "\n " in paragraph:
            said.append(f"<pre {_LISTED}>{paragraph}</pre>\n")
        else:
            lines = [line + "<br>" if len(line) < _LONG else line for line in paragraph.split("\n")]
            said.append(f"<p>{_joined(lines)}</p>\n")
    return "".join(said)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).removesuffix("<br>")


def _linked(line: str, to: str) -> str:
    """The words of a line, plain letters all, each a link to a mail that says just that word."""
    href = f"mailto:{quote(to, safe='@')}?body="
    return "  " + "  ".join(f'<a href="{href}{word}">{word}</a>' for word in line.split())


def draw(match: Match, drawing: str) -> str:
    """The board as HTML: the same characters, the stones and the last move marked."""
    game, stones = match.game, match.position.stones
    grid = game.grid
    styles: dict[int, str] = {}
    for stone, plain in _PLAIN.items():
        for chain in grid.chains(stones, stone):
            style = plain + (_EDGE[stone] if any(game.edges[cell] for cell in chain) else "")
            for cell in chain:
                styles[grid.spots[cell]] = style
    last = match.record[-1].move if match.record else ""
    for name in last.split():
        placed = grid.index.get(name)
        if placed is not None and stones[placed] != EMPTY:
            styles[grid.spots[placed]] = _LAST[stones[placed]]
    said, here = [], 0
    for spot in sorted(styles):  # a line break inside each tag keeps the lines of the mail short
        tag = _TAG[ord(drawing[spot])]
        said.append(drawing[here:spot])
        said.append(f'<{tag}\nstyle="{styles[spot]}">{drawing[spot]}</{tag}>')
        here = spot + 1
    said.append(drawing[here:])
    columns = max(map(len, drawing.split("\n")))
    size = max(8, min(15, 560 // columns))
    return (
        f'<pre role="img" aria-label="board {match.number}" style="{_FIXED};font-size:{size}px;'
        'line-height:1.25;background:#fff;color:#222;padding:8px;overflow-x:auto">'
        f"{''.join(said)}</pre>\n"
    )
