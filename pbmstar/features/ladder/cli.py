"""The operator's commands about ladders."""

from __future__ import annotations

import click

from ...cli.listings import Rows, lists
from ...cli.options import Group
from ...cli.shared import work
from ...games import title_of
from ...service.work.work import Work
from ..contests.cli import (
    AS_OF_A_CHALLENGE,
    close,
    game_argument,
    kind_of,
    listed,
    open_contest,
    options_argument,
    time_option,
)
from ..contests.lookup import the_open
from .rules import LADDER


@click.group(cls=Group, example="list")
def ladder() -> None:
    """Ladders: list, open, close, show.

    The players of a ladder are in an order; who wins against a player above takes that place.
    """


@ladder.command("list")
@lists("There are no ladders. See: pbmstar admin ladder open")
def ladder_list(at: Work) -> Rows:
    """List the ladders."""
    return listed(at, LADDER)


@ladder.command("open", context_settings=AS_OF_A_CHALLENGE, example="star -size=8")
@game_argument
@options_argument
def ladder_open(game: str, options: tuple[str, ...]) -> None:
    """Open the ladder of a game.

    OPTIONS are the same as in a challenge, such as -size=8. The time limit is --time, or else 10d+36h.
    """
    with work() as at:
        opened = open_contest(at, LADDER, game, time_option(), options)
    click.echo(f"Ladder of {title_of(opened.game)} opened.")


@ladder.command("close", example="star")
@game_argument
def ladder_close(game: str) -> None:
    """Close the ladder of a game.

    Running games go on. You can open the ladder again.
    """
    close(LADDER, game)


@ladder.command("show", example="star")
@game_argument
@lists("Nobody is on this ladder yet.")
def ladder_show(at: Work, game: str) -> Rows:
    """List the players of a ladder, in order."""
    from .feature import standings  # noqa: PLC0415

    contest = the_open(at.tx, LADDER, kind_of(game).word)
    return [rung._asdict() for rung in standings(at.tx, contest)]


COMMAND = ladder
