"""Whole boards as rows of their tables: to another server, or back from a backup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, func, insert, select

from . import schema as t
from .statements import Subject, every, p

Rows = dict[str, list[dict[str, Any]]]

# What belongs to a board alone. Its players' notes and plans are theirs, and come along.
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
_OF = {table: select(table).where(table.c.board == p("number")) for table in _TABLES}
_ADD = {table: insert(table).values(**every(table)) for table in _TABLES}
_DROP = [delete(table).where(table.c.board == p("number")) for table in _TABLES]
_LAST = select(func.max(t.boards.c.board))


class Parcels(Subject):
    """Boards as rows."""

    def board(self, number: int) -> Rows:
        """Return all rows of a board by table; those of ``boards`` are none if there is no such board."""
        self._db.write()
        parcel: Rows = {}
        for table, statement in _OF.items():
            names = [column.name for column in table.columns]
            rows = self._db.rows(statement, number=number)
            parcel[table.name] = [dict(zip(names, row, strict=True)) for row in rows]
        return parcel

    def put(self, rows: Mapping[str, list[dict[str, Any]]], number: int) -> None:
        """Put a board in the place of what there is under that number.

        A column that a row has not, because it is of an older version, becomes null.
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
