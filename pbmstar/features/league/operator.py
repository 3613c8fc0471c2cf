"""Seasons begun and ended by hand, and their tables for the operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import BadInput
from ...service.admin.operator import note
from ...service.work.work import Work
from ...store import Tx
from ..contests.feature import the_open
from ..contests.operator import kind_of, open_contest
from ..contests.rows import BEGUN, OVER, Contest, Contests
from . import seasons, verbs
from .rules import LEAGUE

DAYS = (14, 366)  # the shortest and the longest season
_OF_A_LINE = ("userid", "played", "points", "sb")  # of a table, as the JSON has it


def open_league(
    work: Work, word: str, time: str | None, options: Sequence[str], days: int
) -> Contest:
    """Open the league of a game for joining; ``days``: the length of its seasons. Raises BadInput."""
    return open_contest(work, LEAGUE, word, time, options, days)


def begin_season(work: Work, word: str) -> Contest:
    """Begin the next season of a league now. Raises Refusal."""
    contest = the_open(work.tx, verbs.KIND, kind_of(word).word)
    if running(work.tx, contest.game):
        raise BadInput("A season of this league is already running.", "season-runs")
    seasons.begin(work, contest)
    note(work, f"league begin {contest.game} {contest.season}")
    return contest


def end_season(work: Work, word: str) -> Contest:
    """End the running season of a league: its games are judged. Raises BadInput."""
    contest = running(work.tx, kind_of(word).word)
    if contest is None:
        raise BadInput("No season of this league is running.", "no-season")
    work.tx.of(Contests).keep(contest._replace(until=work.now))
    note(work, f"league end {contest.game} {contest.season}")
    return contest


def recount(work: Work, word: str) -> Contest:
    """Keep the places and winners of the last season that is over anew, as its games are now.

    Nobody's division in a season that has begun since changes. Raises BadInput.
    """
    last = work.tx.of(Contests).newest(LEAGUE, kind_of(word).word, 3)
    contest = next((each for each in last if each.state == OVER), None)
    if contest is None:
        raise BadInput("No season of this league is over.", "no-season")
    final = verbs.tables(work.tx, contest)
    seasons.keep_places(work, contest, final, contest.until or work.now)
    note(work, f"league recount {contest.game} {contest.season}")
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
    last_two = tx.of(Contests).newest(LEAGUE, game.word, 2) or [the_open(tx, verbs.KIND, game.word)]
    return facts_of(tx, last_two)


def facts_of(tx: Tx, last_two: Sequence[Contest]) -> dict[str, Any]:
    """Return the one of the two newest seasons that runs or is over, or the newest, as the promised JSON."""
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
            for each in verbs.tables(tx, contest)
        ],
        "season": contest.season,
        "joined": [entry.userid for entry in tx.of(Contests).entries(newest.id)],
    }
