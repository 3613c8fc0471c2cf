"""Copying from one database to another: all tables, or one board as its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa

from ..errors import BadInput
from . import schema as t
from .schema import metadata
from .statements import Subject, add, p, upsert

_ROWS = 500  # looked up together: SQLite takes some thousand values in one statement


def copy(here: sa.Connection, target: sa.Engine) -> int:
    """Copy every row that the target lacks, and compare each with the target's; return their number.

    Rows that were copied stay if this is interrupted, and need not be copied again. Raises BadInput
    if the target has a row that is not in ``here``, or another row in its place.
    """
    rows = 0
    for table in metadata.sorted_tables:
        for page in _pages(here, table):
            rows += len(page)
            with target.begin() as there:
                there.execute(upsert(table).on_conflict_do_nothing(), page)
                if _found(there, table, page) != {_key(table, row): row for row in page}:
                    raise BadInput(f"{table.name}: the target has other rows already.", "not-empty")
        with target.begin() as there:
            count = sa.select(sa.func.count()).select_from(table)
            if here.execute(count).scalar() != there.execute(count).scalar():
                raise BadInput(f"{table.name}: the target has more rows.", "not-empty")
            _set_counter(there, table, _counter(here, table))
    return rows


def _pages(here: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    for rows in here.execute(sa.select(table)).mappings().partitions(_ROWS):
        yield [dict(row) for row in rows]


def _key(table: sa.Table, row: Any) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in table.primary_key)


def _found(
    there: sa.Connection, table: sa.Table, page: list[dict[str, Any]]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the rows of the target with the keys of a page."""
    keys = sa.tuple_(*table.primary_key).in_([_key(table, row) for row in page])
    rows = there.execute(sa.select(table).where(keys)).mappings()
    return {_key(table, row): dict(row) for row in rows}


# A number that was given is never given again, even if its row is gone: so the counters are copied, too.


def _counter(here: sa.Connection, table: sa.Table) -> int:
    """Return the last number that a table gave; 0 if it gives no numbers."""
    if table.autoincrement_column is None:
        return 0
    highest = int(here.execute(sa.select(sa.func.max(table.autoincrement_column))).scalar() or 0)
    if here.dialect.name == "sqlite":
        if not table.dialect_options["sqlite"]["autoincrement"]:
            return highest
        last = here.execute(
            sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}
        ).scalar()
    else:
        name = _sequence(here, table)
        last = (
            name
            and here.execute(
                sa.text(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {name}")  # noqa: S608
            ).scalar()
        )
    return max(int(last or 0), highest)


def _set_counter(there: sa.Connection, table: sa.Table, last: int) -> None:
    if not last:
        return
    if there.dialect.name == "sqlite":
        if table.dialect_options["sqlite"]["autoincrement"]:
            values = {"name": table.name, "last": last}
            there.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
            there.execute(sa.text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), values)
    elif name := _sequence(there, table):
        there.execute(sa.text("SELECT setval(:name, :last)"), {"name": name, "last": last})


def _sequence(connection: sa.Connection, table: sa.Table) -> str | None:
    """Return the sequence of a table in PostgreSQL, quoted if necessary; None if it has none."""
    column = table.autoincrement_column
    assert column is not None
    values = {"table": table.name, "column": column.name}
    name = connection.execute(
        sa.text("SELECT pg_get_serial_sequence(:table, :column)"), values
    ).scalar()
    return str(name) if name else None


# -- one board

Rows = dict[str, list[dict[str, Any]]]

# The tables with rows of a board alone. The notes and plans of its players are among them.
_TABLES = (
    t.boards,
    t.seats,
    t.moves,
    t.events,
    t.requests,
    t.comments,
    t.notes,
    t.plans,
)
_OF = {table: sa.select(table).where(table.c.board == p("number")) for table in _TABLES}
_ADD = {table: add(table) for table in _TABLES}
_DROP = [sa.delete(table).where(table.c.board == p("number")) for table in _TABLES]
_LAST = sa.select(sa.func.max(t.boards.c.board))


class Parcels(Subject):
    """Boards as rows."""

    def board(self, number: int) -> Rows:
        """Return all rows of a board by table; ``boards`` has no row if there is no such board."""
        self._db.write()
        parcel: Rows = {}
        for table, statement in _OF.items():
            names = [column.name for column in table.columns]
            rows = self._db.rows(statement, number=number)
            parcel[table.name] = [dict(zip(names, row, strict=True)) for row in rows]
        return parcel

    def put(self, rows: Mapping[str, list[dict[str, Any]]], number: int) -> None:
        """Put a board under that number, in place of all rows there.

        A column that a row of an older version lacks becomes null.
        """
        self._db.write()
        self._db.cached.clear()
        for statement in _DROP:
            self._db.do(statement, number=number)
        for table, adding in _ADD.items():
            names = [column.name for column in table.columns]
            for row in rows.get(table.name, []):
                self._db.do(adding, **{name: row.get(name) for name in names} | {"board": number})
        self._db.cached.clear()

    def last(self) -> int:
        """Return the highest number of a board; 0 if there is none."""
        return self._db.number(_LAST)
