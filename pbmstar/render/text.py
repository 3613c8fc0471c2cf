"""Texts of a letter: lines of at most WIDTH columns, tables, boards, and paragraphs of HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from ..errors import say
from ..games.base import STONE
from ..games.grids import EMPTY
from . import style
from .board.view import View

WIDTH = 72
_TABLE = 42  # columns of a table: a phone in upright position shows as many
_TITLE = 40  # characters of a title at most
_SIGNS = str.maketrans({"x": "\u25cf", "o": "\u25cb", ".": "\u00b7"})
_TOLD = 12  # empty cells at the edge that are named at most; of more only the number is told
_LONG = 56  # a line of running text that is longer goes on in the next
_HEADING = re.compile(r"[^\n:]{1,39}[^\n.,:;!?]")  # after a capital letter or a star
_GLUE = "\x1a"  # no text has it, and no line breaks at it
_BEHIND_A_BLANK = re.compile(r" (?=[:;?!](?: |$))")
_ITEMS = re.compile(r"- .*(\n(- |  (?! )).*)*")


def wrap(text: str) -> str:
    """Set lines of at most WIDTH columns; line ends in ``text`` are kept, words too long are cut."""
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) <= WIDTH:
            lines.append(line.rstrip())
        else:
            lines += _wrapped(line, WIDTH)
    return type(text)("\n".join(lines))  # Markup stays what it is


# What both parts of a letter tell is set for each of them, although only one may show it.
@lru_cache(200)
def _wrapped(line: str, width: int) -> list[str]:
    return [each.replace(_GLUE, " ") for each in textwrap.wrap(_glued(line), width)] or [""]


def _glued(text: str) -> str:
    """Return a text whose colons and marks behind a blank, as French has them, begin no line."""
    return _BEHIND_A_BLANK.sub(_GLUE, text)


def fill(text: str) -> str:
    """Set running text as one paragraph; line ends in ``text`` mean nothing.

    It ends with a newline: a template's ``{% call ui.paragraph() %}`` stands on lines of its own.
    """
    words = str.split(text)  # of Markup each would be Markup
    return type(text)(hang(" ".join(words)) + "\n")


def hang(text: str, first: str = "", further: str = "") -> str:
    """Set one line indented by ``first``, its further lines by ``further``; a word is never cut."""
    if len(first) + len(text) <= WIDTH:
        return first + text
    return _set(text, first, further)


def fitted(sentences: Iterable[str]) -> str:
    """Set sentences on one line if they fit, otherwise each on a line of its own."""
    line = " ".join(sentences)
    return line if len(line) <= WIDTH else "\n".join(map(hang, sentences))


def in_rows(words: Iterable[str], how: str = "") -> str:
    """Set short texts one after the other; none is broken at the end of a line.

    They follow ``how`` on its line, or stand below it, indented by two columns.
    """
    words = tuple(words)
    row = "  ".join(words)
    if how and len(how) + len(row) < WIDTH:
        return f"{how} {row}"
    rows, room = [how] if how else [], 0
    for word in words:
        room -= len(word) + 2
        if room < 0:
            rows.append("")
            room = WIDTH - 2 - len(word)
        rows[-1] += f"  {word}"
    return "\n".join(rows)


@lru_cache(200)
def _set(text: str, first: str, further: str) -> str:
    filled = textwrap.fill(
        _glued(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace(_GLUE, " ")


def quoted(text: str, begin: int = 0, end: int | None = None) -> str:
    """Set lines as ``wrap`` does, each indented by two columns; those from ``begin`` up to ``end``."""
    return "\n".join(_indented(text)[begin:end])


@lru_cache(16)  # a letter asks three times, and both players get the same words
def _indented(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        # textwrap takes 18 us to leave a short line as it is; what is not printable it may change.
        is_short = len(line) <= WIDTH - 2 and line.isprintable()
        lines += [line] if is_short else _wrapped(line, WIDTH - 2)
    return [f"  {line}".rstrip() for line in lines]


def table(cells: tuple[str, ...]) -> str:
    """Set short texts in columns, row by row; one longer than a line goes on in the next."""
    cells = tuple(
        textwrap.fill(cell.replace("-", "- "), WIDTH - 4).replace("\n", "\n    ")
        if len(cell) > WIDTH - 2
        else cell
        for cell in cells
    )
    width = max(map(len, cells), default=0) + 3
    many = max(1, _TABLE // width)
    padded = [cell.ljust(width) for cell in cells]
    rows = ["".join(padded[i : i + many]) for i in range(0, len(padded), many)]
    return "\n".join(f"  {row}".rstrip() for row in rows)


# -- a board


def drawn(view: View, drawing: str) -> str:
    """Return the board as lines in the way ``drawing``; empty for ``none`` and ``short``.

    Lines in words have at most 72 columns; other lines are as wide as the drawing.
    """
    if drawing in ("none", "short"):
        return ""
    if drawing == "words":
        return "\n".join(hang(line, "", "  ") for line in in_words(view))
    return _in_signs(view) if drawing == "unicode" else view.drawing


def _in_signs(view: View) -> str:
    """Return the drawing with a disc, a ring or a dot for each cell, and the last move in brackets."""
    spots, board = view.match.game.grid.spots, list(view.drawing)
    for spot in spots:
        board[spot] = board[spot].translate(_SIGNS)
    for spot in sorted((spots[stone.cell] for stone in view.stones if stone.last), reverse=True):
        if board[spot + 1 : spot + 2] == [" "]:
            board[spot + 1] = "]"
        elif board[spot + 1 : spot + 2] in ([], ["\n"]):
            board.insert(spot + 1, "]")
        if spot and board[spot - 1] == " ":
            board[spot - 1] = "["
    return "".join(board)


def in_words(view: View) -> list[str]:
    """Return lines on every stone by its chain, the empty edge, and the stones around the last move."""
    match, tell = view.match, view.translator.tell
    game, stones = match.game, match.position.stones
    names, grid = game.grid.names, game.grid

    def of(cells: Iterable[int]) -> str:
        return " ".join(names[cell] for cell in sorted(cells))

    lines = []
    for player in match.players:
        chains = sorted(grid.chains(stones, STONE[player]), key=lambda c: (-len(c), min(c)))
        count = sum(map(len, chains))
        parts = [
            view.translator.tell_many(
                "{player}: {count} stone.", "{player}: {count} stones.", count, player=player
            )
        ]
        for chain in chains:
            form = _CHAINS[len(chain) > 1, any(game.edges[cell] for cell in chain)]
            parts.append(tell(form.text, length=len(chain), cells=of(chain)))
        lines.append(" ".join(parts))
    free = [c for c, stone in enumerate(stones) if stone == EMPTY and game.edges[c]]
    if any(game.edges):
        told = of(free) if len(free) <= _TOLD else len(free)
        lines.append(tell("Empty cells at the edge: {cells}.", cells=told))
    for stone in view.stones:
        if stone.last:
            near = [
                f"{chr(stones[cell]).upper()} {names[cell]}"
                for cell in grid.neighbours[stone.cell]
                if stones[cell] != EMPTY
            ]
            last = f"{stone.stone.upper()} {names[stone.cell]}"
            if near:
                lines.append(
                    tell("Last move: {last}, next to {stones}.", last=last, stones=", ".join(near))
                )
            else:
                lines.append(tell("Last move: {last}, not next to any stone.", last=last))
    return lines


# By whether there is more than one stone, and whether the edge is reached.
_CHAINS = {
    (True, True): say("Chain of {length} at the edge: {cells}."),
    (True, False): say("Chain of {length}: {cells}."),
    (False, True): say("Single stones at the edge: {cells}."),
    (False, False): say("Single stones: {cells}."),
}


# -- as HTML


def pre(text: str) -> Markup:
    """Keep lines as they are, in a fixed font. Markup in them is kept, the rest is escaped."""
    return Markup(f'<pre style="{style.STYLES["wrapped"]}">{escape(text)}</pre>')  # noqa: S704


def joined(words: Iterable[str]) -> Markup:
    """Set short texts one after the other; none is broken at the end of a line."""
    return Markup(str(escape(",\n".join(words))).replace(" ", "&nbsp;"))  # noqa: S704


def paragraphs(text: str, look: str = "") -> Markup:
    """Set a text of paragraphs with empty lines between them; ``look`` names the style of running text.

    The reader's program wraps running text; where a line is indented, lines stay as they
    are.
    """
    pieces = [piece.strip("\n") for piece in text.split("\n\n")]
    return style.unbroken(
        Markup("\n".join(_paragraph(piece, look) for piece in pieces if piece))  # noqa: S704
    )


@lru_cache(16, typed=True)  # both players get the same words; of equal texts, Markup is not escaped
def quotation(text: str) -> Markup:
    """Set the words of a message as ``paragraphs`` does."""
    return paragraphs(text, "line")


def titled(text: str) -> tuple[str, str]:
    """Return the title of a help page, its first line if that stands alone, and the rest; or no title."""
    first, _, rest = text.strip("\n").partition("\n\n")
    is_title = len(first) <= _TITLE and "\n" not in first
    return (first, rest) if is_title else ("", text)


def page(text: str) -> Markup:
    """Return the text of a help page: its title, headings (short lines alone), and paragraphs."""
    said, rest = titled(text)
    return Markup("\n").join([*([style.heading(said, 1)] if said else []), body(rest)])


def body(text: str) -> Markup:
    """Return a help page without its title."""
    pieces = [piece.strip("\n") for piece in text.strip("\n").split("\n\n")]
    parts = [
        style.heading(piece) if _is_heading(piece) else _paragraph(piece)
        for piece in pieces
        if piece
    ]
    return Markup("\n".join(parts))  # noqa: S704


def _is_heading(text: str) -> bool:
    return (text[0].isupper() or text[0] == "*") and bool(_HEADING.fullmatch(text))


def _paragraph(text: str, look: str = "") -> str:
    if text[:2] == "- " and _ITEMS.fullmatch(text):
        items = text.replace("\n  ", "\n").split("\n- ")
        return "\n".join(
            f'<p style="{style.STYLES["item"]}">{escape(item if item[:2] == "- " else f"- {item}")}</p>'
            for item in items
        )
    # Most texts lack the gap, which is found out much sooner.
    if ":\n " in text and (told := _SENTENCES_AND_LINES.fullmatch(text)):
        return f"{_paragraph(told[1], look)}\n{_paragraph(told[2], look)}"
    if text[0] == " " or "\n " in text:
        return _rows(text.split("\n")) if not _is_drawing(text) else drawing(text)
    *lines, last = str(escape(text)).split("\n")
    begin = f'<p style="{style.STYLES[look]}">' if look else "<p>"
    return begin + "".join(f"{line}{_end(line)}" for line in lines) + f"{last}</p>"


# Sentences that end in a colon, and the indented lines that they announce.
_SENTENCES_AND_LINES = re.compile(r"(\S[^\n]*(?:\n\S[^\n]*)*:)\n( .*)", re.DOTALL)


def _is_drawing(text: str) -> bool:
    """Return True if lines are a drawing or a table of numbers, in which blanks mean something."""
    return any("  " in line.strip() and not _NAMED.fullmatch(line) for line in text.split("\n"))


def drawing(text: str) -> Markup:
    """Set lines that must not break; a phone scrolls them sideways if they are too long."""
    return Markup(f'<pre style="{style.STYLES["list"]}">{escape(text)}</pre>')  # noqa: S704


def _rows(lines: list[str]) -> str:
    """Set indented lines as rows that break anywhere; a name before a gap stands out.

    Further lines of a row, which are indented more, go on in it.
    """
    rows: list[str] = []
    least = min(len(line) - len(line.lstrip()) for line in lines)
    for line in lines:
        named = "  " in line and _NAMED.fullmatch(line)
        if named:
            rows.append(f"<b>{escape(named[1])}</b> {escape(named[2])}")
        elif rows and line.startswith(" " * (least + 4)):
            # Below a usage line stands the effect of the command.
            begins = "<" not in rows[-1] and line.startswith(" " * (least + 4))
            rows[-1] = f"<b>{rows[-1]}</b><br>" if begins else f"{rows[-1]}\n"
            rows[-1] += str(escape(line.strip()))
        else:
            rows.append(str(escape(line.strip())))
    return "\n".join(f'<p style="{style.STYLES["row"]}">{row}</p>' for row in rows)


_NAMED = re.compile(r" {0,6}(\S+(?: \S+)*) {2,}(\S+(?: \S+)*)")


def _end(line: str) -> str:
    """Return the end of a line of running text: a short one stays a line of its own."""
    return "\n" if len(line) >= _LONG else "<br>\n"
