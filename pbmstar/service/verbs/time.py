"""The verbs about time: to give the opponent more, to be away and to be back."""

from __future__ import annotations

from datetime import datetime

from ...command import Command
from ...errors import Refusal
from ...match import Happening, zones
from ...match.terms import DAY
from ...store import User
from .. import clocks, leave
from ..apply import Change, store
from ..post import tell_account
from ..tell import tell
from ..work import BoardRefusal, Seat, Work

MOST = 60  # days that a player may give the other on one board


def extend(work: Work, command: Command, seat: Seat) -> None:
    """Give the opponent more time: it cannot be taken back."""
    match, days = seat.match, command["days"]
    if match.position.over:
        raise BoardRefusal("The game is over.", "game-over", match)
    if match.terms.pace is None:
        raise BoardRefusal("This game has no time limit.", "no-limit", match)
    if not match.has_begun:
        raise BoardRefusal("The clocks start once both have moved.", "not-begun", match)
    given = sum(
        int(event.data.split(" ")[0])
        for event in work.tx.events(match.number)
        if (event.kind, event.userid) == (clocks.GIVEN, seat.userid)
    )
    left = MOST - given // DAY
    if days > left:
        raise BoardRefusal(
            f"On one board you can give {MOST} days in all; {left} are left.",
            "too-much-time",
            match,
        )
    opponent = match.opponent(seat.userid)
    more = days * DAY + clocks.overdrawn(work, match, opponent)
    text = f"{days * DAY} {more} {len(match.record)}"
    after = clocks.given(match, opponent, more)
    change = Change(match, after, (Happening(clocks.GIVEN, seat.userid, text),))
    store(work, change)
    if match.to_move == opponent:
        work.tx.set_due(match.number, match.since)
    tell(work, change, seat.userid)


def away(work: Work, command: Command, user: User) -> None:
    """Book a leave, or say what is booked."""
    span = command.args.get("span")
    if span is None:
        tell_account(work, user, leave.describe(work, user))
        return
    if isinstance(span, int):
        if span > 366:
            raise Refusal("A leave of more than a year cannot be booked.", "too-far")
        leave.book(work, user, work.now, work.now + span * DAY)
        return
    first, last = span
    today = datetime.fromtimestamp(work.now, zones.zone_of(user.zone)).date()
    is_today = first == (today.year, today.month, today.day)
    begin = work.now if is_today else leave.midnight(first, user.zone)
    if begin < work.now:
        raise Refusal("That time is past.", "past")
    leave.book(work, user, begin, leave.midnight(last, user.zone, after=1))


def back(work: Work, _command: Command, user: User) -> None:
    """End a leave now, or cancel the one that is booked."""
    leave.end(work, user)


def automatic(work: Work, command: Command, user: User) -> None:
    """Have a day of leave taken before a game would be forfeited, or not."""
    user = user._replace(auto_leave=int(command["auto"]))
    work.tx.set_wishes(user)
    tell_account(work, user, leave.describe(work, user))
