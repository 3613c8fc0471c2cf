"""What the tests share: a database of its own for each test, and an office that takes mails."""

from __future__ import annotations

import io
import json
import logging
import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from unittest import mock

import argon2
import jinja2
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from reference.meanings import not_named

from harness.office import Office
from harness.postgresql import Postgresql
from harness.quick import compiling_once, reading_once
from pbmstar import identity
from pbmstar.machine import log
from pbmstar.render import letters
from pbmstar.store import Store

EXAMPLES = 100  # of a property, unless it says by how many times more; every day a tenth of them


def pytest_configure(config: pytest.Config) -> None:
    """Let no property depend on how busy the machine is."""
    settings.register_profile(
        "here",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=EXAMPLES if config.getoption("--slow") else EXAMPLES // 10,
    )
    settings.load_profile("here")


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    """The program keeps what it writes to itself; the next test, and what it starts, do not inherit that."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


class _Listening(logging.Handler):
    """Hears what is logged, and keeps what the reference does not name."""

    def __init__(self) -> None:
        super().__init__()
        self.unknown: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        facts = getattr(record, "facts", {})
        self.unknown += not_named({"event": record.getMessage(), **facts})


@pytest.fixture(autouse=True)
def log_as_in_the_reference() -> Iterator[None]:
    """Every line of the log is an event that docs/reference/log.md names, with facts that stand there."""
    listening = _Listening()
    logger = logging.getLogger("pbmstar")
    logger.addHandler(listening)
    yield
    logger.removeHandler(listening)
    assert not listening.unknown, listening.unknown


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of the first database of a private PostgreSQL server."""
    with Postgresql() as server:
        yield server.url


@pytest.fixture(scope="session")
def empty_postgresql(postgresql: str) -> Iterator[sa.Connection]:
    """A connection that can make databases, where one with the tables made is to be copied.

    It is the same for all tests: to connect takes longer than to make a database.
    """
    engine = sa.create_engine(postgresql, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("CREATE DATABASE empty"))
        Store(postgresql.replace("/postgres?", "/empty?")).close()
        yield connection
    engine.dispose()


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the tables made, to be copied."""
    file = tmp_path_factory.mktemp("sqlite") / "empty.db"
    Store(f"sqlite:///{file}").close()
    return file


@pytest.fixture(scope="session", autouse=True)
def real_passwords() -> Iterator[tuple[argon2.PasswordHasher, str]]:
    """What hashes passwords really, and the hash of nobody's; in this process a cheap one stands in."""
    real = identity.passwords.HASHER, identity.passwords.NOBODY
    cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with (
        mock.patch.object(identity.passwords, "HASHER", cheap),
        mock.patch.object(identity.passwords, "NOBODY", cheap.hash("nobody's")),
    ):
        yield real


@pytest.fixture(scope="session", autouse=True)
def compiled_templates() -> Iterator[None]:
    """All offices and sites of this process have the same templates."""
    with (
        mock.patch.object(jinja2.Environment, "compile", compiling_once()),
        mock.patch.object(letters, "Environments", reading_once()),
    ):
        yield


_serial = iter(range(1_000_000))


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with empty tables, this test's own."""
    if not request.config.getoption("--postgresql"):
        spool = tmp_path / "spool"
        spool.mkdir(exist_ok=True)
        shutil.copy(request.getfixturevalue("empty_sqlite"), spool / "pbmstar.db")
        yield f"sqlite:///{spool}/pbmstar.db"
        return
    connection: sa.Connection = request.getfixturevalue("empty_postgresql")
    name = f"test_{next(_serial)}"
    connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE empty"))
    yield request.getfixturevalue("postgresql").replace("/postgres?", f"/{name}?")
    connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def office_of(database: str, tmp_path: Path) -> Iterator[Callable[..., Office]]:
    """Opens an office with these keys of the configuration."""
    with ExitStack() as opened:
        yield lambda **keys: opened.enter_context(
            closing(Office(database, tmp_path / "spool", **keys))
        )


@pytest.fixture
def office(office_of: Callable[..., Office]) -> Office:
    """A service with its store, that mails are handed to; alice and bob have accounts."""
    return office_of()


@pytest.fixture(scope="session")
def another(empty_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Office]:
    """Opens one more office, on SQLite with empty tables of its own; its user closes it."""

    def opened(**keys: Any) -> Office:
        spool = tmp_path_factory.mktemp("another")
        shutil.copy(empty_sqlite, spool / "pbmstar.db")
        return Office(f"sqlite:///{spool}/pbmstar.db", spool, **keys)

    return opened


@pytest.fixture
def logged() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """The lines that were logged so far."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = list(root.handlers), root.level
    log.setup(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What Postfix says of its queue: nothing at first, whatever waits in the queue of this machine."""
    listed, program = tmp_path / "listed", tmp_path / "postqueue"
    listed.touch()
    program.write_text(f"#!/bin/sh\ncat {shlex.quote(str(listed))}\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return listed
