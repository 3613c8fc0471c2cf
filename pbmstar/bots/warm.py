"""The compiled search: numba keeps it in a folder of the spool, and it is there before a message needs it.

A file in the folder says of what it was compiled. Without numba there is nothing to compile.

The speed of the bots on this machine.
"""

from __future__ import annotations

import importlib.metadata
import random
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .. import games
from ..machine.child import Child
from . import budget
from .engine.levels import NUMBERS

KERNEL = Path(__file__).parent / "engine" / "kernel.py"
_PATIENCE = 1800.0  # seconds that the compilation may take
_BOARDS = (
    ("star", '{"size": 6}'),
    ("*star", '{"rings": 6}'),
    ("*star", '{"rings": 10}'),
    ("star", '{"size": 14}'),
)


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


def speeds() -> Iterator[str]:
    """Measure the bots: a line for each level and size."""
    from .engine.jit import COMPILED  # noqa: PLC0415 - compiling modules take long to import
    from .engine.think import answer as think  # noqa: PLC0415

    way = "compiled" if COMPILED else "interpreted"
    for game, options in _BOARDS:
        position = games.load(game, options).start()
        chance = random.Random(1)  # noqa: S311 - for a board
        names = list(position.game.grid.names)
        request = {"game": game, "options": options, "seed": 1}
        request["moves"] = chance.sample(names, len(names) // 10)
        think({**request, "level": 1})  # the first answer compiles
        for level in NUMBERS:
            begun = time.process_time()
            reply = think({**request, "level": level})
            seconds = max(time.process_time() - begun, 1e-6)
            rate = reply["playouts"] / seconds
            yield f"{level} {len(names)} {seconds:.3f} {rate:.0f} {way}"
