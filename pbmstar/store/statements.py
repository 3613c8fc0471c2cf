"""Statements, and running them on the driver's connection of a transaction."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.sql.dml import UpdateBase

from ..errors import DATABASE, TemporaryFailure

T = TypeVar("T")
_How = Callable[
    ..., Any
]  # what makes a statement from a table and names of columns, such as ``add``
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
# A parameter of a statement; or a text or a percent sign, in which nothing is a parameter.
_PIECE = re.compile(r"'[^']*'|%|:(\w+)")
_WORD = re.compile(r"[a-z_]+")
_LOCKS = re.compile(r"\s+FOR UPDATE\b.*$", re.DOTALL)
PRUNED = 1000  # rows that one transaction forgets at most, because messages wait for it


def is_damage(error: BaseException) -> bool:
    """Return True if SQLite says that its file is damaged, or is not a database."""
    name = getattr(error, "sqlite_errorname", "")
    return isinstance(error, sqlite3.DatabaseError) and name.startswith(_DAMAGED)


def p(name: str) -> Any:
    """Return a parameter of a prebuilt statement."""
    return sa.bindparam(name)


def by(table: sa.Table, *names: str) -> Any:
    """Return the condition that these columns equal the parameters of the same names."""
    return sa.and_(True, *(table.c[name] == p(name) for name in names))


def columns(kind: type[NamedTuple], table: str = "") -> str:
    """Return the names of a value's fields, as a query lists them; with the name of their table, if given."""
    return ", ".join(f"{table}.{name}" if table else name for name in kind._fields)


# Statements that need no words of their own: ``Connection`` has a method for each.


def add(table: sa.Table, *names: str) -> Any:
    """Return a statement that adds a row with these columns, by default with all."""
    return sa.insert(table).values({name: p(name) for name in names or table.c.keys()})


def numbered(table: sa.Table, *names: str) -> Any:
    """Return a statement that adds a row, and returns the number that the table gives it."""
    return add(table, *names).returning(*table.primary_key)


def add_once(table: sa.Table, *names: str) -> Any:
    """Return a statement that adds a row, unless there is one with that key."""
    return _upsert(table, *names).on_conflict_do_nothing(index_elements=_key(table))


def keep(table: sa.Table, *names: str) -> Any:
    """Return a statement that writes a row, in place of the one with that key, if there is one."""
    new = _upsert(table, *names)
    rest = {name: new.excluded[name] for name in names or table.c.keys()}
    for name in _key(table):
        del rest[name]
    return new.on_conflict_do_update(index_elements=_key(table), set_=rest)


def add_next(table: sa.Table, *names: str) -> Any:
    """Return a statement that adds a row. It numbers the rows that have the rest of their key in common.

    The first one of them gets 0. The number is the column of the key that is not named.
    """
    (number,) = (column for column in table.primary_key if column.name not in names)
    alike = (name for name in _key(table) if name in names)
    new = sa.select(
        sa.func.coalesce(sa.func.max(number) + 1, 0),
        *(sa.bindparam(name, type_=table.c[name].type) for name in names),
    )
    return sa.insert(table).from_select([number.name, *names], new.where(by(table, *alike)))


def renew(table: sa.Table, *names: str) -> Any:
    """Return a statement that changes the row with that key; the columns beside the key get these values."""
    key = _key(table)
    return change(table, (*key,), *(name for name in names if name not in key))


def drop(table: sa.Table, *names: str) -> Any:
    """Return a statement that deletes the rows with these values."""
    return sa.delete(table).where(by(table, *names))


def change(table: sa.Table, names: tuple[str, ...], *changed: str) -> Any:
    """Return a statement that changes columns of the rows with the values ``names``."""
    return sa.update(table).where(by(table, *names)).values({name: p(name) for name in changed})


def find(table: sa.Table, kind: Any, order: tuple[str, ...], *names: str) -> Any:
    """Return a query for the fields of a value, in the rows with these values, by these columns."""
    return (
        sa.select(*(table.c[name] for name in kind._fields))
        .where(by(table, *names))
        .order_by(*(table.c[name] for name in order))
    )


def column(of: Any, *names: str) -> Any:
    """Return a query for a column, in the rows with these values, in its order."""
    return sa.select(of).where(by(of.table, *names)).order_by(of)


