"""The parts that tables are made of, for ``schema`` and for the tables of features.

The form of rows: the types and ranges that the columns of the schema have.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
    event,
    text,
)

from ..errors import BadInput

metadata = MetaData()
MOST_ROWS = 20_000  # of one table
_NUMBERS = 10**9  # no number of a row is so high
_TIMES = 2**33  # seconds since 1970: the year 2242
_TEXT = 100_000  # characters


def table(name: str, *parts: Any, indexed: Sequence[str] = (), **marks: Any) -> Table:
    """Return a table that SQLite keeps in one tree with its key, so that it writes half the pages.

    indexed   each of these columns gets an index

    The ``marks`` are about tables of features:

    own       its rows belong to the account in ``userid``, and are erased with it
    of_board  its rows go with the board in ``board``
    counted   a board comes with the number of its rows here, see ``Match.counts``
    renamed   columns beside the usual ones that follow a person's new name
    shown     the column of a number that the site shows beside the player of a board
    """
    indexes = (Index(f"{name}_{column}", column) for column in indexed)
    return Table(name, metadata, *parts, *indexes, sqlite_with_rowid=False, info=marks)


def numbered(
    name: str, number: str, *parts: Any, indexed: Sequence[str] = (), own: bool = False
) -> Table:
    """Return a table that gives each row a number, and never gives a number again; ``own`` as above."""
    key = Column(number, Integer, primary_key=True)
    indexes = (Index(f"{name}_{column}", column) for column in indexed)
    info = {"own": own}
    return Table(name, metadata, key, *parts, *indexes, sqlite_autoincrement=True, info=info)


def about(key: str, *parts: Any) -> tuple[Any, ...]:
    """Return the parts of a table whose key is the number of a board, a letter or a problem."""
    return metadata, Column(key, Integer, primary_key=True, autoincrement=False), *parts


def primary(**kinds: Any) -> list[Column[Any]]:
    """Return columns of the primary key. The migrations use this function and the next ones, too."""
    return [Column(name, kind, primary_key=True) for name, kind in kinds.items()]


def required(default: str | None = None, /, **kinds: Any) -> list[Column[Any]]:
    """Return columns that are never null."""
    return [Column(n, kind, nullable=False, server_default=default) for n, kind in kinds.items()]


def nullable(**kinds: Any) -> list[Column[Any]]:
    """Return columns that may be null."""
    return [Column(name, kind) for name, kind in kinds.items()]


def partial(condition: str) -> dict[str, Any]:
    """Return the condition of a partial index, on either database."""
    return {"sqlite_where": text(condition)}


@event.listens_for(metadata, "before_create")
def _conditions_of_postgresql(_: MetaData, connection: Connection, **_rest: Any) -> None:
    """Give PostgreSQL the conditions: said beforehand, they load its dialect for each command on SQLite."""
    if connection.dialect.name == "postgresql":
        for each in metadata.tables.values():
            for index in each.indexes:
                index.dialect_kwargs["postgresql_where"] = index.dialect_options["sqlite"]["where"]


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
