"""The verbs about time: to give the opponent more time, to be away, and to be back."""

from __future__ import annotations

from datetime import datetime

from ...command import Command
from ...errors import Refusal, say, say_many, together
from ...machine.times import DAY
from ...match import Change, dates
from ...match.happenings import Extended
from ...store import User
from ..letters.post import tell_account
from ..letters.tell import tell
from ..reminders import leave
from ..work import bots, timekeeping
from ..work.apply import store
from ..work.feature import Feature, that_answer
from ..work.work import BoardRefusal, Speaker, Work

MOST = 60  # days that a player may give the opponent on one board


def extend(work: Work, command: Command, speaker: Speaker) -> None:
    """Give the opponent more time, which cannot be taken back."""
    match, days = speaker.match, command["days"]
    if match.position.over:
        raise BoardRefusal(say("The game is over."), "game-over", match)
    for feature in that_answer(Feature.check_act, of=match.terms.contest):
        feature.check_act(work, speaker, "extend")
    if match.terms.pace is None:
        raise BoardRefusal(say("This game has no time limit."), "no-limit", match)
    opponent = match.opponent(speaker.userid)
    bots.require(match, "extend")
    if not match.has_begun:
        raise BoardRefusal(
            say("You can't give extra time yet: the clocks start once you've both moved."),
            "not-begun",
            match,
        )
    seconds = sum(
        each.seconds
        for each in timekeeping.extensions(work.tx, match)
        if each.userid == speaker.userid
    )
    left = MOST - seconds // DAY
    if days > left:
        raise BoardRefusal(
            together(
                say(
                    "On one board, you can give your opponent at most {most} days in all.",
                    most=MOST,
                ),
                say_many(
                    "You can still give {count} day.", "You can still give {count} days.", left
                ),
            ),
            "too-much-time",
            match,
        )
    more = days * DAY + timekeeping.overdrawn(work, match, opponent)
    extended = Extended(speaker.userid, days * DAY, more, len(match.record))
    after = timekeeping.given(match, opponent, more)
    change = Change(match, after, (extended,))
    store(work, change)
    if match.to_move == opponent:
        work.tx.boards.set_due(match.number, match.since)
    tell(work, change, speaker.userid)


def away(work: Work, command: Command, user: User) -> None:
    """Book a leave, or mail the leave that is booked."""
    span = command.args.get("span")
    if span is None:
        tell_account(work, user, say("leave"), leave.describe(work, user), leave.REPLIES)
        return
    if isinstance(span, int):
        if span > 366:
            raise Refusal(say("You can't book more than a year of leave."), "too-far")
        leave.book(work, user, work.now, dates.days_later(work.now, span, user.zone))
        return
    first, last = span
    today = datetime.fromtimestamp(work.now, dates.zone_of(user.zone)).date()
    is_today = first == (today.year, today.month, today.day)
    begin = work.now if is_today else leave.midnight(first, user.zone)
    if begin < work.now:
        raise Refusal(say("Your leave can't start in the past."), "past")
    leave.book(work, user, begin, leave.midnight(last, user.zone, after=1))


def back(work: Work, _command: Command, user: User) -> None:
    """End a leave now, or cancel a booked one."""
    leave.end(work, user)


def automatic(work: Work, command: Command, user: User) -> None:
    """Choose if a day of leave is taken whenever a game would otherwise be forfeited."""
    user = user._replace(auto_leave=int(command["auto"]))
    work.tx.accounts.set_wishes(user)
    tell_account(work, user, say("leave"), leave.describe(work, user), leave.REPLIES)
