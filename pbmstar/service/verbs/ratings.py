"""The commands about ratings: the list of a game, and a player's history."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import NamedTuple

from ... import games
from ...command import Command
from ...errors import say
from ...games.base import Game
from ...grammar.seeking import Ranking
from ...machine.times import DAY
from ...match.dates import date_of
from ...ratings.fold import Tally
from ...ratings.rating import SURE, Rating
from ...ratings.rows import Established, Listed, Ratings
from ...render.facts import (
    HistoryFacts,
    RatedGame,
    RatedPlayer,
    RatingList,
    RatingsFacts,
)
from ...store import User
from ..letters.post import send
from ..proof.limits import ask_for
from ..work.letter import PlainLetter
from ..work.work import Work

OPPONENTS = 5  # a player in a list has had at least so many
_FRESH = 365 * DAY  # a player in a list has had a rated game within this time
_NEAR = 5  # players above the reader, and as many below
_MOST = 300  # players in a letter
_GAMES = 100  # in a history; the curve shows more
_TURNS = 50
_RESULTS = {1.0: say("won"), 0.5: say("tied"), 0.0: say("lost")}


class RatingLine(NamedTuple):
    """A player in a list; ``place`` is 0 if the player is not established."""

    place: int
    userid: str
    rating: Rating
    tally: Tally

    def line(self, title: str = "") -> RatedPlayer:
        """Return this line for a letter; ``title``: of the game, in a list of several."""
        return RatedPlayer(
            place=self.place or "-",
            userid=self.userid,
            rating=str(self.rating),
            deviation=round(self.rating.deviation),
            games=self.tally.games,
            won=self.tally.won,
            lost=self.tally.lost,
            tied=self.tally.tied,
            date=date_of(self.tally.at),
            title=title,
        )


def ratings(work: Work, command: Command, reader: User) -> None:
    """Mail a list of ratings: of one game, or of each game that has ratings."""
    ranking = command.args.get("ranking") or Ranking()
    kind = command.game
    letter = partial(_mail_ratings, work, reader, kind, ranking)
    ask_for(work, reader, ("ratings", kind and kind.word, ranking), letter)


def _mail_ratings(work: Work, reader: User, kind: type[Game] | None, ranking: Ranking) -> None:
    kinds = [kind] if kind else [each for each in games.GAMES if len(each.seats) == 2]
    lists = []
    for each in kinds:
        shown = listed(work, each.word, ranking, reader.userid)
        provisional = not shown and ranking.which == "top"
        if provisional:  # on a young server nobody is sure enough for a place
            every = listed(work, each.word, ranking._replace(which="all"), reader.userid)
            shown = every[: ranking.number]
        if shown or kind:
            lines = [place.line() for place in shown]
            lists.append(RatingList(each.title, lines, provisional))
    facts = RatingsFacts(
        lists,
        ranking.practice,
        all=ranking.which == "all",
        near=ranking.which == "near",
        word=kind.word if kind else "star",
    )
    send(work, PlainLetter.to(reader, facts))


def listed(work: Work, word: str, ranking: Ranking, reader: str) -> list[RatingLine]:
    """Return the players that a list shows, the best first.

    A list of all also shows players who are not established; in practice everybody is established. A list
    of the players near the reader is empty if the reader is not in it.
    """
    ratings, now = work.tx.of(Ratings), work.now
    every = Established(word, ranking.practice, 0, -inf, inf, now)
    sure = every._replace(opponents=OPPONENTS, since=now - _FRESH, sure=SURE)
    sure = every if ranking.practice else sure
    first, most = 0, _MOST if ranking.which == "all" else ranking.number
    if ranking.which == "near":
        tally = ratings.of(reader, word, ranking.practice)
        place = ratings.above(sure, Listed(reader, tally)) if tally else 0
        first = max(0, place - _NEAR)
        most = place + _NEAR + 1 - first
    shown = list(enumerate(ratings.best(sure, first, min(most, _MOST)), first + 1))
    if ranking.which == "near" and reader not in {each.userid for _, each in shown}:
        return []
    if ranking.which == "all":
        numbers = {each.userid: number for number, each in shown}
        shown = [(numbers.get(each.userid, 0), each) for each in ratings.best(every, 0, _MOST)]
    return [
        RatingLine(number, userid, tally.as_of(now), tally) for number, (userid, tally) in shown
    ]


def history(work: Work, command: Command, reader: User) -> None:
    """Mail a player's rating after each game; it is the reader's own if the command names no player."""
    assert command.game is not None
    user = work.player(command.args.get("userid", reader.userid))
    letter = partial(_mail_history, work, reader, user, command.game)
    ask_for(work, reader, ("history", user.userid, command.game.word), letter)


def _mail_history(work: Work, reader: User, user: User, kind: type[Game]) -> None:
    past = work.tx.of(Ratings).history(user.userid, kind.word)
    shown = [
        RatedGame(
            board=each.board,
            date=date_of(each.tally.at),
            opponent=each.opponent,
            result=result,
            told=say("{result} against {opponent}", result=result, opponent=each.opponent),
            before=str(each.before),
            rating=str(Rating(*each.tally[:3])),
        )
        for each in past[:_GAMES]
        for result in (_RESULTS[each.score],)
    ]
    points = [round(each.tally.rating) for each in reversed(past)]
    send(work, PlainLetter.to(reader, HistoryFacts(user.userid, kind.title, shown, points)))
