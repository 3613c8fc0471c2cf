"""The parts that tables are made of, for ``schema`` and for the tables of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, Index, Integer, MetaData, Table, event, text

metadata = MetaData()


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
