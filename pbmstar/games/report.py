"""The lines of a board counted in detail, as values: sentences, lists of cells, a table of both players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..errors import Sentence
from .spelling import listed

_NAME = 16  # columns of the names in a table


class ReportLine(NamedTuple):
    """A sentence, or a list of cells after the words that say what they are.

    A list goes on in lines that are indented as deep; one without cells has no line.
    """

    said: Sentence | str
    cells: Sequence[str] | None = None
    indent: int = 0


class ReportRow(NamedTuple):
    """A row of a table: its name, and a column for each player."""

    name: Sentence | str
    x: str
    o: str


def told(
    lines: Iterable[ReportLine | ReportRow], tell: Callable[[Sentence | str], str] = str
) -> tuple[str, ...]:
    """Return lines of at most 72 columns, if their sentences are short; ``tell`` turns those into texts."""
    lines = tuple(lines)
    names = [tell(each.name) for each in lines if isinstance(each, ReportRow)]
    width = max(_NAME, *(len(name) + 1 for name in names)) if names else _NAME
    shown: list[str] = []
    for each in lines:
        if isinstance(each, ReportRow):
            shown.append(f"{tell(each.name):{width}}{each.x:>5}{each.o:>5}")
            continue
        head = " " * each.indent + tell(each.said)
        if each.cells is not None:
            shown += listed(f"{head} " if each.said else head, each.cells)
        else:
            # In another language it may be too long for a line.
            shown += listed(" " * each.indent, [tell(each.said)]) if each.said else [""]
    return tuple(shown)
