"""The operator's commands about bots."""

from __future__ import annotations

import click

from ...cli.listings import Rows, lists
from ...cli.options import Group, say_renamed
from ...cli.shared import work
from ...service.work.work import Work
from . import operator
from .players import PLAYERS
from .speeds import speeds


@click.group(cls=Group)
def admin_bot() -> None:
    """Accounts whose moves this server finds."""


@admin_bot.command("list")
@lists("There are no bots yet. See: pbmstar admin bot add")
def bot_list(at: Work) -> Rows:
    """List the bots, and how long they take.

    Each has its running games, the turns that wait, and the age of the oldest in seconds. answers counts
    those of the last 7 days: half of them came within median_seconds after the turn began, nine of ten within
    slow_seconds.
    """
    return operator.listed(at)


@admin_bot.command("add")
@click.argument("userid", type=click.Choice(PLAYERS), metavar="[USERID]", required=False)
def bot_add(userid: str | None) -> None:
    """Open the account of a bot.

    The bots are bot1 to bot10. Without USERID, those of all bots are opened that have none.
    """
    with work() as at:
        added = [bot for bot in ([userid] if userid else PLAYERS) if operator.add(at, bot)]
    if added:
        click.echo(f"{'Account' if len(added) == 1 else 'Accounts'} opened: {', '.join(added)}.")
    else:
        click.echo("Nothing to open: these bots have accounts.")


@click.group(cls=Group, invoke_without_command=True)
@click.option("--bench", is_flag=True, hidden=True)
@click.pass_context
def bot(context: click.Context, bench: bool) -> None:
    """Measure the bots."""
    if context.invoked_subcommand is None and bench:
        say_renamed(context, "bot --bench", "bot bench")
        context.invoke(bot_bench)
    elif context.invoked_subcommand is None:
        raise click.UsageError("Missing command.")


@bot.command("bench")
def bot_bench() -> None:
    """Measure how fast bots are here.

    Each line has the level, the cells of the board, seconds for an answer, playouts a second, and
    `compiled` or `interpreted`. It uses one core, and boards with a tenth of their cells filled.
    """
    for line in speeds():
        click.echo(line)
