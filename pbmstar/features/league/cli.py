"""The operator's commands about leagues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ...cli.listings import Rows, as_json_option, lists, print_json, print_rows, times
from ...cli.options import Group, configuration, statuses
from ...cli.shared import context, send, store, work
from ...games import title_of
from ...service.work.work import Work
from ..contests.cli import (
    AS_OF_A_CHALLENGE,
    close,
    game_argument,
    listed,
    options_argument,
    time_option,
)
from ..contests.rows import Contest
from . import operator, seasons
from .rules import LEAGUE
from .verbs import KIND


@click.group(cls=Group, example="list")
def league() -> None:
    """Leagues and their seasons.

    In a season all players of a division play each other.
    """


@league.command("list")
@lists("There are no leagues. See: pbmstar admin league open")
def league_list(at: Work) -> Rows:
    """List the leagues and their seasons.

    For each league you see the running season, and the next one if players can join it.
    """
    return listed(at, LEAGUE)


@league.command("open", context_settings=AS_OF_A_CHALLENGE, example="star --days 90 -size=8")
@game_argument
@click.option(
    "--days",
    type=click.IntRange(*operator.DAYS),
    default=120,
    show_default=True,
    help="The length of a season.",
)
@options_argument
def league_open(game: str, days: int, options: tuple[str, ...]) -> None:
    """Open the league of a game.

    Players can then join. OPTIONS are the same as in a challenge, such as -size=8. The time limit is --time,
    or else 10d+36h. A season starts on the first of January, May or September, or a week after the last game
    of the previous one, if four players have joined.
    """
    with work() as at:
        opened = operator.open_league(at, game, time_option(), options, days)
    click.echo(f"League of {title_of(opened.game)} opened.")


@league.command("begin", example="star")
@game_argument
def league_begin(game: str) -> None:
    """Start the next season now."""
    _change(operator.begin_season, game, "begun")


@league.command("end", example="star")
@game_argument
def league_end(game: str) -> None:
    """End the season now.

    We judge the games that are still running.
    """
    _change(operator.end_season, game, "ended")


@league.command("recount", example="star")
@game_argument
def league_recount(game: str) -> None:
    """Count the last finished season again.

    Do this after you've corrected one of its games. We then work out its places and winners from its games as
    they are now.
    """
    with work() as at:
        contest = operator.recount(at, game)
    click.echo(f"Season {contest.season} of {title_of(contest.game)} counted again.")


@league.command("show", example="star")
@game_argument
@as_json_option
def league_show(game: str, as_json: bool) -> None:
    """Print the tables of a league's season.

    You see the running season, or else the last one.
    """
    with work(writes=False) as at:
        facts = operator.season_facts(at.tx, game)
    print_season("Season", facts, as_json)
    if not as_json:
        click.echo(f"In the next season: {', '.join(facts['joined']) or 'nobody'}.")


def print_season(what: str, facts: dict[str, Any], as_json: bool) -> None:
    """Print the facts of a season or cup, as JSON or as tables."""
    facts = times(facts, "ends")
    if as_json:
        print_json(facts)
        return
    ends = f", ends {facts['ends']}" if facts["ends"] else ""
    click.echo(f"{what} {facts['season']}, {facts['state']}{ends}.")
    for number, division in enumerate(facts["divisions"], 1):
        click.echo(f"Division {number}; boards: {' '.join(map(str, division['boards'])) or 'none'}")
        print_rows(division["table"], False, "Nobody plays in it.")


@league.command("close", example="star")
@game_argument
def league_close(game: str) -> None:
    """Close the league of a game.

    After that, nobody can join, and no new season starts. A running season goes on.
    """
    close(KIND, game)


def _change(begin_or_end: Callable[[Work, str], Contest], game: str, how: str) -> None:
    """Begin or end a season: its games begin or are judged in small steps, and their letters are sent."""
    with work() as at:
        season = begin_or_end(at, game)
    config = configuration()
    with statuses(), store(config) as opened:
        seasons.carry_on(context(config), opened)
        send(config, opened)
    click.echo(f"Season {season.season} of {title_of(season.game)} {how}.")


COMMAND = league
