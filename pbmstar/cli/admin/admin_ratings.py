"""The operator's commands about ratings."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from ...games.spelling import plural
from ...ratings.rows import Ratings
from ...service.admin import ratings as operator
from ...service.work.work import Work
from ..listings import Rows, as_json_option, lists, print_facts
from ..main import admin
from ..options import REFUSED, Group, bar
from ..shared import work

_since = click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Start with the games that ended on this day (UTC), like 2027-01-15.",
)


@admin.group(cls=Group, example="check")
def ratings() -> None:
    """Compute the ratings again, and compare them.

    They are kept with each game that ends; this is for after a game was corrected by hand.
    """


@ratings.command("check")
@as_json_option
def ratings_check(as_json: bool) -> None:
    """Compute all ratings again, and compare.

    This doesn't save anything. The exit status is 1 if the ratings differ.
    """
    with work(writes=False) as at:
        differences = list(at.tx.of(Ratings).differences())
    print_facts(differences, [*differences, f"{plural(len(differences), 'difference')}."], as_json)
    sys.exit(REFUSED if differences else 0)


@ratings.command("rebuild", example="--since 2027-01-15")
@_since
@as_json_option
def ratings_rebuild(since: datetime | None, as_json: bool) -> None:
    """Compute all ratings again, and save them.

    Players whose ratings change by five points or more are told in their next letter.
    """
    with work() as at, bar("boards") as show:
        begin = since.replace(tzinfo=UTC).timestamp() if since else float("-inf")
        moved = operator.rebuild(at, begin, show)
    lines = [f"{each.userid} in {each.game}: {each.before} -> {each.after}" for each in moved]
    print_facts(lines, [*lines, f"{plural(len(moved), 'rating').capitalize()} changed."], as_json)


@admin.command()
@lists("No two accounts look as if they belonged to one person.")
def twins(at: Work) -> Rows:
    """List accounts that may belong to one person.

    They share a mailbox, or one of them always loses to the other.
    """
    return operator.twins(at.tx)
