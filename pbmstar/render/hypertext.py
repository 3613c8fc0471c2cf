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
_PAGE = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>{title}</title></head>\n'
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


def hypertext(subject: str, text: str, drawing: str, drawn: str, reply_to: str, words: str) -> str:
    """The HTML of a letter's text.

    drawing, drawn  the board as it stands in the text, and as HTML of ``draw``
    words           the line of the text whose words become links that mail them to ``reply_to``
    """
    said = [_PAGE.format(title=escape(subject))]
    before, found, after = text.partition(drawing) if drawing else (text, "", "")
    said += _paragraphs(before, subject, reply_to, words)
    if found:
        said.append(drawn)
        said += _paragraphs(after, subject, reply_to, words)
    said.append("</body></html>\n")
    return "".join(said)


def _paragraphs(text: str, subject: str, reply_to: str, words: str) -> list[str]:
    """Running text is set anew; where a line is indented, lines stay as they are."""
    said = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        if lines == [""]:
            continue
        if set(lines[0]) == {"*"}:  # the line before a comment
            said.append('<hr style="border:0;border-top:3px double #888888">\n')
            lines = lines[1:] or [""]
        if any(line.startswith(" ") for line in lines):
            inner = "\n".join(
                _links(line, subject, reply_to) if words and line == words else escape(line)
                for line in lines
            )
            said.append(
                f'<pre style="{_FIXED};font-size:13px;white-space:pre-wrap;margin:10px 0">{inner}</pre>\n'
            )
        else:
            inner = "".join(
                escape(line) + (" " if len(line) > _LONG else "<br>") for line in lines[:-1]
            )
            said.append(f'<p style="margin:10px 0">{inner}{escape(lines[-1])}</p>\n')
    return said


def _links(line: str, subject: str, reply_to: str) -> str:
    """The words of a line, each a link to a mail that says just that word."""
    to = quote(reply_to, safe="@")
    about = quote(subject, safe="")
    links = [
        f'<a href="mailto:{to}?subject={about}&amp;body={quote(word, safe="")}">{escape(word)}</a>'
        for word in line.split()
    ]
    return "  " + "  ".join(links)


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
    for spot in sorted(styles):
        said.append(escape(drawing[here:spot]))
        tag = _TAG[ord(drawing[spot])]
        said.append(f'<{tag} style="{styles[spot]}">{drawing[spot]}</{tag}>')
        here = spot + 1
    said.append(escape(drawing[here:]))
    columns = max(map(len, drawing.split("\n")))
    size = max(8, min(15, 560 // columns))
    label = f"{game.title} board {match.number}"
    return (
        f'<pre role="img" aria-label="{escape(label)}" style="{_FIXED};font-size:{size}px;'
        "line-height:1.25;background:#ffffff;color:#222222;padding:8px;margin:10px 0;"
        f'overflow-x:auto">{"".join(said)}</pre>\n'
    )
