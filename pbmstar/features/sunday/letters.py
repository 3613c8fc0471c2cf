"""The letter of a Sunday: the board of the new game, and how everybody did in the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ... import games
from ...errors import NOTHING, Refusal, Sentence, say, say_many
from ...identity import Purpose
from ...match import Match
from ...match.happenings import Began
from ...render.board.opening import kind
from ...service.letters.post import BoardLetter
from ...service.work.apply import load
from ...service.work.work import Work
from ...store import User
from .commands import OnSunday
from .facts import FinalBoard, SundayFacts, SundayLine
from .rows import Sunday, Sundays
from .rules import SEASON, Finisher, places, season, standing

_LISTED = 10  # the best players, who are in the list of everybody's letter


def letter(work: Work, sunday: Sunday, user: User, match: Match, why: OnSunday) -> BoardLetter:
    """Return the letter with the board of a new Sunday game, and with the results of the last one."""
    facts = SundayFacts(following=sunday.number, reader=user.userid)
    last = work.tx.of(Sundays).get(sunday.number - 1)
    found = places(work.tx.of(Sundays).results(last.number)) if last else []
    if last and found:
        facts = _with_results(work, facts, last, found)
    stop = Purpose.STOP_SUNDAY
    return BoardLetter(match, (why, Began("")), (user.userid,), facts, unsubscribe=stop)


def _with_results(
    work: Work, facts: SundayFacts, last: Sunday, found: Sequence[Finisher]
) -> SundayFacts:
    """Return the facts with those about the game that is over."""
    own = next((each for each in found if each.userid == facts.reader), None)
    best = next((each for each in found if each.userid != facts.reader), None)
    return replace(
        facts,
        number=last.number,
        played=len(found),
        what=kind(games.load(last.game, last.options)),
        bot=last.bot,
        own=_own(own),
        other=_other(best),
        lines=[
            SundayLine(each.place, each.userid, result(each))
            for at, each in enumerate(found)
            if at < _LISTED or each == own
        ],
        season=_season(work, last, facts.reader),
        finals=[
            final
            for each in (own, best)
            if each is not None and (final := _final(work, last, each))
        ],
    )


def _final(work: Work, sunday: Sunday, of: Finisher) -> FinalBoard | None:
    """Return the last board of a player; None if its record is corrupt."""
    try:
        stones = load(work, of.board).position.stones
    except Refusal:
        return None
    title = say("{userid}, board {number}", userid=of.userid, number=of.board)
    return FinalBoard(title, of.userid, of.board, sunday.game, sunday.options, bytes(stones).hex())


def _season(work: Work, last: Sunday, userid: str) -> Sentence:
    """Return a player's place over the season; empty before its second Sunday, or without a game."""
    number, first, end = season(last.number)
    table = standing(work.tx.of(Sundays).of_season(first, last.number))
    own = next((each for each in table if each.userid == userid), None)
    if own is None or last.number == first:
        return NOTHING
    form = say(
        "After {sundays} of {most} Sundays, you're number {place} of {count} in season "
        "{season}, with {points} points. {userid} is in the lead with {best}."
    )
    if own.place == 1:
        form = say(
            "After {sundays} of {most} Sundays, you're number 1 of {count} in season "
            "{season}, with {points} points."
        )
    if last.number == end and own.place == 1:
        form = say("Season {season} is over, and you won it with {points} points. Congratulations!")
    elif last.number == end:
        form = say(
            "Season {season} is over. You're number {place} of {count}, with {points} "
            "points. {userid} won it with {best}."
        )
    return form.given(
        season=number,
        sundays=last.number - first + 1,
        most=SEASON,
        place=own.place,
        count=len(table),
        points=own.points,
        userid=table[0].userid,
        best=table[0].points,
    )


def result(of: Finisher) -> Sentence:
    """Return a result in words: ``won by 3``."""
    points = abs(of.margin)
    if of.is_unfinished and of.margin < 0:
        return say("not finished (counts as a loss by {points})", points=points)
    if of.margin == 0:
        return say("a tie")
    if of.margin > 0:
        return say_many("won by {count}", "won by {count}", points)
    return say_many("lost by {count}", "lost by {count}", points)


def _own(own: Finisher | None) -> Sentence:
    if own is None:
        return say("You didn't play.")
    form = say("You tied. That makes you number {place}.")
    if own.margin and own.is_unfinished:
        form = say(
            "You didn't finish, so your game counts as a loss by {points}. That makes "
            "you number {place}."
        )
    elif own.margin:
        form = say_many(
            "You lost by {count}. That makes you number {place}.",
            "You lost by {count}. That makes you number {place}.",
            0,
        )
    if own.margin > 0:
        form = say_many(
            "You won by {count}. That makes you number {place}.",
            "You won by {count}. That makes you number {place}.",
            0,
        )
    return form.given(points=abs(own.margin), count=abs(own.margin), place=own.place)


def _other(best: Finisher | None) -> Sentence:
    if best is None:
        return NOTHING
    return say(
        "The best of the others was {userid}: {result}.", userid=best.userid, result=result(best)
    )
