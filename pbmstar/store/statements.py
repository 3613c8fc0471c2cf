"""Prebuilt statements, and running them on the driver's connection of a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.functions import FunctionElement

from ..errors import DATABASE, Passing

T = TypeVar("T")
upsert = postgresql.insert  # it writes "ON CONFLICT" in the form that both databases read
PRUNED = 1000  # rows that one transaction forgets at most, because mails wait for it


def p(name: str) -> Any:
    """Return a parameter of a prebuilt statement."""
    return sa.bindparam(name)


def every(table: sa.Table, *leave: str) -> dict[str, Any]:
    """Return a parameter for every column of a table, except those to leave out."""
    return {c.name: p(c.name) for c in table.c if c.name not in leave}


def by(columns: Any, *names: str) -> Any:
    """Return the condition that these columns equal the parameters of the same names."""
    return sa.and_(*(columns[name] == p(name) for name in names))


def add(table: sa.Table, *leave: str) -> Any:
    """Return a statement that adds a row with all columns, except those to leave out."""
    return sa.insert(table).values(**every(table, *leave))


def add_once(table: sa.Table) -> Any:
    """Return a statement that adds a row, unless there is one with that key."""
    return upsert(table).values(**every(table)).on_conflict_do_nothing(index_elements=_key(table))


def keep(table: sa.Table) -> Any:
    """Return a statement that writes a row, in place of the one with that key, if there is one."""
    new = upsert(table).values(**every(table))
    rest = {c.name: new.excluded[c.name] for c in table.c if not c.primary_key}
    return new.on_conflict_do_update(index_elements=_key(table), set_=rest)


def _key(table: sa.Table) -> list[str]:
    return [column.name for column in table.primary_key]


class joined(FunctionElement[str]):  # noqa: N801 - used like a function of SQL
    """The texts of a group joined by commas, in no particular order."""

    inherit_cache = True


@compiles(joined, "sqlite")
def _joined_sqlite(element: joined, compiler: Any, **options: Any) -> str:
    return f"group_concat({compiler.process(element.clauses, **options)}, ',')"


@compiles(joined, "postgresql")
def _joined_postgresql(element: joined, compiler: Any, **options: Any) -> str:
    return f"string_agg({compiler.process(element.clauses, **options)}, ',')"


class Compiled(NamedTuple):
    """A statement for one driver: its text, its constant parameters, and True if it writes."""

    text: str
    constants: dict[str, Any]
    writes: bool


class Statements:
    """Prebuilt statements as SQL text, compiled once for the dialect in use.

    A transaction runs its statements on the driver's own connection: it would cost more to build and
    compile them again for each call than to run them.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self.is_sqlite = dialect.name == "sqlite"
        self._known: dict[Any, Compiled] = {}

    def compiled(self, statement: Any) -> Compiled:
        """Return a statement with named parameters in the driver's style."""
        compiled = self._known.get(statement)
        if compiled is None:
            made = statement.compile(dialect=self._dialect)
            constants = {name: value for name, value in made.params.items() if value is not None}
            compiled = Compiled(str(made), constants, isinstance(statement, UpdateBase))
            self._known[statement] = compiled
        return compiled


