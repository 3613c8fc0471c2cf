"""The operator's commands about ratings."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from ...cli.listings import Rows, lists
from ...cli.options import REFUSED, refuse
from ...cli.shared import work
from ...games.spelling import plural
from ...service.work.work import Work
from . import operator
from .rows import Ratings


@click.command()
@click.option("--rebuild", is_flag=True, help="Compute all ratings anew, and keep them.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    help="From the games on that ended on that day (UTC): 2027-01-15.",
)
@click.option("--check", is_flag=True, help="Only compare; the exit status is 1 if they differ.")
def rate(rebuild: bool, since: datetime | None, check: bool) -> None:
    """Compute the ratings anew from the games that have ended.

    They are kept with each game that ends; this is for after a game was corrected by hand.
    """
    if rebuild == check and not rebuild:
        refuse("Say --rebuild or --check.")
    if check:
        with work(writes=False) as at:
            differences = list(at.tx.of(Ratings).differences())
        click.echo("\n".join([*differences, plural(len(differences), "difference")]))
        sys.exit(REFUSED if differences else 0)
    with work() as at:
        begin = since.replace(tzinfo=UTC).timestamp() if since else float("-inf")
        moved = operator.rebuild(at, begin)
    for each in moved:
        click.echo(f"{each.userid} in {each.game}: {each.before} -> {each.after}")
    click.echo(f"{plural(len(moved), 'rating')} changed")


@click.command()
@lists("No two accounts look like those of one person.")
def twins(at: Work) -> Rows:
    """List accounts that may be of one person: one mailbox, or one always loses to the other."""
    return operator.twins(at.tx)
