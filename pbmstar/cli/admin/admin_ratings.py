"""The operator's commands about ratings."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from ...cli.listings import Rows, as_json_option, lists, print_facts
from ...cli.options import REFUSED, Group
from ...cli.shared import work
from ...games.spelling import plural
from ...service.work.work import Work
from . import operator
from .rows import Ratings

_since = click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    help="From the games on that ended on that day (UTC): 2027-01-15.",
)


@click.group(cls=Group)
def ratings() -> None:
    """Ratings, computed anew and compared.

    They are kept with each game that ends; this is for after a game was corrected by hand.
    """


@ratings.command("check")
@as_json_option
def ratings_check(as_json: bool) -> None:
    """Compute all ratings anew, and compare.

    Nothing is kept. The exit status is 1 if they differ.
    """
    with work(writes=False) as at:
        differences = list(at.tx.of(Ratings).differences())
    print_facts(differences, [*differences, f"{plural(len(differences), 'difference')}."], as_json)
    sys.exit(REFUSED if differences else 0)


@ratings.command("rebuild")
@_since
def ratings_rebuild(since: datetime | None) -> None:
    """Compute all ratings anew, and keep them.

    Players whose ratings change by five points or more are told in their next letter.
    """
    with work() as at:
        begin = since.replace(tzinfo=UTC).timestamp() if since else float("-inf")
        moved = operator.rebuild(at, begin)
    for each in moved:
        click.echo(f"{each.userid} in {each.game}: {each.before} -> {each.after}")
    click.echo(f"{plural(len(moved), 'rating').capitalize()} changed.")


@click.command()
@click.option("--rebuild", is_flag=True, help="Now: ratings rebuild.")
@_since
@click.option("--check", is_flag=True, help="Now: ratings check.")
@click.pass_context
def rate(context: click.Context, rebuild: bool, since: datetime | None, check: bool) -> None:
    """Check or rebuild the ratings."""
    if rebuild == check:
        raise click.UsageError("Say --rebuild or --check.")
    if check:
        context.invoke(ratings_check, as_json=False)
    else:
        context.invoke(ratings_rebuild, since=since)


@click.command()
@lists("No two accounts look like those of one person.")
def twins(at: Work) -> Rows:
    """List accounts that may be of one person.

    They have one mailbox, or one of them always loses to the other.
    """
    return operator.twins(at.tx)
