"""Whose turn it is to deliver from a spool: one process at a time, under one name."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..files import hold, write_whole


@contextmanager
def turn(spool: Path) -> Iterator[str | None]:
    """This process's turn to deliver from the spool: the owner to claim as, None if another has it.

    The owner belongs to the spool, not to the process, so that who comes next can give back at once
    what a killed process had claimed. The lock ends with the process.
    """
    with hold(spool / "deliver.lock") as is_ours:
        yield _owner(spool / "owner") if is_ours else None


def _owner(file: Path) -> str:
    try:
        known = file.read_text().strip()
    except FileNotFoundError:
        known = ""
    if not known:
        known = secrets.token_hex(8)
        write_whole(file, known.encode())
    return known
