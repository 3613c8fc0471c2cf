"""The database, SQLite in the spool or PostgreSQL: opening it, and its transactions."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from ..errors import (
    DATABASE,
    BadInput,
    CommitUnknown,
    CorruptDatabase,
    SchemaChanged,
    TemporaryFailure,
)
from ..machine.files import sync
from ..machine.log import Show, unseen
from ..match import BOTS
from .schema import metadata, tables, users
from .statements import Connection, Statements, is_damage
from .transaction import Tx

RELEASED = ("0032",)  # of 1.0.0
HEAD = "0035"  # the newest migration
_REVISION = "SELECT version_num FROM alembic_version"
_BOT = {"address": "", "password": "", "state": "bot", "made": 0, "refuses": "", "bounces": 0}
_BOT |= dict.fromkeys(("reminders", "news", "html", "pictures", "listed"), 0) | {"public": 1}
_NOT_THERE = ("no such table", "no such column", "has no column")  # of SQLite
# After these errors an fsync that succeeds proves nothing: the kernel has forgotten the unwritten pages.
_BROKEN = (sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC)
_NO_FILE = sqlite3.SQLITE_CANTOPEN
_PATIENCE = 10.0  # seconds for which SQLite waits for another process
_PAUSE = 0.02  # seconds between two tries of what SQLite does not wait for
_PRAGMAS = (
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=FAST",  # wipes deleted data in pages that are written anyway
    "wal_autocheckpoint=2000",  # pages; the commit that copies them back into the file takes longer
    "cache_size=-8192",  # KiB; other pages are in the system's cache
    "temp_store=MEMORY",  # the data to undo a savepoint: it never outlives the process
)

# The connection that was used last is used next: it still has the pages that it has read, and its prepared
# statements. If they took turns, SQLite would read each page anew that another connection has written.
_POOL = {"pool_use_lifo": True}

# One connection of PostgreSQL that hangs must not hold up the others for long. A lock that is not to be had
# is a TemporaryFailure error. A process that hangs within a transaction loses it, and so its locks; the
# server notices by the silence of the line that a machine is gone. Each connection sets these with a
# statement: pgbouncer passes on no options.
SETTINGS = (
    "SET lock_timeout = '4s'",
    "SET idle_in_transaction_session_timeout = '15s'",
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 3",
    "SET tcp_keepalives_count = 3",
    "SET tcp_user_timeout = '15s'",
)
_NO_HURRY = "SET LOCAL idle_in_transaction_session_timeout = 0"
# For a transaction that changes tables or copies all of them.
_AT_LEISURE = ("SET LOCAL lock_timeout = 0", _NO_HURRY)
# The same at our end of the line; what the URL says goes first.
_LINE = {
    "connect_timeout": 10,  # seconds, as the following ones
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # ms
}

_OTHERS = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name LIKE 'pbmstar %' AND application_name != :mine"
)


def _require(version: str) -> None:
    """Raise SchemaChanged if the tables are of another revision than this program."""
    if version != HEAD:
        raise SchemaChanged(version, HEAD)


class Store:
    """One database. Safe to use from several threads; SQLite has one writer at a time."""

    def __init__(
        self, url: str, read_only: bool = False, make: bool = True, node: str = ""
    ) -> None:
        """Open the database; create or migrate its tables if necessary.

        ``node``: the id of the node that writes, so that the others can end its connections once it is dead.
        With ``read_only`` nothing is made or changed, and missing or older tables raise TemporaryFailure.
        Without ``make`` missing tables raise BadInput. Raises BadInput for a URL that is of no use here and
        for tables of a newer or unreleased version, TemporaryFailure if the database cannot be opened, and
        CorruptDatabase if its file is not a whole database.
        """
        tables()  # the modules of features with some of them are loaded now
        self._make = make
        self.engine = _engine(url, read_only, node)
        self._read_only, self._name = read_only, _name(node)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        if self.is_sqlite and not read_only:
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
            sa.event.listen(self.engine, "begin", _begin)
        if not self.is_sqlite:
            sa.event.listen(self.engine, "connect", _prepare_postgresql)
        file = self.engine.url.database
        if self.is_sqlite and not make and file and _is_file(file) and not Path(file).exists():
            raise BadInput(f"There is no database {file}. The daemon makes it at its start.")
        self._reading = self.engine.execution_options(reads=True)
        dialect: Any = type(self.engine.dialect)
        self._statements = _compiled(dialect, self.is_sqlite)
        driver: Any = self.engine.dialect.loaded_dbapi
        self._troubles: tuple[type[Exception], ...] = (driver.OperationalError,)
        if not self.is_sqlite:
            # Another daemon was first, with the same userid for instance. The mail comes again, and
            # then we see the other's work. SQLite has one writer: there this error would be a bug.
            self._troubles += (driver.IntegrityError,)
            # A standby, a role without rights, a restore under way: the operator must fix this, and
            # the mail comes again later. SQLite calls such errors operational.
            self._troubles += (
                driver.errors.ReadOnlySqlTransaction,
                driver.errors.InsufficientPrivilege,
                driver.errors.UndefinedTable,
                driver.errors.IdleInTransactionSessionTimeout,
            )
        self._any_trouble = (sa.exc.OperationalError, *self._troubles)
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    def _migrate(self) -> None:
        with self._passing():
            with self._reading.connect() as connection:
                version = self._revision(connection)
            if version == HEAD:
                return
            if version and version not in RELEASED and version < HEAD:
                raise BadInput(
                    f"database: its tables are of no released pbmstar (revision {version}). "
                    "Start from a backup made by a released one."
                )
            if version > HEAD:
                raise BadInput(
                    f"database: its tables are of a newer pbmstar (revision {version}; this one "
                    f"knows {HEAD}). Install that version again, or start from a backup made "
                    "before it."
                )
            if not version and not self._make:
                raise BadInput("That is not a database of pbmstar.")
            if self._read_only:
                raise TemporaryFailure(
                    "database: its tables are made, or brought up to date, by the next start"
                )
            with self.engine.begin() as connection:
                if (
                    not self.is_sqlite
                ):  # two daemons may start together; SQLite has begun exclusively
                    _take_leisure(connection)
                    connection.execute(sa.text("SELECT pg_advisory_xact_lock(20260)"))
                self._upgrade(connection)

    def _upgrade(self, connection: sa.Connection) -> None:
        """Make the tables, with an account for each bot; or bring those that are there up to date."""
        from alembic import command  # noqa: PLC0415 - tables are rarely changed
        from alembic.config import Config  # noqa: PLC0415

        config = Config()
        config.set_main_option("script_location", "pbmstar.store:migrations")
        config.attributes["connection"] = connection
        if sa.inspect(connection).has_table("alembic_version"):
            command.upgrade(config, "head")
            return
        metadata.create_all(connection, tables(), checkfirst=False)
        connection.execute(users.insert(), [_BOT | {"userid": name} for name in BOTS])
        command.stamp(config, "head")

    def _revision(self, connection: sa.Connection) -> str:
        """Return the revision of the tables; empty if there are none."""
        try:
            return str(connection.exec_driver_sql(_REVISION).scalar() or "")
        except sa.exc.DBAPIError as error:
            driver: Any = self.engine.dialect.loaded_dbapi
            if self.is_sqlite and "no such table" not in str(error.orig):
                raise
            if not self.is_sqlite and not isinstance(error.orig, driver.errors.UndefinedTable):
                raise
            return ""

    @contextmanager
    def transaction(self, writes: bool = True) -> Iterator[Tx]:
        """Begin a transaction for the block, durable when the block has ended.

        One that only reads waits for no writer: it sees the state that was committed when it began.

        Raises TemporaryFailure for a trouble of the database; CommitUnknown if nobody knows if the commit
        was kept; and SchemaChanged, without a commit, if the tables are no longer those that this program
        knows.
        """
        engine = self.engine if writes else self._reading
        try:
            with self._passing(), engine.begin() as connection:
                driver_connection: Any = connection.connection.driver_connection
                with nullcontext() if self.is_sqlite else driver_connection.pipeline() as pipeline:
                    opened = Connection(
                        driver_connection, self._statements, self._troubles, pipeline
                    )
                    if not writes and not self.is_sqlite:  # it has no lock that others wait for
                        driver_connection.execute(_NO_HURRY)
                    revision = driver_connection.execute(_REVISION) if writes else None
                    yield Tx(opened)
                    opened.write()
                    if revision is not None:  # which PostgreSQL has sent along with other answers
                        _require(*revision.fetchone())
        except Exception as error:
            if self._is_of_tables(error):
                self.require_tables()
            raise

    def require_tables(self) -> None:
        """Raise SchemaChanged if the tables are no longer those that this program knows.

        If the database does not answer, do nothing: others report that.
        """
        with (
            suppress(sa.exc.SQLAlchemyError, *self._troubles),
            self._reading.connect() as connection,
        ):
            _require(str(connection.exec_driver_sql(_REVISION).scalar() or ""))

    def _is_of_tables(self, error: BaseException | None) -> bool:
        """Return True if an error, or one that caused it, is about a table or a column that is not there."""
        driver: Any = self.engine.dialect.loaded_dbapi
        while error is not None:
            if isinstance(error, driver.ProgrammingError | sqlite3.OperationalError) and (
                not self.is_sqlite or any(words in str(error) for words in _NOT_THERE)
            ):
                return True
            error = error.__cause__
        return False

    @contextmanager
    def _passing(self, copy: Path | None = None) -> Iterator[None]:
        try:
            yield
        except self._any_trouble as error:
            cause = getattr(error, "orig", None) or error
            kind = (
                CommitUnknown
                if getattr(cause, "sqlite_errorcode", None) in _BROKEN
                else TemporaryFailure
            )
            file = self.engine.url.database
            no_file = getattr(cause, "sqlite_errorcode", None) == _NO_FILE
            where = f"database: {cause} ({file})" if no_file else f"database: {cause}"
            is_copy = copy and isinstance(cause, sqlite3.Error)
            raise kind(f"the copy {copy}: {cause}" if is_copy else where, DATABASE) from error
        except (sa.exc.DatabaseError, sqlite3.DatabaseError) as error:
            if not is_damage(getattr(error, "orig", None) or error):
                raise
            raise CorruptDatabase(
                f"database: the file {self.engine.url.database} is damaged, or is not a database. See "
                '"The database is lost or damaged" in docs/troubles.md.',
                DATABASE,
            ) from error

    def backup(self, target: Path) -> None:
        """Write a consistent copy of all tables into a new SQLite file while the store is in use.

        The copy is itself a database to start from, and is read once to see that it is whole. Raises
        BadInput if the file exists, TemporaryFailure if it could not be written, and CorruptDatabase if it
        is not whole. Then there is no file, because part of a copy may look like a whole one.
        """
        if target.exists():
            raise BadInput(f"{target.name} exists already.")
        part = target.with_name(f"{target.name}.part")
        try:
            _remove(part)  # left by a backup that was killed
            with self._passing(target):
                if self.is_sqlite:
                    with self.engine.connect() as connection:
                        driver: Any = connection.connection.driver_connection
                        driver.commit()  # VACUUM is not part of a transaction
                        driver.execute("VACUUM INTO ?", (str(part),))
                else:
                    self._copy(part)
            part.chmod(0o600)
            _require_whole(part)
            sync(part)
            part.rename(target)
        finally:
            _remove(part)
        sync(target.parent)

    def _copy(self, target: Path) -> None:
        snapshot = self.engine.execution_options(isolation_level="REPEATABLE READ")
        with (
            closing(Store(f"sqlite:///{target}")) as copy,
            snapshot.connect() as here,
        ):
            _take_leisure(here)
            _copy_tables(here, copy.engine)

    def wipe(self) -> None:
        """Leave no deleted data in the file of the database, nor in its log.

        The file is written again, and nobody else can write meanwhile. Raises TemporaryFailure if others use
        it for too long. PostgreSQL wipes deleted data by itself in time.
        """
        if not self.is_sqlite:
            return
        with self._passing(), self.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            driver.execute("VACUUM")
            (is_busy, *_) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            raise TemporaryFailure("database: its log is in use, and still has what was erased")

    def move_to(self, target: Store, show: Show = unseen) -> int:
        """Copy to another store all rows that it lacks, and compare every row; return their number.

        ``show`` is told the rows that are done. It can be interrupted and begun again. Nobody may write
        meanwhile. Raises BadInput if the other store holds other rows, or is this one, or if another process
        uses this one: a daemon with a spool of its own.
        """
        with self._passing(), target._passing():
            if self._is(target):
                raise BadInput("That is the database which is in use: name another one.", "same")
            if not self.is_sqlite:
                with self.engine.connect() as here:
                    if here.execute(_OTHERS, {"mine": self._name}).scalar():
                        raise BadInput(
                            "Another pbmstar uses this database: stop it first.", "in-use"
                        )
        with self._passing(), target._passing(), self.engine.connect() as here:
            if not self.is_sqlite:
                _take_leisure(here)
            return _copy_tables(here, target.engine, show)

    def _is(self, other: Store) -> bool:
        """Return True if both are one database, however their URLs are spelled."""
        if self.is_sqlite or other.is_sqlite:
            files = (self.engine.url.database or "", other.engine.url.database or "")
            return self.is_sqlite == other.is_sqlite and Path(files[0]).samefile(files[1])
        with self.engine.begin() as here, other.engine.begin() as there:
            here.execute(
                sa.text("SELECT pg_advisory_xact_lock(20261)")
            )  # each database has its own
            return not there.execute(sa.text("SELECT pg_try_advisory_xact_lock(20261)")).scalar()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _name(node: str = "") -> str:
    """Return the name of the connections of this process in PostgreSQL."""
    return f"pbmstar {os.getpid()} {node}".strip()


def _engine(url: str, read_only: bool, node: str) -> sa.Engine:
    try:
        parsed = _parsed(url)
        if parsed.drivername in ("sqlite", "sqlite+pysqlite") and _is_file(parsed.database):
            arguments = {"timeout": _PATIENCE, "isolation_level": None}
            if read_only:
                parsed = _read_only_url(parsed)
            return sa.create_engine(parsed, connect_args=arguments, **_POOL)
        if parsed.drivername in ("postgresql", "postgresql+psycopg"):
            return sa.create_engine(
                parsed.set(drivername="postgresql+psycopg"),
                connect_args={
                    **{name: value for name, value in _LINE.items() if name not in parsed.query},
                    "application_name": _name(node),
                },
                pool_pre_ping=True,
                **_POOL,
            )
    except ImportError:
        raise BadInput("database: pip install pbmstar[postgresql] first.") from None
    except (sa.exc.ArgumentError, ValueError):
        pass
    raise BadInput("database: sqlite:///PATH or postgresql+psycopg://USER:PASSWORD@HOST/NAME.")


def _parsed(url: str) -> sa.URL:
    """Return the parts of a URL. The path of an SQLite file is taken as it is: a % or ? in it is not a code.

    Raises sa.exc.ArgumentError.
    """
    scheme, found, path = url.partition(":///")
    if found and scheme in ("sqlite", "sqlite+pysqlite"):
        return sa.URL.create(scheme, database=path)
    return sa.make_url(url)


def _copy_tables(source: sa.Connection, target: sa.Engine, show: Show = unseen) -> int:
    from .copying import copy  # noqa: PLC0415 - rarely needed, and slow to import

    return copy(source, target, show)


def _is_file(path: str | None) -> bool:
    """Return True if SQLite has a file at that path: it has databases in memory, too."""
    return bool(path) and path != ":memory:"


def _require_whole(file: Path) -> None:
    """Raise CorruptDatabase if a copy of the database is not one whole SQLite file."""
    try:
        with closing(sqlite3.connect(file)) as copy:
            (said,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        said = str(error)
    if said != "ok":
        raise CorruptDatabase(f"database: the copy is not whole: {said}", DATABASE)


def _remove(file: Path) -> None:
    """Remove an SQLite file, if it is there, and its log, because an old log would spoil a new file."""
    for end in ("", "-journal", "-wal", "-shm"):
        Path(f"{file}{end}").unlink(missing_ok=True)


def _read_only_url(url: sa.URL) -> sa.URL:
    """Return the URL that opens an existing SQLite file without making a file beside it."""
    file = Path(url.database or "")
    if not file.is_file():
        raise TemporaryFailure(f"database: there is none yet ({file})")
    # A log beside it belongs to a process that uses the file now, or was killed; without one no process does.
    query = {"mode": "ro", "uri": "true"}
    if not Path(f"{file}-wal").exists():
        query["immutable"] = "1"
    return url.set(database=f"file:{quote(str(file.absolute()))}", query=query)


@cache
def _compiled(dialect: Any, is_sqlite: bool) -> Statements:
    """Return the statements for a dialect, compiled once for all stores of this process."""
    return Statements(dialect(paramstyle="named" if is_sqlite else "pyformat"))


def _prepare_postgresql(connection: Any, _record: object) -> None:
    for setting in SETTINGS:
        connection.execute(setting)
    connection.commit()


def _take_leisure(connection: sa.Connection) -> None:
    """Let a transaction on PostgreSQL wait for locks, and think between two statements, for any time."""
    for setting in _AT_LEISURE:
        connection.exec_driver_sql(setting)


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    _write_ahead(connection)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute("PRAGMA synchronous").fetchone() != (2,):
        raise TemporaryFailure("SQLite does not keep synchronous=FULL")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to write-ahead logging.

    SQLite refuses at once the second of two processes that open a new file.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        else:
            return
        time.sleep(_PAUSE)


def _begin(connection: sa.Connection) -> None:
    """Take the write lock at the beginning: a transaction that has read before may not get it later."""
    reads = connection.get_execution_options().get("reads")
    driver: Any = connection.connection.driver_connection  # the engine makes ten calls of one
    driver.execute("BEGIN" if reads else "BEGIN IMMEDIATE")
