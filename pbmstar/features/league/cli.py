"""The operator's commands about leagues."""

from __future__ import annotations

from collections.abc import Callable

import click

from ...cli.listings import as_json_option, print_json, print_rows
from ...cli.options import Group, configuration, statuses
from ...cli.shared import context, send, store, work
from ...render.board.transcript import when
from ...service.work.work import Work
from ..contests.cli import AS_OF_A_CHALLENGE, close, game_argument, options_argument, time_option
from ..contests.rows import Contest
from . import operator, seasons
from .rules import LEAGUE


@click.group(cls=Group)
def league() -> None:
    """Leagues: seasons in which all players of a division play each other."""


@league.command("open", context_settings=AS_OF_A_CHALLENGE)
@game_argument
@click.option("--days", type=int, default=120, help="The length of a season: 120.")
@options_argument
def league_open(game: str, days: int, options: tuple[str, ...]) -> None:
    """Open the league of GAME for joining, with OPTIONS as a challenge has them, such as -size=8.

    A player has --time, else 10d+36h. A season begins on the first of January, May or September, or a
    week after the last game of the one before, if four players have joined.
    """
    with work() as at:
        opened = operator.open_league(at, game, time_option(), options, days)
    click.echo(f"league of {opened.game} open")


@league.command("begin")
@game_argument
def league_begin(game: str) -> None:
    """Begin the next season of GAME now."""
    _change(operator.begin_season, game, "begun")


@league.command("end")
@game_argument
def league_end(game: str) -> None:
    """End the season of GAME now: games that still run are judged."""
    _change(operator.end_season, game, "over")


@league.command("recount")
@game_argument
def league_recount(game: str) -> None:
    """Count the last finished season of GAME again, after one of its games was corrected.

    Its places and winners are kept as its games are now.
    """
    with work() as at:
        contest = operator.recount(at, game)
    click.echo(f"season {contest.season} of {contest.game} counted again")


@league.command("show")
@game_argument
@as_json_option
def league_show(game: str, as_json: bool) -> None:
    """Print the tables of the season of GAME that runs, else of the last one."""
    with work(writes=False) as at:
        facts = operator.season_facts(at.tx, game)
    facts["ends"] = None if facts["ends"] is None else when(facts["ends"])
    if as_json:
        print_json(facts)
        return
    ends = f", ends {facts['ends']}" if facts["ends"] else ""
    click.echo(f"season {facts['season']}, {facts['state']}{ends}")
    for number, division in enumerate(facts["divisions"], 1):
        click.echo(f"division {number}; boards {' '.join(map(str, division['boards']))}")
        print_rows(division["table"], False, "nobody plays in it")
    click.echo(f"in the next season: {', '.join(facts['joined']) or 'nobody'}")


@league.command("close")
@game_argument
def leagueclose(game: str) -> None:
    """Close the league of GAME: nobody joins, and no further season begins; one that runs goes on."""
    close(LEAGUE, game)


def _change(begin_or_end: Callable[[Work, str], Contest], game: str, how: str) -> None:
    """Begin or end a season: its games begin or are judged in small steps, and their letters are sent."""
    with work() as at:
        season = begin_or_end(at, game)
    config = configuration()
    with statuses(), store(config) as opened:
        seasons.carry_on(context(config), opened)
        send(config, opened)
    click.echo(f"season {season.season} of {season.game} {how}")