class Connection:
    """One open transaction. Nothing here commits. Raises Passing for a trouble of the database.

    cached   rows as last read, by kind and key; see ``forget``
    _waiting rows to be written together before a query needs them, or at the end of the transaction
    _marked  for each open block of ``savepoint`` True if the database has a savepoint for it
    """

    def __init__(
        self,
        connection: Any,
        statements: Statements,
        passing: tuple[type[Exception], ...],
        pipeline: Any = None,
    ) -> None:
        """Make it.

        passing   the driver's errors that come from other users of the database
        pipeline  psycopg's pipeline, if the connection is in one
        """
        self.is_sqlite = statements.is_sqlite
        self._pipeline = pipeline
        self._cursor = connection.cursor()  # each result is fetched before the next statement
        # In a pipeline a result that nobody fetches stays with its cursor.
        self._silent = connection.cursor() if pipeline else self._cursor
        self._compiled = statements.compiled
        self._passing = passing
        self.cached: dict[tuple[object, ...], Any] = {}
        self._waiting: dict[Any, dict[object, dict[str, Any]]] = {}
        self._marked: list[bool] = []

    def run(self, statement: Any, **values: Any) -> Any:
        """Execute a statement; return the cursor to fetch from."""
        return self._execute(self._cursor, statement, values)

    def do(self, statement: Any, **values: Any) -> None:
        """Execute a statement that returns nothing.

        PostgreSQL is not waited for: a later statement, or the end of the transaction, raises its error.
        """
        self._execute(self._silent, statement, values)

    def later(self, statement: Any, key: object, row: dict[str, Any]) -> None:
        """Let ``write`` write a row later, together with others of that statement; one for each key."""
        self._waiting.setdefault(statement, {})[key] = row

    def waiting(self, statement: Any, key: object) -> dict[str, Any] | None:
        """Return the row that waits to be written under that key; None if none does."""
        return self._waiting.get(statement, {}).get(key)

    def write(self) -> None:
        """Write the rows that wait."""
        for statement, rows in self._waiting.items():
            self.run_each(statement, list(rows.values()))
        self._waiting = {}

    def changed(self, statement: Any, **values: Any) -> int:
        """Execute a statement; return the number of rows that it has changed."""
        self.do(statement, **values)
        if self._pipeline is not None:
            self._pipeline.sync()
        return int(self._silent.rowcount)

    def _execute(self, cursor: Any, statement: Any, values: dict[str, Any]) -> Any:
        text, constants, writes = self._compiled(statement)
        try:
            if writes and self._marked:
                self._mark()
            cursor.execute(text, {**constants, **values} if constants else values)
        except self._passing as error:
            raise Passing(f"database: {error}", DATABASE) from error
        return cursor

    def run_each(self, statement: Any, rows: Sequence[dict[str, Any]]) -> None:
        """Execute a statement that changes rows and returns nothing, for each of ``rows``."""
        if not rows:
            return
        text, constants, _ = self._compiled(statement)
        try:
            if self._marked:
                self._mark()
            self._silent.executemany(
                text, [{**constants, **row} for row in rows] if constants else rows
            )
        except self._passing as error:
            raise Passing(f"database: {error}", DATABASE) from error

    def row(self, statement: Any, **values: Any) -> Any:
        """Execute a statement; return its first row, None if there is none."""
        return self._execute(self._cursor, statement, values).fetchone()

    def rows(self, statement: Any, **values: Any) -> list[Any]:
        """Execute a statement; return all its rows."""
        rows: list[Any] = self._execute(self._cursor, statement, values).fetchall()
        return rows

    def one(self, kind: Callable[..., T], statement: Any, /, **values: Any) -> T | None:
        """Execute a statement; return its first row as a value, None if there is none."""
        row = self._execute(self._cursor, statement, values).fetchone()
        return kind(*row) if row else None

    def all(self, kind: Callable[..., T], statement: Any, /, **values: Any) -> list[T]:
        """Execute a statement; return its rows, each as a value of that kind."""
        return [kind(*row) for row in self.rows(statement, **values)]

    def column(self, statement: Any, **values: Any) -> list[Any]:
        """Execute a statement; return the first column of all its rows."""
        return [row[0] for row in self.rows(statement, **values)]

    def number(self, statement: Any, **values: Any) -> int:
        """Execute a statement with a row as its result; return the number in it, 0 for null."""
        return int(self.row(statement, **values)[0] or 0)

    def forget(self, kind: str, *key: object) -> None:
        """Drop a cached row, or all of its kind; the next read fetches it from the database."""
        if key:
            self.cached.pop((kind, *key), None)
        else:
            self.cached = {row: value for row, value in self.cached.items() if row[0] != kind}

    def _mark(self) -> None:
        """Make a savepoint before the first write of the innermost block."""
        if not self._marked[-1]:
            self._silent.execute("SAVEPOINT command")
            self._marked[-1] = True

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what the block has written if it raises.

        A block that writes nothing costs no statement.
        """
        waiting = {statement: dict(rows) for statement, rows in self._waiting.items()}
        self._marked.append(False)
        try:
            yield
        except BaseException:
            self._waiting = waiting  # also the rows written in the block: they are undone
            if self._marked.pop():
                self.cached.clear()
                self._silent.execute("ROLLBACK TO SAVEPOINT command")
                self._silent.execute("RELEASE SAVEPOINT command")
            raise
        if self._marked.pop():
            # If the outer block has written nothing before, this savepoint marks its beginning, too.
            if self._marked and not self._marked[-1]:
                self._marked[-1] = True
            else:
                self._silent.execute("RELEASE SAVEPOINT command")


class Subject:
    """One subject of the store: its statements, run on the connection of a transaction."""

    def __init__(self, db: Connection) -> None:
        self._db = db
