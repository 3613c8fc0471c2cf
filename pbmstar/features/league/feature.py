"""The answers of league to the questions of core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ... import games
from ...errors import Sentence, say
from ...match import Match
from ...service.work.context import Context
from ...service.work.feature import Feature, TablePage
from ...service.work.work import Speaker, Work
from ...store import Store, Tx
from ..contests.feature import refuse_change
from ..contests.rows import OPEN, OVER, Contest, Contests
from . import seasons, verbs
from .rows import Titles
from .rules import LEAGUE, title_of


class LeagueFeature(Feature):
    """The answers of leagues to what core asks: see ``Feature``."""

    title = "leagues"

    def check_act(self, work: Work, speaker: Speaker, act: str) -> None:
        """Refuse all that would change the terms of one game."""
        ways_out = say(
            "You can resign it, or agree on a draw. To leave the whole season, reply: {command}",
            command=f"league withdraw {speaker.match.game.word}",
        )
        refuse_change(speaker, act, LEAGUE, ways_out)

    def titles(self, tx: Tx, userid: str) -> Iterator[Sentence]:
        """Yield the divisions that a player has won."""
        for each in tx.of(Titles).of_player(userid):
            title = games.title_of(each.game)
            yield title_of(title, each.season, each.division, each.divisions)

    def on_account_close(self, work: Work, userid: str) -> None:
        """Withdraw a player who closes the account, before the games are resigned."""
        verbs.sign_off(work, userid)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Begin and end seasons, begin and judge their games, and tell the players."""
        if is_up:
            seasons.carry_on(context, store)

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterator[TablePage]:
        """Yield the page of each season."""
        for contest in tx.of(Contests).all():
            if contest.kind == LEAGUE:
                players = frozenset(entry.userid for entry in tx.of(Contests).entries(contest.id))
                yield TablePage(
                    f"leagues/{games.path_of(contest.game)}/{contest.season}.html",
                    "league.html",
                    verbs.name_of(contest),
                    {
                        "divisions": [shown(each, name) for each in verbs.tables(tx, contest)],
                        "players": sorted(map(name, players)),
                    },
                    players,
                    f"league join {contest.game}" if contest.state == OPEN else "",
                )

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Count the tables of the seasons that are over again."""
        if match:
            return
        for contest in tx.of(Contests).all():
            if contest.kind == LEAGUE:
                for problem in (*misplaced(tx, contest), *_differences(tx, contest)):
                    yield f"{verbs.name_of(contest)}: {problem}"


_MARKS = {"=": "½", ".": "·"}  # of a crosstable, on a page


def shown(division: verbs.DivisionTable, name: Callable[[str], str]) -> dict[str, Any]:
    """Return a division for its page."""
    lines = [
        (name(e.userid), e.played, e.won, e.tied, e.lost, f"{e.points:g}", f"{e.sb:g}")
        for e in division.lines
    ]
    cross = [
        (name(row.userid), [_MARKS.get(each, each) for each in row.marks])
        for row in verbs.cross(division)
    ]
    return {"number": division.number, "lines": lines, "cross": cross}


def misplaced(tx: Tx, contest: Contest) -> Iterator[str]:
    """Compare the places of a season that is over with its games, and its pairs with their boards."""
    for pairing in tx.of(Contests).pairings(contest.id):
        has_row = pairing.board and pairing.to_move is not None
        row = tx.boards.get(pairing.board or 0) if has_row else None
        if row is not None and row.seats != pairing.seats:
            yield f"board {row.board} is not of {pairing.first} and {pairing.second}"
    if contest.state != OVER:
        return
    places = verbs.places_of(verbs.tables(tx, contest))
    for entry in tx.of(Contests).entries(contest.id):
        if entry.place != (place := places.get(entry.userid, 0)):
            yield f"{entry.userid} is at place {entry.place}, the games say {place}"


def _differences(tx: Tx, contest: Contest) -> Iterator[str]:
    """Compare the winners of a season that is over with its games."""
    if contest.state != OVER:
        return
    first = {
        (each.number, each.lines[0].userid)
        for each in verbs.tables(tx, contest)
        if each.lines and each.lines[0].played
    }
    titles = {(title.division, title.userid) for title in tx.of(Titles).of(contest.id)}
    for number, userid in sorted(titles ^ first):
        has = "is" if (number, userid) in titles else "is not"
        yield f"{userid} {has} kept as the winner of division {number}, the games say otherwise"


FEATURE = LeagueFeature()
