"""The Sunday game of each week: it is ended, counted and told, and the next one is begun.

All work is done in small steps, each a transaction of its own. A step finds in the store what is left to do.

The letter of a Sunday: the board of the new game, and how everybody did in the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ... import games
from ...bots.rows import Bots
from ...errors import NOTHING, Refusal, Sentence, say, say_many
from ...games.base import Game
from ...identity import Purpose
from ...match import Act, Match
from ...match.happenings import Began
from ...render.board.opening import kind
from ...service.letters.post import BoardLetter, send, tell_account
from ...service.verbs.beginning import start_untold
from ...service.work.apply import apply, load
from ...service.work.bots import opponents
from ...service.work.context import Context, in_steps
from ...service.work.work import Work
from ...store import Store, User
from .commands import OnSunday
from .facts import FinalBoard, SundayFacts, SundayLine
from .rows import Sunday, SundayBoard, Sundays
from .rules import (
    BOARDS,
    BOT,
    IDLE,
    SEASON,
    TERMS,
    Finisher,
    end_of,
    margin,
    opening,
    places,
    season,
    series,
    standing,
    week_of,
)

_STEP = 10  # the most boards that are begun, or counted, in one transaction
_LISTED = 10  # the best players, who are in the list of everybody's letter


def carry_on(context: Context, store: Store) -> None:
    """End the game of a week that is over; begin the new one, and tell its players how the last one ended."""
    in_steps(store, lambda tx: _step(Work(context, tx, context.clock())))


def _step(work: Work) -> bool:
    """Do some of the due work; return False if there is none."""
    rows = work.tx.of(Sundays)
    if work.tx.clocks.paused() is not None:
        return False
    newest = rows.newest()
    if newest and not newest.is_over and newest.week < week_of(work.now):
        _end(work, newest)
        return True
    if not rows.count_readers():
        return False
    sunday = current(work)
    return sunday is not None and _begin_some(work, sunday)


def current(work: Work) -> Sunday | None:
    """Return the Sunday game of this week, begun now if it has not been.

    None while the last one is not counted, or if the bot does not play here.
    """
    week, newest = week_of(work.now), work.tx.of(Sundays).newest()
    if newest and newest.week >= week:
        return newest
    if newest and not newest.is_over:
        return None
    number = newest.number + 1 if newest else 1
    word, options, seat = BOARDS[(number - 1) % len(BOARDS)]
    game = games.make(word, options)
    if not is_played(work, game):
        return None
    begun = Sunday(number, week, word, games.dump(game), BOT, seat)
    return begun if work.tx.of(Sundays).add(begun) else None


def is_played(work: Work, game: Game | None = None) -> bool:
    """Return True if the bot plays such games here."""
    word, options, _ = BOARDS[0]
    return BOT in opponents(work, game or games.make(word, options))


def _begin_some(work: Work, sunday: Sunday) -> bool:
    """Begin the game of some players who have not got it; return True if there may be more."""
    due = work.tx.of(Sundays).due(sunday.number, _STEP)
    for userid in due:
        user = work.tx.accounts.user(userid)
        if user and user.state == "active":
            begin(work, sunday, user)
        else:
            work.tx.of(Sundays).tell(userid, sunday.number)
    return len(due) == _STEP


def begin(work: Work, sunday: Sunday, user: User) -> None:
    """Begin this Sunday game for a player who has not got it, and mail it with the end of the last one."""
    rows = work.tx.of(Sundays)
    if not rows.tell(user.userid, sunday.number) or rows.has_board(sunday.number, user.userid):
        return
    seats = (user.userid, sunday.bot) if sunday.seat == 0 else (sunday.bot, user.userid)
    game = games.load(sunday.game, sunday.options)
    because = OnSunday(sunday.number, end_of(sunday.week))
    agreed = TERMS._replace(setup=opening(sunday.number))
    board = start_untold(work, game, seats, because, agreed=agreed)
    rows.add_board(sunday.number, user.userid, board)
    send(work, letter(work, sunday, user, load(work, board), because))


def _end(work: Work, sunday: Sunday) -> None:
    """Count some games of a Sunday that is over; once none is left, note that."""
    rows = work.tx.of(Sundays)
    some = rows.uncounted(sunday.number, _STEP)
    for each in some:
        try:
            with work.tx.savepoint():
                _count(work, sunday, each)
        except Refusal:  # the record is corrupt: ``admin check`` names it
            rows.leave_out(each)
    if len(some) < _STEP:
        rows.end(sunday.number)
        work.tx.of(Bots).forget_answers(series(sunday.number))


def _count(work: Work, sunday: Sunday, each: SundayBoard) -> None:
    """Keep the result of a player, whose game ends now if it still runs; remove it if it was not played."""
    match = load(work, each.board)
    has_played = match.has_moved(each.userid)
    if work.tx.of(Sundays).note(each.userid, has_played) >= IDLE:
        _stop(work, each.userid)
    if not has_played:
        work.tx.boards.drop(each.board)
        return
    if not match.position.over:
        match = apply(work, match, Act(each.userid, "lapse")).after
    work.tx.of(Sundays).count_in(each, margin(match, each.userid))


def _stop(work: Work, userid: str) -> None:
    """Give a player who plays none of the boards no more of them, and say how to come back."""
    work.tx.of(Sundays).unsubscribe(userid)
    user = work.tx.accounts.user(userid)
    if user and user.state == "active":
        notice = say(
            "You haven't played the last three Sunday games, so we'll stop sending them. To "
            "play again, reply: sunday on"
        )
        tell_account(work, user, say("sunday"), notice, ("sunday on",))


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
        "After {sundays} of {most} Sundays, you're number {place} out of {count} in season "
        "{season}, with {points} points. {userid} is in the lead with {best}."
    )
    if own.place == 1:
        form = say(
            "After {sundays} of {most} Sundays, you're number 1 out of {count} in season "
            "{season}, with {points} points."
        )
    if last.number == end and own.place == 1:
        form = say("Season {season} is over, and you won it with {points} points. Congratulations!")
    elif last.number == end:
        form = say(
            "Season {season} is over. You finished number {place} out of {count}, with {points} "
            "points. {userid} won with {best}."
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
    form = say("You tied. That puts you at number {place}.")
    if own.margin and own.is_unfinished:
        form = say(
            "You didn't finish, so your game counts as a loss by {points}. That puts you at "
            "number {place}."
        )
    elif own.margin:
        form = say_many(
            "You lost by {count}. That puts you at number {place}.",
            "You lost by {count}. That puts you at number {place}.",
            0,
        )
    if own.margin > 0:
        form = say_many(
            "You won by {count}. That puts you at number {place}.",
            "You won by {count}. That puts you at number {place}.",
            0,
        )
    return form.given(points=abs(own.margin), count=abs(own.margin), place=own.place)


def _other(best: Finisher | None) -> Sentence:
    if best is None:
        return NOTHING
    return say(
        "Of the other players, {userid} did best: {result}.",
        userid=best.userid,
        result=result(best),
    )
