"""What the tests of the command line share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.program import Program


@pytest.fixture
def program(database: str, tmp_path: Path) -> Iterator[Program]:
    before = os.umask(0o077)
    yield Program(tmp_path, database)
    os.umask(before)


@pytest.fixture
def played(program: Program) -> Program:
    """Two accounts, and a board with three moves and a swap."""
    for userid, password in (("alice", "s3cret"), ("bob", "hunter2")):
        program.run("admin", "user", "add", userid, f"{userid}@localhost", "--password", password)
    for number, (author, subject) in enumerate(
        [
            ("alice@localhost", "star challenge -size=3 alice bob"),
            ("alice@localhost", "star move 1 alice s3cret C1"),
            ("bob@localhost", "star move 1 bob hunter2 swap"),
            ("alice@localhost", "star move 1 alice s3cret D1"),
        ]
    ):
        program.mail(author, subject, number)
    return program
