"""Plain text: set in lines of at most WIDTH columns, and in columns of a table."""

from __future__ import annotations

import textwrap
from functools import lru_cache

WIDTH = 72
_TABLE = 42  # columns of a table: a phone in upright position shows as many


@lru_cache(64)  # what is said to both players stands in the text and the HTML of two letters
def wrap(text: str) -> str:
    """Lines of at most WIDTH columns; line ends in ``text`` are kept, words too long are cut."""
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) <= WIDTH:
            lines.append(line.rstrip())
        else:
            lines += textwrap.wrap(line, WIDTH) or [""]
    return "\n".join(lines)


def fill(text: str) -> str:
    """Running text as one paragraph; line ends in ``text`` mean nothing.

    It ends with a newline: a template's ``{% filter fill %}`` block stands on lines of its own.
    """
    return _set(" ".join(text.split()), "", "") + "\n"


def hang(text: str, first: str = "", further: str = "") -> str:
    """One line indented by ``first``, its further lines by ``further``; a word is never cut."""
    if len(first) + len(text) <= WIDTH:
        return first + text
    return _set(text, first, further)


def _set(text: str, first: str, further: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )


@lru_cache(64)  # it stands in the text and in the HTML of several letters
def table(cells: tuple[str, ...]) -> str:
    """Short texts set in columns, row by row; one longer than a line goes on in the next."""
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
