"""The operator's command about the problem of the week."""

from __future__ import annotations

import click

from ...cli.options import Group, configuration, statuses
from ...cli.shared import context, store
from . import weekly


@click.group(cls=Group)
def problem() -> None:
    """The problem of the week: a position of a game that was played here."""


@problem.command("make")
def problem_make() -> None:
    """Find this week's problem among the newest games, as remind does once a week.

    It takes some seconds at most, while the daemon runs. The letters go with the next remind.
    """
    config = configuration()
    with statuses(), store(config) as opened:
        made = weekly.make(context(config), opened)
    if made is None:
        click.echo("none of the newest games gives a good problem this week")
    else:
        click.echo(f"problem {made.number}: {made.game} on board {made.board}")
