"""The Sunday game of each week: it is ended, counted and told, and the next one is begun.

All work is done in small steps, each a transaction of its own. A step finds in the store what is left to do.
"""

from __future__ import annotations

from ... import games
from ...errors import Refusal
from ...games.base import Game
from ...match import Act
from ...service.letters.post import send
from ...service.meeting.beginning import start
from ...service.work.apply import apply, load
from ...service.work.context import Context, in_steps
from ...service.work.work import Work
from ...store import Store, User
from ..bots.rows import Bots
from ..feature import opponents
from .happenings import OnSunday
from .letters import report
from .rows import Sunday, SundayBoard, Sundays
from .rules import BOARDS, BOT, TERMS, end_of, margin, series, week_of

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
    """Mail a player how the last Sunday game ended, and begin this one; nothing if the player has it."""
    rows = work.tx.of(Sundays)
    if not rows.tell(user.userid, sunday.number) or rows.has_board(sunday.number, user.userid):
        return
    last = rows.get(sunday.number - 1)
    if last and (letter := report(work, last, user)):
        send(work, letter)
    seats = (user.userid, sunday.bot) if sunday.seat == 0 else (sunday.bot, user.userid)
    game = games.load(sunday.game, sunday.options)
    because = OnSunday(sunday.number, end_of(sunday.week))
    board = start(work, game, seats, "", because, agreed=TERMS, is_proved=True)
    rows.add_board(sunday.number, user.userid, board)


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
    if not match.has_moved(each.userid):
        work.tx.boards.drop(each.board)
        return
    if not match.position.over:
        match = apply(
            work, match, Act(match.to_move, "judge", f"Sunday game {sunday.number}")
        ).after
    work.tx.of(Sundays).count_in(each, margin(match, each.userid))
