"""The command about a player: who it is, and how another one, mostly the reader, has done against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from ... import games
from ...command import Command
from ...errors import NOTHING, Sentence, say
from ...match import FORFEIT
from ...match.dates import with_year
from ...ratings import practice
from ...ratings.fold import Tally
from ...ratings.rows import Ratings
from ...render.facts import BeatenBots, BotRating, Pair, PairSum, RatedPlayer, WhoisFacts
from ...store import Board, User
from ..letters.post import send
from ..letters.stakes import titles_of
from ..proof.limits import ask_for
from ..reminders import leave
from ..work import timekeeping
from ..work.apply import may_see, names_of
from ..work.letter import PlainLetter
from ..work.work import Work
from .lists import STAMPED, line_of, newest_first
from .ratings import RatingLine

_TURNS = 50
_SHOWN = 10  # games of two players that are rows to tap


def whois(work: Work, command: Command, reader: User) -> None:
    """Mail the facts about a player, and the reader's games against that player."""
    _tell(work, reader, reader.userid, command["userid"])


def versus(work: Work, command: Command, reader: User) -> None:
    """Mail the same about one of two players, with their games against each other."""
    one, two = command["userid1"], command["userid2"]
    _tell(work, reader, *((two, one) if two == reader.userid else (one, two)))


def _tell(work: Work, reader: User, one: str, two: str) -> None:
    against, user = work.player(one), work.player(two)
    mail = partial(_mail_whois, work, reader, against.userid, user)
    ask_for(work, reader, ("whois", against.userid, user.userid), mail)


def _mail_whois(work: Work, reader: User, against: str, user: User) -> None:
    is_program, tx = user.is_program, work.tx
    lines = tx.of(Ratings).all_of(user.userid)
    last = tx.boards.last_entries(user.userid, _TURNS)
    record = tx.of(Ratings).record(user.userid)
    facts = WhoisFacts(
        userid=user.userid,
        since=NOTHING if is_program else with_year(user.made, reader.zone),
        bot=_of_program(user.userid) if is_program else None,
        ratings=[_rated(work, game, tally) for game, apart, tally in lines if not apart],
        practice=[_rated(work, game, tally) for game, apart, tally in lines if apart],
        beaten=_against_programs(work, user.userid),
        won=record[1.0],
        lost=record[0.0],
        tied=record[0.5],
        turns=0 if is_program else len(last),
        in_time=sum(move != FORFEIT for move in last),
        away=leave.is_away(work, user.userid),
        titles=titles_of(tx, user.userid),
        reader=reader.userid,
        pair=_pair(work, reader, against, user.userid) if against != user.userid else None,
    )
    send(work, PlainLetter.to(reader, facts))


def _of_program(userid: str) -> list[BotRating]:
    """Return the fixed ratings of a program, by game."""
    measured = {each.word: practice.of_program(each.word, userid) for each in games.GAMES}
    return [BotRating(games.title_of(game), str(each)) for game, each in measured.items() if each]


def _rated(work: Work, game: str, tally: Tally) -> RatedPlayer:
    return RatingLine(0, "", tally.as_of(work.now), tally).line(games.title_of(game))


def _against_programs(work: Work, userid: str) -> list[BeatenBots]:
    """Return a player's results against each program, by game: ``beat NAME 3 of 5``."""
    by_game: dict[str, list[Sentence]] = {}
    for game, program, score, count in work.tx.of(Ratings).against_programs(userid):
        told = say(
            "won {score} of {count} against {bot}", bot=program, score=f"{score:g}", count=count
        )
        by_game.setdefault(game, []).append(told)
    return [BeatenBots(games.title_of(game), each) for game, each in by_game.items()]


def _pair(work: Work, reader: User, one: str, two: str) -> Pair:
    """Return how two players have done against each other, as far as the reader may know it."""
    names = names_of(work, reader)
    rows = [
        row
        for row in work.tx.boards.of(one)
        if two in row.seats and may_see(row.agreed, row.seats, names)
    ]
    rows.sort(key=newest_first)
    over = [row for row in rows if not row.to_move]
    ends = {row.board: _outcome(work, row) for row in over}
    sums = [
        _sum(each.title, of_game, ends, one, two)
        for each in games.GAMES
        if (of_game := [row for row in over if row.game == each.word])
    ]
    running = [row for row in rows if row.to_move]
    return Pair(
        one,
        len(running),
        len(over),
        sums,
        _streak([end for end in ends.values() if end != _VOID], reader.userid),
        [
            line_of(
                work,
                row,
                one,
                reader,
                timekeeping.left_on(work, row) if row.to_move else None,
                at < STAMPED,
            )
            for at, row in enumerate((running + over)[:_SHOWN])
        ],
    )


_Outcome = tuple[str, str]  # the winner; and if there is none, how the game ended
_TIE, _VOID = ("", "tie"), ("", "void")


def _outcome(work: Work, row: Board) -> _Outcome:
    winner = work.tx.boards.winner(row)
    return winner, "" if winner else row.result


def _sum(
    title: str, rows: Sequence[Board], ends: Mapping[int, _Outcome], one: str, two: str
) -> PairSum:
    """Return the results of two players in one game."""
    results = Counter(ends[row.board] for row in rows)
    first = Counter(row.seats[0] for row in rows)
    won_first = Counter(row.seats[0] for row in rows if ends[row.board][0] == row.seats[0])
    return PairSum(
        title,
        won=(results[one, ""], results[two, ""]),
        ties=results[_TIE],
        void=results[_VOID],
        first=((won_first[one], first[one]), (won_first[two], first[two])),
    )


def _streak(ends: Sequence[_Outcome], reader: str) -> Sentence:
    """Return a sentence that names the winner of the last games and their number; empty after a tie, or if
    there is no game."""
    if not ends or ends[0] == _TIE:
        return NOTHING
    winner = ends[0][0]
    length = next((n for n, end in enumerate(ends) if end != ends[0]), len(ends))
    if winner == reader:
        return (
            say("You won the last game.")
            if length == 1
            else say("You've won the last {count} games.", count=length)
        )
    if length == 1:
        return say("{winner} won the last game.", winner=winner)
    return say("{winner} has won the last {count} games.", winner=winner, count=length)