def count(table: sa.Table, *names: str) -> Any:
    """Return a query for the number of rows with these values."""
    return sa.select(sa.func.count()).select_from(table).where(by(table, *names))


def _upsert(table: sa.Table, *names: str) -> Any:
    """Return a statement that adds a row with these columns, and may say what to do on a conflict.

    That of PostgreSQL writes "ON CONFLICT" in the form that both databases read.
    """
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - a command that only reads needs none of it

    return postgresql.insert(table).values({name: p(name) for name in names or table.c.keys()})


def _key(table: sa.Table) -> list[str]:
    return [column.name for column in table.primary_key]


class Compiled(NamedTuple):
    """A statement for one driver: its text, its constant parameters, True if it writes, and its words.

    The names of its tables are among the words.
    """

    text: str
    constants: dict[str, Any]
    writes: bool
    words: frozenset[str]


def _marked(piece: re.Match[str]) -> str:
    """Return a piece of a statement as psycopg reads it."""
    return f"%({piece[1]})s" if piece[1] else piece[0].replace("%", "%%")


class Statements(dict[Any, Compiled]):
    """The statements as SQL text with named parameters in the driver's style.

    Each is made when it is first used: from a text of SQL, from a statement of SQLAlchemy, or from a
    function that returns one and its arguments. A transaction runs them on the driver's own connection:
    it would cost more to build and compile them again for each call than to run them.

    A text is in the SQL that both databases read. ``:name`` is a parameter. A lock of rows, ``FOR UPDATE``,
    is its last clause; on SQLite it is left out, because there one transaction writes at a time.
    """

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect = dialect
        self.is_sqlite = dialect.name == "sqlite"

    def __missing__(self, statement: Any) -> Compiled:
        if isinstance(statement, str):
            compiled = self[statement] = self._written(statement)
            return compiled
        built = statement[0](*statement[1:]) if isinstance(statement, tuple) else statement
        made = built.compile(dialect=self._dialect)
        constants = {name: value for name, value in made.params.items() if value is not None}
        text, writes = str(made), isinstance(built, UpdateBase)
        compiled = self[statement] = Compiled(text, constants, writes, _words(text))
        return compiled

    def _written(self, text: str) -> Compiled:
        writes = not text.lstrip().startswith("SELECT")
        if self.is_sqlite:
            return Compiled(_LOCKS.sub("", text), {}, writes, _words(text))
        return Compiled(_PIECE.sub(_marked, text), {}, writes, _words(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


# Rows by how and where they are to be written, then by key.
_Waiting = dict[tuple[_How, sa.Table], dict[object, dict[str, Any]]]
_ADDING: _How = add  # inside the class below that name means a method


class Connection:
    """One open transaction. Nothing here commits. Raises TemporaryFailure for a trouble of the database.

    cached    rows as last read, by kind and key; see ``forget``
    _waiting  rows to be written together: before a statement that names their table, or at the end of the
              transaction; changes of rows at the end of the outermost block of ``savepoint``
    _named    the names of their tables
    _begun    for each open block of ``savepoint`` True if the database has a savepoint for it
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
        self._statements = statements
        self._passing = passing
        self.cached: dict[tuple[object, ...], Any] = {}
        self._waiting: _Waiting = {}
        self._named: set[str] = set()
        self._begun: list[bool] = []

    # -- statements that name no more than a table and its columns

    def add(self, table: sa.Table, /, **row: Any) -> None:
        """Add a row."""
        self._execute(self._silent, (add, table, *row), row)

    def numbered(self, table: sa.Table, /, **row: Any) -> int:
        """Add a row; return the number that the table gives it."""
        return int(self._execute(self._cursor, (numbered, table, *row), row).fetchone()[0])

    def add_once(self, table: sa.Table, /, **row: Any) -> None:
        """Add a row, unless there is one with that key."""
        self._execute(self._silent, (add_once, table, *row), row)

    def added(self, table: sa.Table, /, **row: Any) -> bool:
        """Add a row; return False if there is one with that key."""
        return self.changed((add_once, table, *row), **row) > 0

    def add_next(self, table: sa.Table, /, **row: Any) -> None:
        """Add a row after those that have the rest of their key in common, with the next number."""
        self._execute(self._silent, (add_next, table, *row), row)

    def keep(self, table: sa.Table, /, **row: Any) -> None:
        """Write a row, in place of the one with that key, if there is one."""
        self._execute(self._silent, (keep, table, *row), row)

    def change(self, table: sa.Table, where: dict[str, Any], /, **values: Any) -> None:
        """Change columns of the rows with the values ``where``; no column may be in both."""
        self._execute(self._silent, (change, table, (*where,), *values), where | values)

    def drop(self, table: sa.Table, /, **where: Any) -> None:
        """Delete the rows with these values."""
        self._execute(self._silent, (drop, table, *where), where)

    def add_each(self, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
        """Add rows; each has the same columns."""
        if rows:
            self.run_each((add, table, *rows[0]), rows)

    def keep_each(self, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
        """Write rows, each in place of the one with its key, if there is one."""
        if rows:
            self.run_each((keep, table, *rows[0]), rows)

    def dropped(self, table: sa.Table, /, **where: Any) -> bool:
        """Delete the rows with these values; return False if there is none."""
        return self.changed((drop, table, *where), **where) > 0

    def find(self, kind: Callable[..., T], table: sa.Table, /, **where: Any) -> T | None:
        """Return the row with these values, as a value whose fields are columns; None if there is none."""
        statement = (find, table, kind, (), *where)
        row = self._execute(self._cursor, statement, where).fetchone()
        return kind(*row) if row else None

    def ordered(
        self, kind: Callable[..., T], table: sa.Table, /, *order: str, **where: Any
    ) -> list[T]:
        """Return the rows with these values, in the order of columns, each as a value like ``find``."""
        statement = (find, table, kind, order, *where)
        return [kind(*row) for row in self._execute(self._cursor, statement, where).fetchall()]

    def value(self, of: Any, /, **where: Any) -> Any:
        """Return the value of a column in the row with these values; None if there is no such row."""
        row = self._execute(self._cursor, (column, of, *where), where).fetchone()
        return row[0] if row else None

    def values(self, of: Any, /, **where: Any) -> list[Any]:
        """Return the values of a column in the rows with these values, in its order."""
        return self.column((column, of, *where), **where)

    def count(self, table: sa.Table, /, **where: Any) -> int:
        """Count the rows with these values."""
        return self.number((count, table, *where), **where)

    # -- other statements

    def do(self, statement: Any, **values: Any) -> None:
        """Execute a statement that returns nothing.

        PostgreSQL is not waited for: a later statement, or the end of the transaction, raises its error.
        """
        self._execute(self._silent, statement, values)

    def later(self, table: sa.Table, key: object, row: dict[str, Any], how: _How = _ADDING) -> None:
        """Write a row later, together with others of that table; one for each key.

        ``how``: ``add``, ``add_next``, ``keep`` or ``renew``.
        """
        self._waiting.setdefault((how, table), {})[key] = row
        self._named.add(table.name)

    def waiting(self, table: sa.Table, key: object, how: _How = _ADDING) -> dict[str, Any] | None:
        """Return the row that waits to be written so under that key; None if none does."""
        return self._waiting.get((how, table), {}).get(key)

    def keys(self, table: sa.Table, how: _How = _ADDING) -> Collection[Any]:
        """Return the keys of the rows of a table that wait to be written so."""
        return self._waiting.get((how, table), ())

    def write(self) -> None:
        """Write the rows that wait."""
        self._write([*self._waiting])

    def _write(self, which: Iterable[tuple[_How, sa.Table]]) -> None:
        writing = [(each, list(self._waiting.pop(each).values())) for each in which]
        self._named = {table.name for _, table in self._waiting}
        for each, rows in writing:
            self.run_each((*each, *rows[0]), rows)

    def _write_before(self, words: frozenset[str], beside: str = "") -> None:
        """Write the rows that wait if a statement with these words names a table of theirs but ``beside``."""
        named = self._named - {beside} if beside else self._named
        if named and not named.isdisjoint(words):
            self.write()

    def changed(self, statement: Any, **values: Any) -> int:
        """Execute a statement; return the number of rows that it has changed."""
        self.do(statement, **values)
        if self._pipeline is not None:
            self._pipeline.sync()
        return int(self._silent.rowcount)

    def _execute(
        self, cursor: Any, statement: Any, values: dict[str, Any], beside: str = ""
    ) -> Any:
        text, constants, writes, words = self._statements[statement]
        self._write_before(words, beside)
        try:
            if writes and self._begun:
                self._save()
            cursor.execute(text, {**constants, **values} if constants else values)
            if self._pipeline is not None and cursor is self._cursor:
                # Not only fetched: the server counts the time of an idle transaction from a sync.
                self._pipeline.sync()
        except self._passing as error:
            raise TemporaryFailure(f"database: {error}", DATABASE) from error
        return cursor

    def run_each(self, statement: Any, rows: Sequence[dict[str, Any]]) -> None:
        """Execute a statement that changes rows and returns nothing, for each of ``rows``."""
        if not rows:
            return
        text, constants, _, words = self._statements[statement]
        self._write_before(words)
        try:
            if self._begun:
                self._save()
            self._silent.executemany(
                text, [{**constants, **row} for row in rows] if constants else rows
            )
        except self._passing as error:
            raise TemporaryFailure(f"database: {error}", DATABASE) from error

    def row(self, statement: Any, **values: Any) -> Any:
        """Execute a statement; return its first row, None if there is none."""
        return self._execute(self._cursor, statement, values).fetchone()

    def rows(self, statement: Any, **values: Any) -> list[Any]:
        """Execute a statement; return all its rows."""
        rows: list[Any] = self._execute(self._cursor, statement, values).fetchall()
        return rows

    def stored(self, table: sa.Table, statement: Any, /, **values: Any) -> list[Any]:
        """Execute a statement; return all its rows. Rows of ``table`` that wait aren't written before it.

        That is for a question which they can't change, because it asks for other rows.
        """
        rows: list[Any] = self._execute(self._cursor, statement, values, table.name).fetchall()
        return rows

    def one(self, kind: Callable[..., T], statement: Any, /, **values: Any) -> T | None:
        """Execute a statement; return its first row as a value, None if there is none."""
        row = self._execute(self._cursor, statement, values).fetchone()
        return kind(*row) if row else None

    def all(self, kind: Callable[..., T], statement: Any, /, **values: Any) -> list[T]:
        """Execute a statement; return its rows, each as a value of that kind."""
        return [kind(*row) for row in self._execute(self._cursor, statement, values).fetchall()]

    def column(self, statement: Any, **values: Any) -> list[Any]:
        """Execute a statement; return the first column of all its rows."""
        return [row[0] for row in self._execute(self._cursor, statement, values).fetchall()]

    def number(self, statement: Any, **values: Any) -> int:
        """Execute a statement with a row as its result; return the number in it, 0 for null."""
        return int(self._execute(self._cursor, statement, values).fetchone()[0] or 0)

    def forget(self, kind: str, *key: object) -> None:
        """Drop a cached row, or all of its kind; the next read fetches it from the database."""
        if key:
            self.cached.pop((kind, *key), None)
        else:
            self.cached = {row: value for row, value in self.cached.items() if row[0] != kind}

    def _save(self) -> None:
        """Make a savepoint before the first write of the innermost block."""
        if not self._begun[-1]:
            self._silent.execute("SAVEPOINT command")
            self._begun[-1] = True

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what the block has written if it raises.

        A block that writes nothing costs no statement.
        """
        waiting = {which: dict(rows) for which, rows in self._waiting.items()}
        self._begun.append(False)
        try:
            yield
        except BaseException:
            self._waiting = waiting  # also the rows written in the block: they are undone
            self._named = {table.name for _, table in waiting}
            if self._begun.pop():
                self.cached.clear()
                self._silent.execute("ROLLBACK TO SAVEPOINT command")
                self._silent.execute("RELEASE SAVEPOINT command")
            raise
        if self._begun.pop():
            # If the outer block has written nothing before, this savepoint marks its beginning, too.
            if self._begun and not self._begun[-1]:
                self._begun[-1] = True
            else:
                self._silent.execute("RELEASE SAVEPOINT command")
        if not self._begun:
            self._write([each for each in self._waiting if each[0] is renew])


class Repository:
    """One subject of the store: its statements, run on the connection of a transaction."""

    def __init__(self, db: Connection) -> None:
        self._db = db
