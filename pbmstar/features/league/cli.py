"""The operator's commands about leagues: open, begin, end, recount, close, and the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from ...cli.listings import Rows, as_json_option, lists, print_json, print_rows, times
from ...cli.options import Group, configuration, statuses
from ...cli.shared import context, send, store, work
from ...errors import BadInput
from ...games import title_of
from ...service.work.work import Work
from ...store import Tx
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
from ..contests.rows import BEGUN, OVER, Contest, Contests
from .rules import LEAGUE

DAYS = (14, 366)  # the shortest and the longest season
_OF_A_LINE = ("userid", "played", "points", "sb")  # of a table, as the JSON has it


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
    type=click.IntRange(*DAYS),
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
        opened = open_league(at, game, time_option(), options, days)
    click.echo(f"League of {title_of(opened.game)} opened.")


@league.command("begin", example="star")
@game_argument
def league_begin(game: str) -> None:
    """Start the next season now."""
    _change(begin_season, game, "begun")


@league.command("end", example="star")
@game_argument
def league_end(game: str) -> None:
    """End the season now.

    We judge the games that are still running.
    """
    _change(end_season, game, "ended")


@league.command("recount", example="star")
@game_argument
def league_recount(game: str) -> None:
    """Count the last finished season again.

    Do this after you've corrected one of its games. We then work out its places and winners from its games as
    they are now.
    """
    with work() as at:
        contest = recount(at, game)
    click.echo(f"Season {contest.season} of {title_of(contest.game)} counted again.")


@league.command("show", example="star")
@game_argument
@as_json_option
def league_show(game: str, as_json: bool) -> None:
    """Print the tables of a league's season.

    You see the running season, or else the last one.
    """
    with work(writes=False) as at:
        facts = season_facts(at.tx, game)
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
    close(LEAGUE, game)


def _change(begin_or_end: Callable[[Work, str], Contest], game: str, how: str) -> None:
    """Begin or end a season: its games begin or are judged in small steps, and their letters are sent."""
    from . import seasons  # noqa: PLC0415

    with work() as at:
        season = begin_or_end(at, game)
    config = configuration()
    with statuses(), store(config) as opened:
        seasons.carry_on(context(config), opened)
        send(config, opened)
    click.echo(f"Season {season.season} of {title_of(season.game)} {how}.")


def open_league(
    work: Work, word: str, time: str | None, options: Sequence[str], days: int
) -> Contest:
    """Open the league of a game for joining; ``days``: the length of its seasons. Raises BadInput."""
    return open_contest(work, LEAGUE, word, time, options, days)


def begin_season(work: Work, word: str) -> Contest:
    """Begin the next season of a league now. Raises Refusal."""
    from . import seasons  # noqa: PLC0415

    contest = the_open(work.tx, LEAGUE, kind_of(word).word)
    if running(work.tx, contest.game):
        raise BadInput("A season of this league is already running.", "season-runs")
    seasons.begin(work, contest)
    work.note(f"league begin {contest.game} {contest.season}")
    return contest


def end_season(work: Work, word: str) -> Contest:
    """End the running season of a league: its games are judged. Raises BadInput."""
    contest = running(work.tx, kind_of(word).word)
    if contest is None:
        raise BadInput("No season of this league is running.", "no-season")
    work.tx.of(Contests).keep(contest._replace(until=work.now))
    work.note(f"league end {contest.game} {contest.season}")
    return contest


def recount(work: Work, word: str) -> Contest:
    """Keep the places and winners of the last season that is over anew, as its games are now.

    Nobody's division in a season that has begun since changes. Raises BadInput.
    """
    from . import seasons, verbs  # noqa: PLC0415

    last = work.tx.of(Contests).newest(LEAGUE, kind_of(word).word, 3)
    contest = next((each for each in last if each.state == OVER), None)
    if contest is None:
        raise BadInput("No season of this league is over.", "no-season")
    final = verbs.tables(work.tx, contest)
    seasons.keep_places(work, contest, final, contest.until or work.now)
    work.note(f"league recount {contest.game} {contest.season}")
    return contest


def running(tx: Tx, word: str) -> Contest | None:
    """Return the running season of a league; None if none runs."""
    last_two = tx.of(Contests).newest(LEAGUE, word, 2)
    return next((each for each in last_two if each.state == BEGUN), None)


def season_facts(tx: Tx, word: str) -> dict[str, Any]:
    """Return the running season of a league, or the last one if none runs, as the promised JSON.

    Raises Refusal if there is no league of that game.
    """
    game = kind_of(word)
    last_two = tx.of(Contests).newest(LEAGUE, game.word, 2) or [the_open(tx, LEAGUE, game.word)]
    return facts_of(tx, last_two)


def facts_of(tx: Tx, last_two: Sequence[Contest]) -> dict[str, Any]:
    """Return the one of the two newest seasons that runs or is over, or the newest, as the promised JSON."""
    from .verbs import tables  # noqa: PLC0415

    newest = last_two[0]
    contest = next((each for each in last_two if each.state in (BEGUN, OVER)), newest)
    return {
        "state": contest.state,
        "ends": contest.until,
        "divisions": [
            {
                "table": [
                    {name: getattr(line, name) for name in _OF_A_LINE} for line in each.lines
                ],
                "boards": each.boards,
            }
            for each in tables(tx, contest)
        ],
        "season": contest.season,
        "joined": [entry.userid for entry in tx.of(Contests).entries(newest.id)],
    }


COMMAND = league
