"""Prebuilt statements, and running them on the driver's connection of a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from ..errors import Passing

__all__ = ["PRUNED", "Connection", "Statements", "every", "joined", "p", "upsert"]


PRUNED = 1000  # rows that one transaction forgets at most: mails wait for it


def p(name: str) -> Any:
    """A parameter of a prebuilt statement."""
    return sa.bindparam(name)


def every(table: sa.Table, *leave: str) -> dict[str, Any]:
    """A parameter for every column of a table, but those to leave out."""
    return {c.name: p(c.name) for c in table.c if c.name not in leave}


class joined(FunctionElement[str]):  # noqa: N801 - used like a function of SQL
    """The texts of a group in one, a comma between two of them, in no particular order."""

    inherit_cache = True


@compiles(joined, "sqlite")
def _joined_sqlite(element: joined, compiler: Any, **options: Any) -> str:
    return f"group_concat({compiler.process(element.clauses, **options)}, ',')"


@compiles(joined, "postgresql")
def _joined_postgresql(element: joined, compiler: Any, **options: Any) -> str:
    return f"string_agg({compiler.process(element.clauses, **options)}, ',')"


class Statements:
    """Prebuilt statements as SQL text, compiled once for the dialect in use.

    The path of a move runs its statements on the driver's own connection: building and compiling
    them anew for each call would cost more than running them.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self.is_sqlite = dialect.name == "sqlite"
        self._known: dict[int, tuple[str, dict[str, Any], sa.Executable]] = {}

    def compiled(self, statement: Any) -> tuple[str, dict[str, Any]]:
        """The text with named parameters in the driver's style, and the constants among them."""
        compiled = self._known.get(id(statement))
        if compiled is None:  # the statement is kept too, so that its id stays its own
            made = statement.compile(dialect=self._dialect)
            constants = {name: value for name, value in made.params.items() if value is not None}
            compiled = self._known[id(statement)] = (str(made), constants, statement)
        return compiled[0], compiled[1]


class Connection:
    """One open transaction. Nothing here commits. Raises Passing for a trouble of the database."""

    def __init__(
        self,
        connection: Any,
        statements: Statements,
        passing: tuple[type[Exception], ...],
        pipeline: Any = None,
    ) -> None:
        """passing   the driver's errors that come of others using the database too
        pipeline  psycopg's, if the connection is in one
        """
        self._pipeline = pipeline
        self._cursor = connection.cursor()  # each result is fetched before the next statement
        # In a pipeline a result that nobody fetches stays with its cursor.
        self._silent = connection.cursor() if pipeline else self._cursor
        self._compiled = statements.compiled
        self._passing = passing
        self._cached: dict[object, Any] = {}  # rows as last read, see _forget

    def _run(self, statement: Any, **values: Any) -> Any:
        """The cursor to fetch from."""
        return self._execute(self._cursor, statement, values)

    def _do(self, statement: Any, **values: Any) -> None:
        """A statement that returns nothing. PostgreSQL is not waited for: what is wrong is raised by a
        later statement, or at the end of the transaction."""
        self._execute(self._silent, statement, values)

    def _changed(self, statement: Any, **values: Any) -> int:
        """How many rows a statement has changed."""
        self._do(statement, **values)
        if self._pipeline is not None:
            self._pipeline.sync()
        return int(self._silent.rowcount)

    def _execute(self, cursor: Any, statement: Any, values: dict[str, Any]) -> Any:
        text, constants = self._compiled(statement)
        try:
            cursor.execute(text, {**constants, **values} if constants else values)
        except self._passing as error:
            raise Passing(f"database: {error}") from error
        return cursor

    def _run_each(self, statement: Any, rows: Sequence[dict[str, Any]]) -> None:
        """A statement that returns nothing, for each of ``rows``."""
        if not rows:
            return
        text, constants = self._compiled(statement)
        try:
            self._silent.executemany(
                text, [{**constants, **row} for row in rows] if constants else rows
            )
        except self._passing as error:
            raise Passing(f"database: {error}") from error

    def _row(self, statement: Any, **values: Any) -> Any:
        return self._run(statement, **values).fetchone()

    def _forget(self, *row: object) -> None:
        """Whoever writes that row, of that kind and key, has the next one who asks read it anew."""
        self._cached.pop(row, None)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens in the block happens whole or, if it raises, not at all."""
        self._silent.execute("SAVEPOINT command")
        try:
            yield
        except BaseException:
            self._cached.clear()
            self._silent.execute("ROLLBACK TO SAVEPOINT command")
            self._silent.execute("RELEASE SAVEPOINT command")
            raise
        self._silent.execute("RELEASE SAVEPOINT command")
