"""The operator's part in contests: ladders and leagues are opened and closed, ratings are computed anew,
and twins are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ... import games
from ...command.arguments import take_options
from ...errors import BadInput
from ...games.base import Game
from ...match import Terms, terms
from ...match.terms import NONE, NORMAL, read_time
from ...store import Contest, Tx
from ...store.contest.contests import BEGUN, CLOSED, LEAGUE, OPEN, OVER
from ..contests import leagues, seasons
from ..contests.enrolment import the_open
from ..work import rated
from ..work.work import Work
from .operator import all_boards, note

_DAYS = (14, 366)  # the shortest and the longest season
_TIME = "10d+36h"  # for each player, unless the operator gives another one
_TOLD = 5  # a player is told about a correction of so many points
_OF_A_LINE = ("userid", "played", "points", "sb")  # of a table, as the JSON has it
_ALWAYS = 4  # a pair is shown if one of the two has lost all of so many games


def kind_of(word: str) -> type[Game]:
    """Return the game for two players that a word names. Raises BadInput."""
    game = games.find(word.lower())
    if game is None or len(game.seats) != 2:
        raise BadInput(f"{word} is no game for two of this server.", "no-game")
    return game


def open_contest(
    work: Work, kind: str, word: str, time: str | None, options: Sequence[str], days: int = 0
) -> Contest:
    """Open the ladder or league of a game; one that was closed continues from its old state.

    days  the length of a season; 0 for a ladder

    Raises BadInput.
    """
    game = kind_of(word)
    known = work.tx.contests.newest(kind, game.word)
    if known and known[0].state != CLOSED:
        raise BadInput(f"There is a {kind} of {game.title} already.", "open-already")
    if known:
        opened = known[0]._replace(state=OPEN)
        work.tx.contests.keep(opened)
    else:
        opened = _new(work, kind, game, time, options, days)
    note(work, f"{kind} open {game.word}")
    return opened


def begin_season(work: Work, word: str) -> Contest:
    """Begin the next season of a league now. Raises Refusal."""
    contest = the_open(work.tx, LEAGUE, kind_of(word).word)
    if running(work.tx, contest.game):
        raise BadInput("A season of this league runs.", "season-runs")
    seasons.begin(work, contest)
    note(work, f"league begin {contest.game} {contest.season}")
    return contest


def end_season(work: Work, word: str) -> Contest:
    """End the running season of a league: its games are judged. Raises BadInput."""
    contest = running(work.tx, kind_of(word).word)
    if contest is None:
        raise BadInput("No season of this league runs.", "no-season")
    work.tx.contests.keep(contest._replace(until=work.now))
    note(work, f"league end {contest.game} {contest.season}")
    return contest


def recount(work: Work, word: str) -> Contest:
    """Keep the places and winners of the last season that is over anew, as its games are now.

    Nobody's division in a season that has begun since changes. Raises BadInput.
    """
    seasons_ = work.tx.contests.newest(LEAGUE, kind_of(word).word, 3)
    contest = next((each for each in seasons_ if each.state == OVER), None)
    if contest is None:
        raise BadInput("No season of this league is over.", "no-season")
    final = leagues.tables(work.tx, contest)
    seasons.keep_places(work, contest, final, contest.until or work.now)
    note(work, f"league recount {contest.game} {contest.season}")
    return contest


def running(tx: Tx, word: str) -> Contest | None:
    """Return the running season of a league; None if none runs."""
    last_two = tx.contests.newest(LEAGUE, word, 2)
    return next((each for each in last_two if each.state == BEGUN), None)


def season_facts(tx: Tx, word: str) -> dict[str, Any]:
    """Return the running season of a league, or the last one if none runs, as the promised JSON.

    Raises Refusal if there is no league of that game.
    """
    game = kind_of(word)
    last_two = tx.contests.newest(LEAGUE, game.word, 2) or [the_open(tx, LEAGUE, game.word)]
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
            for each in leagues.tables(tx, contest)
        ],
        "season": contest.season,
        "joined": [entry.userid for entry in tx.contests.entries(newest.id)],
    }


def _new(
    work: Work, kind: str, game: type[Game], time: str | None, options: Sequence[str], days: int
) -> Contest:
    """Store a new ladder, or the first season of a league. Raises BadInput."""
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
    contest = Contest(
        id=0,
        kind=kind,
        game=game.word,
        options=games.dump(game(taken.values["options"])),
        terms=terms.dump(Terms(**agreed)._replace(contest=kind)),
        days=days,
        season=int(kind == LEAGUE),
        state=OPEN,
        stage="",
        made=work.now,
    )
    return contest._replace(id=work.tx.contests.add(contest))


def close(work: Work, kind: str, word: str) -> Contest:
    """Close a ladder or league: nobody can join or challenge; running games go on. Raises Refusal."""
    contest = the_open(work.tx, kind, kind_of(word).word)
    work.tx.contests.keep(contest._replace(state=CLOSED))
    note(work, f"{kind} close {contest.game}")
    return contest


class Correction(NamedTuple):
    """A rating that has changed: its points before and after."""

    game: str
    userid: str
    before: int
    after: int


def rebuild(work: Work, since: float) -> list[Correction]:
    """Rate the games that ended since then anew from their boards; return the ratings that have changed.

    The reason why a game was not rated is kept if only the moment of its end could tell it.
    """
    before = _points(work.tx)
    for row in all_boards(work.tx):
        if len(row.seats) != 2 or row.to_move or row.since < since:
            continue
        folded = work.tx.ratings.game(row.board)
        match = row.match(work.tx.boards.record(row.board))
        known = (folded.ended.barred, folded.ended.at) if folded else ("", 0.0)
        right = rated.ended(work.tx, match, *known)
        if folded is None or folded.ended != right._replace(measure=folded.ended.measure):
            work.tx.ratings.keep(right)
    work.tx.ratings.rebuild(since)
    after = _points(work.tx)
    note(work, "rate --rebuild")
    keys = sorted(before.keys() | after.keys())
    corrections = [
        Correction(game, userid, before.get((game, userid), 0), after.get((game, userid), 0))
        for game, userid in keys
        if before.get((game, userid)) != after.get((game, userid))
    ]
    for each in corrections:
        if abs(each.after - each.before) >= _TOLD and (each.game, each.userid) in before:
            _keep_untold(work, each)
    return corrections


def _keep_untold(work: Work, correction: Correction) -> None:
    """Keep a correction, to be told in the player's next letter."""
    game, userid, before, after = correction
    user = work.tx.accounts.user(userid)
    if user is not None and user.state != "closed":
        word, _, practice = game.partition(" ")
        name = " ".join(filter(None, (games.title_of(word), practice)))
        told = [*filter(None, (user.correction,)), f"{name} {before} -> {after}"]
        work.tx.accounts.set_correction(userid, ", ".join(told))


