"""Invitations: one letter to a friend, and a game once the friend has an account."""

from __future__ import annotations

from ...command import Command
from ...errors import Refusal
from ...games.hexagon.star import Star
from ...match.terms import DAY
from ...service.letters.headers import signed
from ...service.letters.post import PlainLetter, tell_account
from ...service.meeting import consent
from ...service.meeting.beginning import agreed_on, start
from ...service.proof import authentication, strangers
from ...service.proof.strangers import usable_address
from ...service.work.work import Work
from ...store import User
from .facts import InvitationFacts
from .happenings import Invited
from .rows import Invitations
from .rules import INVITATIONS
from .verbs import require_active

_WEEK = 7 * DAY


def invite(work: Work, command: Command, user: User) -> None:
    """Mail an invitation to an address, if none went there before. Raises Refusal.

    The answer is the same if no letter goes out: it tells nothing about that address.
    """
    require_active(user)
    address = usable_address(work, command["address"])
    if work.limited and work.tx.of(Invitations).count(user.userid, work.now, _WEEK) >= INVITATIONS:
        raise Refusal(
            f"You can invite {INVITATIONS} people a week. Try again later.", "too-many-invitations"
        )
    strangers.require_room(work, address)
    words = " Your own words do not go with it." if work.author.comment else ""
    tell_account(
        work,
        user,
        "invitation",
        "An invitation goes to that address, unless an account has it, an invitation went there before, "
        f"or no letters are wanted there.{words} If an account is opened at the address because of it, a "
        "game of Star between you begins.",
    )
    mark = strangers.reader(address)
    is_wanted = not (
        work.tx.of(Invitations).is_invited(mark)
        or work.tx.accounts.users_at(address)
        or strangers.is_suppressed(work, address)
    )
    work.tx.of(Invitations).add(mark, user.userid, work.now, is_wanted)
    if not is_wanted:
        return
    work.tx.people.count_guest(mark, work.now)
    authentication.post_stranger(work, invitation(work, address, user.userid))


def invitation(
    work: Work, address: str, inviter: str, name: str = "", *, is_again: bool = False
) -> PlainLetter:
    """Return the letter that invites a reader; ``is_again``: it answers a reply to the first one.

    ``name``: a free userid for the reader; empty if none is known.
    """
    reply_to = signed(work, "d", strangers.reader(address), "")
    facts = InvitationFacts(inviter, name, is_again)
    heads = {"Reply-To": reply_to}
    return PlainLetter(facts, "", address, heads, answers=is_again)


def follow(work: Work, newcomer: User) -> None:
    """Begin a game of a newcomer with the player who invited the newcomer, if the game may begin."""
    mark = strangers.reader(newcomer.address)
    inviter = work.tx.accounts.user(work.tx.of(Invitations).inviter(mark))
    if inviter is None:
        return
    game = Star({})
    try:
        consent.require(work, newcomer, [newcomer, inviter], game, is_proved=True)
    except Refusal:
        work.tx.of(Invitations).set_begun(mark, 0)
        return
    seats = (newcomer.userid, inviter.userid)
    because = Invited(inviter.userid, newcomer.userid)
    agreed = agreed_on(work, seats)
    board = start(work, game, seats, inviter.userid, because, agreed=agreed, is_proved=True)
    work.tx.of(Invitations).set_begun(mark, board)
