"""The operator's commands about bots."""

from __future__ import annotations

import click

from ...cli.listings import Rows, lists
from ...cli.options import Group, refuse
from ...cli.shared import work
from ...service.work.work import Work
from . import operator
from .players import PLAYERS
from .speeds import speeds


@click.group(cls=Group)
def admin_bot() -> None:
    """Bots: accounts whose moves this server finds itself."""


@admin_bot.command("list")
@lists("There are no bots yet. See: pbmstar admin bot add")
def bot_list(at: Work) -> Rows:
    """List the bots, each with its running games and the age of its oldest turn in seconds."""
    return operator.listed(at)


@admin_bot.command("add")
@click.argument("userid", required=False)
def bot_add(userid: str | None) -> None:
    """Open the account of a bot, bot1 to bot10; without USERID those of all bots that have none."""
    if userid and userid not in PLAYERS:
        refuse(f"The bots are {PLAYERS[0]} to {PLAYERS[-1]}, after how strong they are.")
    with work() as at:
        added = [bot for bot in ([userid] if userid else PLAYERS) if operator.add(at, bot)]
    click.echo(f"{', '.join(added) or 'nothing'} added")


@click.command()
@click.option("--bench", is_flag=True, required=True, help="A line for each level and size.")
def bot(bench: bool) -> None:
    """Measure the bots.

    Each line has the level, the cells of the board, seconds for an answer, playouts a second, and
    `compiled` or `interpreted`. It uses one core, and boards with a tenth of their cells filled.
    """
    for line in speeds():
        click.echo(line)
