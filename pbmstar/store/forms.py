"""The form of rows: the types and ranges that the columns of the schema have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from sqlalchemy import Column, Double, Integer, Table, UniqueConstraint

from ..errors import BadInput

MOST_ROWS = 20_000  # of one table
_NUMBERS = 10**9  # no number of a row is so high
_TIMES = 2**33  # seconds since 1970: the year 2242
_TEXT = 100_000  # characters


def shapes(*kinds: tuple[type, ...]) -> frozenset[tuple[type, ...]]:
    """Return each combination of types that a row may have: ``kinds`` are the types of each column."""
    return frozenset(product(*kinds))


def require_form(table: Table, rows: Sequence[Mapping[str, Any]], *but: str) -> None:
    """Raise BadInput if rows do not fit a table, or if two of them have one key.

    ``but``: columns that are not looked at. A row may lack a column that may be null or has a default.
    """
    if len(rows) > MOST_ROWS:
        raise BadInput(f"It has {len(rows)} rows of {table.name}; {MOST_ROWS} is the limit.")
    for row in rows:
        for column in table.c:
            if column.name not in but and (fault := _fault(column, row)):
                raise BadInput(f"{table.name}.{column.name} {fault}.")
    keys: list[Iterable[Column[Any]]] = [table.primary_key]
    keys += [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    for key in keys:
        names = [column.name for column in key if column.name not in but]
        values = [found for row in rows if None not in (found := tuple(map(row.get, names)))]
        if names and len(set(values)) < len(values):
            raise BadInput(f"Two rows of {table.name} have the same {' and '.join(names)}.")


def _fault(column: Column[Any], row: Mapping[str, Any]) -> str:
    """Return what is wrong with the value of a column in a row; empty if nothing is."""
    value = row.get(column.name)
    if value is None:
        lacks = column.name not in row and column.server_default is not None
        return "" if column.nullable or lacks else "is missing"
    if isinstance(column.type, Integer):
        fits = type(value) is int and 0 <= value < _NUMBERS
        return "" if fits else f"is not a number from 0 to {_NUMBERS}"
    if isinstance(column.type, Double):
        fits = type(value) in (int, float) and math.isfinite(value) and 0 <= value < _TIMES
        return "" if fits else "is not a time in seconds"
    if not isinstance(value, str):
        return "is not a text"
    return "" if len(value) <= _TEXT and _is_clean(value) else "is a text that cannot be stored"


def _is_clean(text: str) -> bool:
    """Return True if a text has neither NUL, which PostgreSQL refuses, nor half a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
