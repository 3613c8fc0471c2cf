"""The HTML part of a letter: the same as its text, made from it, readable on a phone.

Inline styles only, since many mail programs drop all others; the board has its own background and
colours, so that a program's dark mode cannot hide it. Stones differ in letter, weight and slant,
chains that reach the edge are underlined, the last move stands out reversed.
"""

from __future__ import annotations

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
_FOOT = "</body></html>\n"
# Bold and italic by element, all else by style: short, since a board may have 500 stones.
_TAG = {X_STONE: "b", O_STONE: "i"}
_PLAIN = {X_STONE: "color:#800", O_STONE: "color:#028"}
_EDGE = {X_STONE: ";border-bottom:2px solid", O_STONE: ";border-bottom:2px dotted"}
_LAST = {
    X_STONE: "background:#800;color:#fff;outline:2px solid #000",
    O_STONE: "background:#028;color:#fff;outline:2px solid #000",
}
_LONG = 56  # a line of running text that is longer goes on in the next


CHOICES = "\x1a"  # stands in a draft for what differs between the players


def hypertext(text: str) -> str:
    """The HTML of a letter's text."""
    return f"{_HEAD}{paragraphs(text)}{_FOOT}"


class Draft:
    """A letter that several players get, alike but for CHOICES; its HTML is made once."""

    def __init__(self, text: str, summary: str, summary_html: str) -> None:
        """``summary`` is a piece of the text, and what it is as HTML already."""
        self._texts = text.split(CHOICES)
        self._htmls = [_with(piece, summary, summary_html) for piece in self._texts]

    def filled(self, choices: str, words: str, to: str) -> tuple[str, str]:
        """Text and HTML with a player's choices; the line ``words`` becomes links to mails to ``to``."""
        html = paragraphs(choices)
        if words:
            html = html.replace(words, _linked(words, to), 1)
        return choices.join(self._texts), f"{_HEAD}{html.join(self._htmls)}{_FOOT}"


def _with(text: str, piece: str, html: str) -> str:
    before, found, after = text.partition(piece)
    return paragraphs(before) + html + paragraphs(after) if found else paragraphs(text)


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