def _points(tx: Tx) -> dict[tuple[str, str], int]:
    """Return all ratings, rounded as they are shown, by game and userid."""
    return {
        (game + " in practice" * practice, userid): round(tally.rating)
        for game, practice in tx.ratings.kinds()
        for userid, tally in tx.ratings.listed(game, practice)
    }


def twins(tx: Tx) -> list[dict[str, str]]:
    """Return pairs of accounts that may belong to one person, each with the reason."""
    users = [user for user in tx.accounts.users() if user.address]
    pairs: list[dict[str, str]] = []
    first: dict[str, str] = {}
    for user in users:
        boxes = rated.mailboxes(tx, user)
        known = sorted({first[box] for box in boxes if box in first})
        pairs += [{"one": one, "other": user.userid, "why": "same mailbox"} for one in known]
        first |= {box: first.get(box, user.userid) for box in boxes}
    domains = {user.userid: user.address.rpartition("@")[2] for user in users}
    for one, other, count, won in tx.ratings.pairs():
        is_near = domains.get(one) is not None and domains.get(one) == domains.get(other)
        if is_near and count >= _ALWAYS and won in (0, count):
            loser = other if won else one
            why = f"same domain, and {loser} has lost all {count} games"
            pairs.append({"one": one, "other": other, "why": why})
    return pairs
