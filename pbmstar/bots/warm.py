"""The compiled search: numba keeps it in a folder of the spool, and it is there before a message needs it.

A file in the folder says of what it was compiled. Without numba there is nothing to compile.
"""

from __future__ import annotations

import importlib.metadata
from functools import cache
from pathlib import Path

from ..machine.child import Child
from . import budget

KERNEL = Path(__file__).parent / "engine" / "kernel.py"
_PATIENCE = 1800.0  # seconds that the compilation may take


def folder(spool: Path) -> Path:
    """Return numba's folder for compiled code."""
    return spool / "numba"


def is_ready(spool: Path) -> bool:
    """Return True if no answer waits for the compiler."""
    if not budget.is_compiled():
        return True
    try:
        return _note(spool).read_text(encoding="ascii") == source()
    except OSError:
        return False


def warm(spool: Path, compiler: Child) -> None:
    """Let a process compile. Raises ChildDown; ends the process."""
    try:
        compiler.ask({"ask": "compile"}, _PATIENCE)
    finally:
        compiler.close()
    folder(spool).mkdir(mode=0o700, parents=True, exist_ok=True)
    _note(spool).write_text(source(), encoding="ascii")


def _note(spool: Path) -> Path:
    return folder(spool) / "compiled"


@cache
def source() -> str:
    """Return by what numba tells whether compiled code is of today's search."""
    kernel = KERNEL.stat()
    return f"numba {importlib.metadata.version('numba')}, {kernel.st_mtime_ns} {kernel.st_size}\n"
