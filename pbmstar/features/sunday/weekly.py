"""The Sunday game of each week: it is ended, counted and told, and the next one is begun.

All work is done in small steps, each a transaction of its own. A step finds in the store what is left to do.
"""

from __future__ import annotations

from ... import games
from ...bots.rows import Bots
from ...errors import Refusal, say
from ...games.base import Game
from ...match import Act
from ...service.letters.post import send, tell_account
from ...service.verbs.beginning import start_untold
from ...service.work.apply import apply, load
from ...service.work.bots import opponents
from ...service.work.context import Context, in_steps
from ...service.work.work import Work
from ...store import Store, User
from .commands import OnSunday
from .letters import letter
from .rows import Sunday, SundayBoard, Sundays
from .rules import BOARDS, BOT, IDLE, TERMS, end_of, margin, opening, series, week_of

_STEP = 10  # the most boards that are begun, or counted, in one transaction


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
            "You haven't played the last three Sunday games, so we won't send you the next "
            "ones. If you want to play again, reply: sunday on"
        )
        tell_account(work, user, say("sunday"), notice, ("sunday on",))
