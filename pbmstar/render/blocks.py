"""Blocks of a letter, from which both of its parts are set: headings, tables, and words to reply.

A template writes a block as lines that begin with a mark; all other lines are text. ``as_text`` sets
tables as columns and replies as words, ``as_html`` sets tables and buttons. The marks are control
characters: no mail that we read keeps them, and ``unmarked`` takes them from all that a letter is
made from.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from .drawings import buttons, mailto
from .text import WIDTH, hang, paragraphs

_ROW, _CELL, _WORD = MARKS = "\x1e", "\x1f", "\x1d"
_OWN = _ROW + _ROW  # the reader's row
_TITLE = _WORD + _WORD
_MARKS = str.maketrans(dict.fromkeys(MARKS, " "))
_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]*\??")  # it may be uncertain: 1500?
_GAP = "..."  # some rows are left out here
_SENT = re.compile(f"{_WORD}[^{_CELL}]*")  # what a tap on a cell sends
_SIZES = {"1": "20px;margin:0 0 8px", "2": "17px;margin:14px 0 4px"}
_WIDE = 6  # columns of a table; one with more is set smaller, for a phone

# -- filters, by which a template marks its blocks


def heading(title: str, level: int = 1) -> str:
    """Mark a heading. A text leaves out the one of level 1, since its Subject says it."""
    return f"{_TITLE}{level}{_clean(title)}"


def grid(
    rows: Sequence[Mapping[str, Any]],
    heads: Mapping[str, str],
    reader: str = "",
    steps: str = "",
    taps: Mapping[str, str] | None = None,
) -> str:
    """Mark a table with a column for each key of ``heads``, and its head; empty without rows.

    Key ``#`` counts the rows. A value True is set as its key, a list as so many cells, and one that an
    earlier version did not know as nothing. Columns with nothing in them are left out. The row of the
    userid ``reader`` stands out. A row of dots stands where the whole numbers of column ``steps`` leave
    some out. In HTML a cell of a column in ``taps`` is a link: it sends the words given there and what
    the cell says; without words before it is a button.
    """
    if not rows:
        return ""
    lines = []
    for number, row in enumerate(rows, 1):
        if steps and number > 1 and row[steps] > rows[number - 2][steps] + 1:
            lines.append((_ROW, {next(iter(heads)): [_GAP]}))
        own = reader and row.get("userid") == reader
        cells = {key: _cells(key, number if key == "#" else row.get(key, "")) for key in heads}
        for key, words in (taps or {}).items():
            cells[key] = [
                f"{cell}{_WORD}{_clean(f'{words} {cell}').lstrip()}" for cell in cells[key]
            ]
        lines.append((_OWN if own else _ROW, cells))
    lines.insert(0, (_ROW, {key: [head] for key, head in heads.items()}))
    wide = {key: max(len(cells.get(key, ())) for _, cells in lines) for key in heads}
    even = [
        [cell for key in heads for cell in _even(cells.get(key, []), wide[key])]
        for _, cells in lines
    ]
    kept = zip(*(column for column in zip(*even, strict=True) if any(column)), strict=True)
    return "\n".join(mark + _CELL.join(cells) for (mark, _), cells in zip(lines, kept, strict=True))


def offers(replies: Iterable[str], how: str, before: str = "", rows: bool = False) -> str:
    """Mark lines that the reader can send as they are, and ``how`` to send them; empty without lines.

    Each line begins with ``before``. In a text they stand in one sentence, unless that would be too long
    or they shall be ``rows``.
    """
    lines = [_clean(f"{before} {line}".lstrip()) for line in replies]
    return _WORD + _CELL * rows + _CELL.join((_clean(how), *lines)) if lines else ""


def _clean(value: object) -> str:
    return str(value).translate(_MARKS).replace("\n", " ")


def _cells(key: str, value: object) -> list[str]:
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    if isinstance(value, bool):
        return [key if value else ""]
    return [_clean(value)]


def _even(cells: list[str], count: int) -> list[str]:
    return cells + [""] * (count - len(cells))


# -- the two parts


def unmarked(value: Any) -> Any:
    """Return a fact of a letter, a text or what holds texts, with blanks in place of marks."""
    if isinstance(value, str):
        return value.translate(_MARKS) if any(mark in value for mark in MARKS) else value
    if isinstance(value, dict):
        return {key: unmarked(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [unmarked(each) for each in value]
    return value


def as_text(marked: str) -> str:
    """Return the text part: lines of at most 72 columns."""
    if not any(mark in marked for mark in MARKS):
        return marked
    lines: list[str] = []
    for mark, run in _runs(marked):
        lines += _TEXT[mark](run)
    return "\n".join(lines)


def as_html(marked: str, reply_to: str) -> Markup:
    """Return what the HTML part shows; its buttons write to ``reply_to``."""
    parts = (_HTML[mark](run, reply_to) for mark, run in _runs(marked))
    return Markup("\n".join(part for part in parts if part))  # noqa: S704


def _runs(marked: str) -> Iterable[tuple[str, list[str]]]:
    """Yield lines that are of one kind and follow one another, with their mark; empty for text."""
    lines = marked.split("\n")
    for mark, run in itertools.groupby(lines, lambda line: line[:1] if line[:1] in MARKS else ""):
        yield mark, list(run)


def _table(run: list[str]) -> tuple[list[tuple[bool, list[str]]], list[bool]]:
    """Return the rows of a table, each with True for the reader's, and True for each column of numbers."""
    rows = [(line.startswith(_OWN), line.lstrip(_ROW).split(_CELL)) for line in run]
    columns = zip(*(cells for _, cells in rows[1:]), strict=True)
    are_numbers = [
        all(_NUMBER.fullmatch(cell) or cell == _GAP for cell in column) for column in columns
    ]
    return rows, are_numbers


