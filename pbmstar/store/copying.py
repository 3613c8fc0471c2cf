"""Copying all tables from one database to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as upsert  # its "ON CONFLICT" is SQLite's, too

from ..errors import BadInput
from ..machine.log import Show
from .schema import metadata

ROWS = 500  # looked up together: SQLite takes some thousand values in one statement


def copy(here: sa.Connection, target: sa.Engine, show: Show) -> int:
    """Copy every row that the target lacks, and compare each with the target's; return their number.

    ``show`` is told the rows that are done.

    Rows that were copied stay if this is interrupted, and need not be copied again. Raises BadInput
    if the target has a row that is not in ``here``, or another row in its place.
    """
    counts = [_count(here, table) for table in metadata.sorted_tables]
    rows, due = 0, sum(counts)
    for table, number in zip(metadata.sorted_tables, counts, strict=True):
        for page in _pages(here, table):
            rows += len(page)
            with target.begin() as there:
                there.execute(upsert(table).on_conflict_do_nothing(), page)
                if _found(there, table, page) != {_key(table, row): row for row in page}:
                    raise BadInput(f"{table.name}: the target has other rows already.", "not-empty")
            show(rows, due)
        with target.begin() as there:
            if number != _count(there, table):
                raise BadInput(f"{table.name}: the target has more rows.", "not-empty")
            _set_counter(there, table, _counter(here, table))
    return rows


def _count(at: sa.Connection, table: sa.Table) -> int:
    return int(at.execute(sa.select(sa.func.count()).select_from(table)).scalar() or 0)


def _pages(here: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    for rows in here.execute(sa.select(table)).mappings().partitions(ROWS):
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
                sa.text(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {name}")
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
