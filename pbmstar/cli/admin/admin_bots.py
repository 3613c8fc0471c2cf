"""The operator's commands about bots."""

from __future__ import annotations

import click

from ...bots import budget, warm
from ...bots.warm import speeds
from ...machine.child import ChildDown
from ...match import BOTS
from ...service.admin import bots
from ...service.work.work import Work
from ...thinking.worker import compiler
from ..listings import Rows, lists
from ..main import admin, main
from ..options import Group, configuration
from ..shared import work


@admin.group("bot", cls=Group, example="list")
def admin_bot() -> None:
    "Bots: the accounts this server plays for."


@admin_bot.command("list")
@lists("There are no bots yet. See: pbmstar admin bot add")
def bot_list(at: Work) -> Rows:
    """List the bots, and how long they take.

    Each has its running games, the waiting turns, and the age of the oldest in seconds. answers counts
    the answers of the last 7 days: half of them came within median_seconds after the turn began, nine of ten
    within slow_seconds.
    """
    return bots.listed(at)


@admin_bot.command("add", example="bot3")
@click.argument("userid", type=click.Choice(BOTS), metavar="[USERID]", required=False)
def bot_add(userid: str | None) -> None:
    """Open the account of a bot.

    The bots are bot1 to bot10. Without USERID, this opens an account for each bot that has none.
    """
    with work() as at:
        added = [bot for bot in ([userid] if userid else BOTS) if bots.add(at, bot)]
    if added:
        click.echo(f"{'Account' if len(added) == 1 else 'Accounts'} opened: {', '.join(added)}.")
    else:
        click.echo("Nothing to open: these bots already have accounts.")


@main.group(cls=Group, example="bench")
def bot() -> None:
    """Measure the bots, and make them ready."""


@bot.command("bench")
def bot_bench() -> None:
    """Measure how fast bots are here.

    Each line has the level, the cells of the board, seconds for an answer, playouts a second, and
    `compiled` or `interpreted`. It uses one core, and boards with a tenth of their cells filled.
    """
    for line in speeds():
        click.echo(line)


@bot.command("warm")
def bot_warm() -> None:
    """Compile what bots think with.

    Then the first answer of a bot doesn't wait for that. It takes about half a minute of processor time after
    an installation or upgrade, and a second later on. The Debian package does it when it is installed, and
    `serve` when it starts. Run it as the user of the daemon.
    """
    if not budget.is_compiled():
        click.echo("There is nothing to compile: numba is not installed.")
        return
    spool = configuration().spool
    try:
        warm.warm(spool, compiler(spool))
    except ChildDown as error:
        raise click.ClickException(f"The bots can't be compiled: {error}") from error
    click.echo("The bots are ready.")
