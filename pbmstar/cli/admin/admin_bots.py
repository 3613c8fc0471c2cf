"""The operator's commands about bots."""

from __future__ import annotations

import click

from ...match import BOTS
from ...service.admin import bots
from ...service.work.work import Work
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

    For each bot you see its running games, its waiting turns, and the age of the oldest one in seconds.
    answers counts its answers in the last 7 days: half of them took at most median_seconds, and nine out of
    ten at most slow_seconds.
    """
    return bots.listed(at)


@admin_bot.command("add", example="bot3")
@click.argument("userid", type=click.Choice(BOTS), metavar="[USERID]", required=False)
def bot_add(userid: str | None) -> None:
    """Open an account for a bot.

    The bots are bot1 to bot10. Without USERID, this opens an account for each bot that doesn't have one.
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

    Each line shows the level, the number of cells on the board, how many seconds an answer took, playouts per
    second, and `compiled` or `interpreted`. It uses one core, and boards with a tenth of their cells filled.
    """
    from ...bots.warm import speeds

    for line in speeds():
        click.echo(line)


@bot.command("warm")
def bot_warm() -> None:
    """Compile the code that bots think with.

    Then a bot's first answer doesn't have to wait for that. It takes about half a minute of processor time
    after an installation or upgrade, and a second after that. The Debian package does it during installation,
    and `serve` when it starts. Run it as the daemon's user.
    """
    from ...bots import budget, warm
    from ...machine.child import ChildDown
    from ...thinking.worker import compiler

    if not budget.is_compiled():
        click.echo("There's nothing to compile: numba isn't installed.")
        return
    spool = configuration().spool
    try:
        warm.warm(spool, compiler(spool))
    except ChildDown as error:
        raise click.ClickException(f"The bots can't be compiled: {error}") from error
    click.echo("The bots are ready.")
