"""The commands of ``pbmstar admin`` about ratings, ladders and leagues."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime

import click

from ...games.spelling import plural
from ...render.board.transcript import when
from ...service.admin import contesting
from ...service.contests import ladders, seasons
from ...service.contests.enrolment import the_open
from ...service.work.work import Work
from ...store import Contest
from ...store.contest.contests import LADDER, LEAGUE
from ..listings import Rows, as_json_option, lists, print_json, print_rows
from ..main import admin
from ..options import REFUSED, Group, configuration, refuse, statuses
from ..shared import context, send, store, work

_game = click.argument("game")
_options = click.argument("options", nargs=-1, type=click.UNPROCESSED)
_AS_OF_A_CHALLENGE = {"ignore_unknown_options": True}


@admin.command()
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
            differences = list(at.tx.ratings.differences())
        click.echo("\n".join([*differences, plural(len(differences), "difference")]))
        sys.exit(REFUSED if differences else 0)
    with work() as at:
        begin = since.replace(tzinfo=UTC).timestamp() if since else float("-inf")
        moved = contesting.rebuild(at, begin)
    for each in moved:
        click.echo(f"{each.userid} in {each.game}: {each.before} -> {each.after}")
    click.echo(f"{plural(len(moved), 'rating')} changed")


@admin.command()
@lists("No two accounts look like those of one person.")
def twins(at: Work) -> Rows:
    """List accounts that may be of one person: one mailbox, or one always loses to the other."""
    return contesting.twins(at.tx)


@admin.group(cls=Group)
def ladder() -> None:
    """Ladders: players in an order, in which the winner takes a better one's place."""


@ladder.command("open", context_settings=_AS_OF_A_CHALLENGE)
@_game
@_options
def ladder_open(game: str, options: tuple[str, ...]) -> None:
    """Open the ladder of GAME, with OPTIONS as a challenge has them, such as -size=8.

    A player has --time, else 10d+36h.
    """
    _open(LADDER, game, options)


@ladder.command("close")
@_game
def ladder_close(game: str) -> None:
    """Close the ladder of GAME; games that run go on, and it can be opened again."""
    _close(LADDER, game)


@ladder.command("show")
@_game
@lists("Nobody is on this ladder yet.")
def ladder_show(at: Work, game: str) -> Rows:
    """List the players of the ladder of GAME, the first one first."""
    contest = the_open(at.tx, LADDER, contesting.kind_of(game).word)
    return [rung._asdict() for rung in ladders.standings(at.tx, contest)]


@admin.group(cls=Group)
def league() -> None:
    """Leagues: seasons in which all players of a division play each other."""


@league.command("open", context_settings=_AS_OF_A_CHALLENGE)
@_game
@click.option("--days", type=int, default=120, help="The length of a season: 120.")
@_options
def league_open(game: str, days: int, options: tuple[str, ...]) -> None:
    """Open the league of GAME for joining, with OPTIONS as a challenge has them, such as -size=8.

    A player has --time, else 10d+36h. A season begins on the first of January, May or September, or a
    week after the last game of the one before, if four players have joined.
    """
    _open(LEAGUE, game, options, days)


@league.command("begin")
@_game
def league_begin(game: str) -> None:
    """Begin the next season of GAME now."""
    _change(contesting.begin_season, game, "begun")


@league.command("end")
@_game
def league_end(game: str) -> None:
    """End the season of GAME now: games that still run are judged."""
    _change(contesting.end_season, game, "over")


@league.command("recount")
@_game
def league_recount(game: str) -> None:
    """Count the last finished season of GAME again, after one of its games was corrected.

    Its places and winners are kept as its games are now.
    """
    with work() as at:
        contest = contesting.recount(at, game)
    click.echo(f"season {contest.season} of {contest.game} counted again")


@league.command("show")
@_game
@as_json_option
def league_show(game: str, as_json: bool) -> None:
    """Print the tables of the season of GAME that runs, else of the last one."""
    with work(writes=False) as at:
        facts = contesting.season_facts(at.tx, game)
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
@_game
def league_close(game: str) -> None:
    """Close the league of GAME: nobody joins, and no further season begins; one that runs goes on."""
    _close(LEAGUE, game)


def _change(begin_or_end: Callable[[Work, str], Contest], game: str, how: str) -> None:
    """Begin or end a season: its games begin or are judged in small steps, and their letters are sent."""
    with work() as at:
        season = begin_or_end(at, game)
    config = configuration()
    with statuses(), store(config) as opened:
        seasons.carry_on(context(config), opened)
        send(config, opened)
    click.echo(f"season {season.season} of {season.game} {how}")


def _open(kind: str, game: str, options: tuple[str, ...], days: int = 0) -> None:
    # The time of a player is the option of the configuration, if the command line has it.
    time = click.get_current_context().find_root().ensure_object(dict).get("time")
    with work() as at:
        opened = contesting.open_contest(at, kind, game, time, options, days)
    click.echo(f"{kind} of {opened.game} open")


def _close(kind: str, game: str) -> None:
    with work() as at:
        closed = contesting.close(at, kind, game)
    click.echo(f"{kind} of {closed.game} closed")
