"""The operator's part in ladders and leagues: to open, begin, end and close them, and to look at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import games
from ...command.arguments import take_options
from ...errors import BadInput
from ...games.base import Game
from ...match import Terms, terms
from ...match.terms import NONE, NORMAL, read_time
from ...store import Contest, Tx
from ...store.contests import BEGUN, CLOSED, LADDER, LEAGUE, OPEN, OVER
from ..contests import ladders, leagues, seasons
from ..work.work import Work
from .operator import note

_DAYS = (14, 366)  # of a season
_TIME = "10d+36h"  # of a player, unless the operator says another one


def kind_of(word: str) -> type[Game]:
    """Return the game for two that a word names. Raises BadInput."""
    game = games.find(word.lower())
    if game is None or len(game.seats) != 2:
        raise BadInput(f"{word} is no game for two of this server.", "no-game")
    return game


def open_ladder(work: Work, word: str, time: str | None, options: Sequence[str]) -> Contest:
    """Open the ladder of a game; one that was closed goes on where it stood. Raises BadInput."""
    game = kind_of(word)
    known = work.tx.contests.newest(LADDER, game.word)
    if known and known[0].state != CLOSED:
        raise BadInput(f"There is a ladder of {game.title} already.", "open-already")
    if known:
        opened = known[0]._replace(state=OPEN)
        work.tx.contests.keep(opened)
    else:
        opened = new(work, LADDER, game, time, options)
    note(work, f"ladder open {game.word}")
    return opened


def open_league(
    work: Work, word: str, days: int, time: str | None, options: Sequence[str]
) -> Contest:
    """Open the league of a game for joining; one that was closed goes on. Raises BadInput."""
    game = kind_of(word)
    known = work.tx.contests.newest(LEAGUE, game.word)
    if known and known[0].state != CLOSED:
        raise BadInput(f"There is a league of {game.title} already.", "open-already")
    if known:
        opened = known[0]._replace(state=OPEN)
        work.tx.contests.keep(opened)
    else:
        opened = new(work, LEAGUE, game, time, options, days)
    note(work, f"league open {game.word}")
    return opened


def begin_season(work: Work, word: str) -> Contest:
    """Begin the next season of a league now. Raises Refusal."""
    contest = ladders.the_open(work.tx, LEAGUE, kind_of(word).word)
    if running(work.tx, contest.game):
        raise BadInput("A season of this league runs.", "season-runs")
    seasons.begin(work, contest)
    note(work, f"league begin {contest.game} {contest.season}")
    return contest


def end_season(work: Work, word: str) -> Contest:
    """End the season of a league that runs: its games are judged. Raises BadInput."""
    contest = running(work.tx, kind_of(word).word)
    if contest is None:
        raise BadInput("No season of this league runs.", "no-season")
    work.tx.contests.keep(contest._replace(until=work.now))
    note(work, f"league end {contest.game} {contest.season}")
    return contest


def running(tx: Tx, word: str) -> Contest | None:
    """Return the season of a league that runs; None if none does."""
    found = tx.contests.newest(LEAGUE, word, 2)
    return next((each for each in found if each.state == BEGUN), None)


def season_facts(tx: Tx, word: str) -> dict[str, Any]:
    """Return the season of a league that runs, else the last one, as the JSON that is promised."""
    game = kind_of(word)
    found = tx.contests.newest(LEAGUE, game.word, 2) or [ladders.the_open(tx, LEAGUE, game.word)]
    newest = found[0]
    contest = next((each for each in found if each.state in (BEGUN, OVER)), newest)
    return {
        "state": contest.state,
        "ends": contest.until,
        "divisions": [
            {
                "table": [
                    {
                        "userid": line.userid,
                        "played": line.played,
                        "points": line.points,
                        "sb": line.sb,
                    }
                    for line in each.lines
                ],
                "boards": each.boards,
            }
            for each in leagues.tables(tx, contest)
        ],
        "season": contest.season,
        "joined": [entry.userid for entry in tx.contests.entries(newest.id)],
    }


def new(
    work: Work,
    kind: str,
    game: type[Game],
    time: str | None,
    options: Sequence[str],
    days: int = 0,
) -> Contest:
    """Keep a new ladder, or the first season of a league. Raises BadInput."""
    taken = take_options(list(options), game)
    if taken.rest:
        raise BadInput(f"{taken.rest[0]} is no option of {game.title}.", "bad-option")
    agreed = {"time": read_time(time or _TIME), **taken.values["terms"]}
    if agreed["time"] == NORMAL:
        agreed["time"] = work.context.time
    if agreed["time"] == NONE or agreed.get("private") or agreed.pop("weekends", False):
        raise BadInput(
            "A game of a ladder or league has a time limit, is not private, and knows no weekends.",
            "bad-terms",
        )
    if kind == LEAGUE:
        agreed["undo"] = "no"
        if not _DAYS[0] <= days <= _DAYS[1]:
            raise BadInput(f"A season has {_DAYS[0]} to {_DAYS[1]} days.", "bad-days")
    kept = Terms(**agreed)._replace(contest=kind)
    contest = Contest(
        0,
        kind,
        game.word,
        games.dump(game(taken.values["options"])),
        terms.dump(kept),
        days,
        int(kind == LEAGUE),
        OPEN,
        "",
        work.now,
        None,
        None,
    )
    return contest._replace(id=work.tx.contests.add(contest))


def close(work: Work, kind: str, word: str) -> Contest:
    """Close a ladder or league: nobody joins or challenges; games that run go on. Raises Refusal."""
    contest = ladders.the_open(work.tx, kind, kind_of(word).word)
    work.tx.contests.keep(contest._replace(state=CLOSED))
    note(work, f"{kind} close {contest.game}")
    return contest
