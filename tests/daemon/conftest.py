"""A daemon for each test, ended after it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from peers import Alone, Running


@pytest.fixture
def start(tmp_path: Path, database: str) -> Iterator[Callable[..., Running]]:
    """Starts a daemon in a thread, with options of ``Running``."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(
            Running(tmp_path / "spool", database=database, **options)
        )


@pytest.fixture
def running(start: Callable[..., Running]) -> Running:
    """A daemon as it is without options."""
    return start()


@pytest.fixture
def lmtp(start: Callable[..., Running], tmp_path: Path) -> Running:
    """A daemon that listens for LMTP too."""
    return start(lmtp=f"unix:{tmp_path}/lmtp")


@pytest.fixture
def alone(tmp_path: Path, empty_sqlite: Path) -> Iterator[Callable[..., Alone]]:
    """Starts a daemon in a process, with options of ``Alone``; its tables are made."""
    shutil.copy(empty_sqlite, tmp_path / "pbmstar.db")
    with ExitStack() as stack:
        yield lambda *options, **more: stack.enter_context(Alone(tmp_path, *options, **more))