def _table_as_text(run: list[str]) -> list[str]:
    rows, are_numbers = _table([_SENT.sub("", line) for line in run])
    widths = [max(map(len, column)) for column in zip(*(cells for _, cells in rows), strict=True)]
    lines = []
    for _, cells in rows:
        columns = zip(cells, widths, are_numbers, strict=True)
        padded = [cell.rjust(width) if is_number else cell.ljust(width)
                  for cell, width, is_number in columns]  # fmt: skip
        lines.append(hang(f"  {'  '.join(padded)}".rstrip(), "", "      "))
    return lines if any(rows[0][1]) else lines[1:]


def _tapped(cell: str, reply_to: str) -> str:
    said, _, words = cell.partition(_WORD)
    if said == words:
        return buttons([said], reply_to)
    link = f'<a style="padding:6px 0"\nhref="{mailto(reply_to, words)}">' if words else ""
    return f"{link}{escape(said)}{'</a>' if words else ''}"


def _table_as_html(run: list[str], reply_to: str) -> str:
    rows, are_numbers = _table(run)
    size, padding = (15, "3px 5px") if len(are_numbers) <= _WIDE else (13, "3px")
    lines = []
    for number, (is_own, cells) in enumerate(rows):
        tag = "td" if number else 'th scope="col"'
        bold = ";font-weight:bold" if is_own else ""
        line = "".join(
            f'<{tag} align="{"right" if is_number else "left"}"\nstyle="padding:{padding}{bold}">'
            f"{_tapped(cell, reply_to)}</{tag[:2]}>"
            for cell, is_number in zip(cells, are_numbers, strict=True)
        )
        lines.append(f"<tr>{line}</tr>")
    shown = "\n".join(lines if any(rows[0][1]) else lines[1:])
    style = f"border-collapse:collapse;font-size:{size}px"
    return f'<div style="overflow-x:auto;margin:0 0 12px"><table style="{style}">\n{shown}\n</table></div>'


def _words_as_text(run: list[str]) -> list[str]:
    lines = []
    for line in run:
        if line.startswith(_TITLE):
            level, title = line[2], line[3:]
            lines += [] if level == "1" else hang(title).split("\n")
            continue
        how, *replies = line[1:].lstrip(_CELL).split(_CELL)
        short = f"{how}: {', or '.join(replies)}"
        is_short = len(short) <= WIDTH and line[1] != _CELL
        lines += [short] if is_short else [hang(f"{how}:"), *(f"  {reply}" for reply in replies)]
    return lines


def _words_as_html(run: list[str], reply_to: str) -> str:
    parts = []
    for line in run:
        if line.startswith(_TITLE):
            level, title = line[2], line[3:]
            parts.append(f'<h{level} style="font-size:{_SIZES[level]}">{escape(title)}</h{level}>')
            continue
        how, *replies = line[1:].lstrip(_CELL).split(_CELL)
        parts.append(f'<p style="margin:14px 0 6px">{escape(how)}:</p>')
        parts.append(f'<p style="margin:0">{buttons(replies, reply_to)}</p>')
    return "\n".join(parts)


def _text_as_html(run: list[str], _reply_to: str) -> str:
    text = "\n".join(run)
    return paragraphs(text) if text.strip("\n") else ""


_TEXT: Mapping[str, Callable[[list[str]], list[str]]] = {
    "": list,
    _ROW: _table_as_text,
    _WORD: _words_as_text,
}
_HTML = {"": _text_as_html, _ROW: _table_as_html, _WORD: _words_as_html}
