"""What the tests of the command line share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.program import Program


@pytest.fixture
def program(database: str, tmp_path: Path) -> Iterator[Program]:
    before = os.umask(0o077)
    yield Program(tmp_path, database)
    os.umask(before)


def play(program: Program) -> None:
    """Make two accounts, and a board with three moves and a swap."""
    for userid, password in (("alice", "s3cret"), ("bob", "hunter2")):
        program.run(
            "admin",
            "user",
            "add",
            userid,
            f"{userid}@localhost",
            "--password",
            password,
            "--no-letter",
        )
    for number, (author, subject) in enumerate(
        [
            ("alice@localhost", "star challenge -size=3 alice bob"),
            ("alice@localhost", "star move 1 alice s3cret C1"),
            ("bob@localhost", "star move 1 bob hunter2 swap"),
            ("alice@localhost", "star move 1 alice s3cret D1"),
        ]
    ):
        program.mail(author, subject, number)


@pytest.fixture(scope="session")
def played_once(empty_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spool with an SQLite file in which that has been played, to be copied."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "spool").mkdir(mode=0o700)
    shutil.copy(empty_sqlite, folder / "spool" / "pbmstar.db")
    before = os.umask(0o077)
    play(Program(folder, f"sqlite:///{folder}/spool/pbmstar.db"))
    os.umask(before)
    return folder / "spool"


@pytest.fixture
def played(program: Program, request: pytest.FixtureRequest) -> Program:
    """Two accounts, and a board with three moves and a swap."""
    if program.database.startswith("sqlite:"):
        once = request.getfixturevalue("played_once")
        shutil.copytree(once, program.spool, dirs_exist_ok=True)
    else:
        play(program)
    return program
