"""The commands of ``pbmstar admin`` about times in which no clock runs: outages, and days of leave."""

from __future__ import annotations

from datetime import datetime

import click

from ..errors import BadInput
from .admin import admin, as_json_option, print_rows, user
from .shared import NUMBER, Group, statuses, work


@admin.group(cls=Group)
def outage() -> None:
    """Times when nobody could reach the server: no player's clock runs then."""


@outage.command("add")
@click.argument("begin")
@click.argument("until")
@click.argument("why")
def outage_add(begin: str, until: str, why: str) -> None:
    """Let no clock run from BEGIN to UNTIL, such as 2026-12-06T13:20Z, and say WHY.

    Games that were forfeited meanwhile are listed; they stay as they are.
    """
    from ..service import lifecycle

    with statuses():
        span = _time(begin), _time(until)
    with work() as at:
        number, forfeits = lifecycle.add_outage(at, *span, why)
    click.echo(f"outage {number} added")
    for board in forfeits:
        click.echo(f"board {board} was forfeited since; reset it if that was for the outage")


@outage.command("list")
@as_json_option
def outage_list(as_json: bool) -> None:
    """All of them, those that the server has noticed itself among them."""
    from . import listings

    with work(writes=False) as at:
        rows = [listings.outage_line(each) for each in at.tx.outages()]
    print_rows(rows, as_json)


@outage.command("remove")
@click.argument("number", metavar="ID", type=NUMBER)
def outage_remove(number: int) -> None:
    """Let time have run after all."""
    from ..service import lifecycle

    with work() as at:
        lifecycle.remove_outage(at, number)
    click.echo(f"outage {number} removed")


def _time(text: str) -> float:
    """A time of a command line. Raises BadInput."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        when = None
    if when is None or when.tzinfo is None:
        raise BadInput(f"{text} is no time like 2026-12-06T13:20Z, in UTC.")
    return when.timestamp()


@user.command("leave")
@click.argument("userid")
@click.argument("days", type=click.IntRange(1, 366))
def user_leave(userid: str, days: int) -> None:
    """Give a player so many days of leave more this year."""
    from ..service import lifecycle

    with work() as at:
        left = lifecycle.grant_leave(at, userid.lower(), days)
    click.echo(f"{left} days of leave are left this year")
