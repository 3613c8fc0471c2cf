"""The verb of the Sunday game."""

from __future__ import annotations

from ...command import Command
from ...errors import Refusal, say, together
from ...match.dates import moment
from ...service.letters.post import tell_account
from ...service.work.work import Work
from ...store import User
from . import weekly
from .rows import Sundays
from .rules import end_of, is_short, week_of


def sunday(work: Work, command: Command, user: User) -> None:
    """Let a player play the Sunday game of each week, or no longer. Raises Refusal."""
    if not command["on"]:
        leave(work, user)
        return
    if not weekly.is_played(work):
        raise Refusal(
            say("There's no Sunday game on this server, because its bot doesn't play here."),
            "bots-off",
        )
    rows = work.tx.of(Sundays)
    for other in work.tx.accounts.users_at(user.address):
        if other.userid != user.userid and rows.is_reader(other.userid):
            raise Refusal(
                say("Another account at your address already plays the Sunday game."),
                "same-mailbox",
            )
    now = weekly.current(work)
    has_board = now is not None and rows.has_board(now.number, user.userid)
    is_late = now is not None and not has_board and is_short(work.now)
    rows.subscribe(user.userid, now.number if now and is_late else 0)
    if now and not is_late and not has_board:
        weekly.begin(work, now, user)
        return
    until = moment(end_of(week_of(work.now)), user.zone)
    comes = say("Your board is on its way.")
    if has_board:
        comes = say(
            "You already have this week's board, and you can play it until {until}.", until=until
        )
    if is_late:
        comes = say(
            "This week is nearly over, so you'll get your first board on {until}, with a week "
            "to play it.",
            until=until,
        )
    follows = say(
        "At the end of each week, we'll send you everyone's results and the next board. "
        "Everyone who played can then see your name, your result and your moves."
    )
    notice = together(say("You'll get the Sunday game from now on."), comes, follows)
    tell_account(work, user, say("sunday"), notice, ("sunday off",))


def leave(work: Work, user: User) -> None:
    """Give a player no more Sunday games; the one that runs stays until its end."""
    work.tx.of(Sundays).unsubscribe(user.userid)
    notice = say(
        "You won't get any more Sunday games. You can still play this week's until Sunday, "
        "but you won't get the results."
    )
    tell_account(work, user, say("sunday"), notice, ("sunday on",))
