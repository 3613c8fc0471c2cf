"""The speed of the bots on this machine."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from .. import games
from .engine.levels import NUMBERS

_BOARDS = (
    ("star", '{"size": 6}'),
    ("*star", '{"rings": 6}'),
    ("*star", '{"rings": 10}'),
    ("star", '{"size": 14}'),
)


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
