"""The operator's command about the Sunday game."""

from __future__ import annotations

from typing import Any

import click

from ...cli.listings import Rows, lists
from ...cli.options import Group
from ...service.work.work import Work
from .rows import Sundays


@click.group(cls=Group, example="list")
def sunday() -> None:
    """The Sunday game: list.

    All players have the same board against the same bot, and a week for it.
    """


@sunday.command("list")
@lists("Nobody has a board of the Sunday game.")
def sunday_list(at: Work) -> Rows:
    """List the boards of this week's Sunday game.

    margin is the number of points the player won by, below 0 if the player lost. You only see it once the
    week is over.
    """
    return listed(at)


def listed(work: Work) -> list[dict[str, Any]]:
    """Return the boards of the newest Sunday game; ``margin`` is None until the week is over."""
    rows = work.tx.of(Sundays)
    newest = rows.newest()
    if newest is None:
        return []
    return [
        {
            "sunday": newest.number,
            "game": newest.game,
            "userid": userid,
            "board": board,
            "moves": moves,
            "margin": margin,
        }
        for userid, board, moves, margin in rows.listed(newest.number)
    ]


COMMAND = sunday
