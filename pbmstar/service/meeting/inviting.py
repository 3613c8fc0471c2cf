"""Invitations: one letter to a friend who has no account yet, and the game that begins once there is one."""

from __future__ import annotations

from ... import identity
from ...command import Command
from ...contest.offers import INVITATIONS
from ...errors import Refusal
from ...games.hexagon.star import Star
from ...match.happenings import Invited
from ...match.terms import DAY
from ...store import User
from ..letters.post import PlainLetter, detailed, tell_account
from ..proof import authentication, strangers
from ..proof.addresses import usable_address
from ..work.work import Work
from . import welcome
from .accepting import require_active
from .beginning import agreed_on, start

_WEEK = 7 * DAY


def invite(work: Work, command: Command, user: User) -> None:
    """Mail one invitation to an address, if nobody has had one there. Raises Refusal.

    The answer is the same whether a letter goes out or not: it says nothing about that address.
    """
    require_active(user)
    address = usable_address(work, command["address"])
    if work.limited and work.tx.offers.invitations(user.userid, work.now, _WEEK) >= INVITATIONS:
        raise Refusal(
            f"You can invite {INVITATIONS} people a week. Try again later.", "too-many-invitations"
        )
    strangers.require_room(work, address)
    tell_account(
        work,
        user,
        "An invitation goes to that address, unless an account has it, an invitation went there before, "
        "or no letters are wanted there. If an account is opened at the address because of it, a game of "
        "Star between you begins.",
    )
    mark = strangers.reader(address)
    is_wanted = not (
        work.tx.offers.is_invited(mark)
        or work.tx.accounts.users_at(address)
        or strangers.is_suppressed(work, address)
    )
    work.tx.offers.invite(mark, user.userid, work.now, is_wanted)
    if not is_wanted:
        return
    work.tx.people.count_guest(mark, work.now)
    reply_to = detailed(work, identity.sign(work.keys, "d", mark, ""))
    facts = {"inviter": user.userid, "reply_to": reply_to}
    letter = PlainLetter("invitation", "", address, facts, {"Reply-To": reply_to}, answers=False)
    authentication.post_stranger(work, letter)


def follow(work: Work, newcomer: User) -> None:
    """Begin the game with the player whose invitation went to a newcomer, if it may be begun."""
    mark = strangers.reader(newcomer.address)
    inviter = work.tx.accounts.user(work.tx.offers.inviter(mark))
    if inviter is None:
        return
    game = Star({})
    try:
        welcome.require(work, newcomer, [newcomer, inviter], game, is_proved=True)
    except Refusal:
        work.tx.offers.set_begun(mark, 0)
        return
    seats = (newcomer.userid, inviter.userid)
    told = Invited(inviter.userid, newcomer.userid)
    agreed = agreed_on(work, seats)
    board = start(work, game, seats, inviter.userid, told, agreed=agreed, is_proved=True)
    work.tx.offers.set_begun(mark, board)
