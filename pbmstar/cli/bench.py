"""``pbmstar bot``: how fast the bots of this machine are."""

from __future__ import annotations

import click

_BOARDS = (("star", '{"size": 6}'), ("*star", '{"rings": 6}'), ("*star", '{"rings": 10}'))


@click.command()
@click.option("--bench", is_flag=True, required=True, help="A line for each level and size.")
def bot(bench: bool) -> None:
    """The speed of the bots: level, cells, seconds of an answer, playouts a second, and in which way.

    Measured on one core, on boards with a tenth of their cells filled.
    """
    import random
    import time

    from ..bot.jit import COMPILED
    from ..bot.levels import LEVELS
    from ..bot.think import answer
    from ..games import load

    for game, options in _BOARDS:
        position = load(game, options).start()
        chance = random.Random(1)  # noqa: S311 - for a board
        names = list(position.game.grid.names)
        request = {"game": game, "options": options, "seed": 1}
        request["moves"] = chance.sample(names, len(names) // 10)
        answer({**request, "level": 1})  # what is compiled at the first time is compiled now
        for level in LEVELS:
            begun = time.process_time()
            reply = answer({**request, "level": level})
            seconds = max(time.process_time() - begun, 1e-6)
            rate = reply["playouts"] / seconds
            way = "compiled" if COMPILED else "interpreted"
            click.echo(f"{level} {len(names)} {seconds:.3f} {rate:.0f} {way}")
