"""The operator's command about the Sunday game."""

from __future__ import annotations

import click

from ...cli.listings import Rows, lists
from ...cli.options import Group
from ...service.work.work import Work
from . import operator


@click.group(cls=Group, example="list")
def sunday() -> None:
    """The Sunday game: list.

    All players have the same board against the same bot, and a week for it.
    """


@sunday.command("list")
@lists("Nobody has a board of the Sunday game.")
def sunday_list(at: Work) -> Rows:
    """List the boards of this week's Sunday game.

    margin is by how many points the player won, below 0 lost; there is none until the week is over.
    """
    return operator.listed(at)


COMMAND = sunday
