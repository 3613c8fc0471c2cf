"""The verb of the window."""

from __future__ import annotations

from ...command import Command
from ...errors import say
from ...service.letters.post import tell_account
from ...service.work.work import Work
from ...store import User
from .rows import Window


def window(work: Work, command: Command, user: User) -> None:
    """Choose if letters tell the player what else waits."""
    is_open = command["on"]
    work.tx.of(Window).set(user.userid, is_open)
    notice = (
        say(
            "Letters in which another player is to move end with your other boards that wait, and with the "
            "players who wait for a game."
        )
        if is_open
        else say(
            "Letters no longer tell you which of your other boards wait, and who waits for a game."
        )
    )
    change = f"letters window {'off' if is_open else 'on'}"
    tell_account(work, user, say("settings"), notice, (change, "seeks"))
