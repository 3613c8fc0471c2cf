"""The game of a newcomer with the player who sent the invitation."""

from __future__ import annotations

from ... import identity
from ...errors import Refusal, say
from ...games.hexagon.star import Star
from ...match.offers import Invited
from ...matchmaking.rows import Invitations
from ...store import User
from ..letters.post import tell_account
from ..work.work import Work
from . import consent
from .beginning import agreed_on, start, start_with

INVITATION = "invitation"  # the question of the letter: which move is the first?
INVITED_TO = Star({})


def follow(work: Work, newcomer: User) -> bool:
    """Begin a game of a newcomer with the player who invited the newcomer; return False if none begins.

    It begins with the move that the newcomer has chosen on the board of the invitation, if any.
    """
    invitations, mark = work.tx.of(Invitations), identity.reader_mark(newcomer.address)
    inviter = work.tx.accounts.user(invitations.inviter(mark))
    if inviter is None:
        return False
    try:
        consent.require(work, newcomer, [newcomer, inviter], INVITED_TO, is_proved=True)
    except Refusal:
        invitations.set_begun(mark, 0)
        notice = say(
            "{userid} isn't taking new games right now, so your game hasn't started.",
            userid=inviter.userid,
        )
        tell_account(work, newcomer, say("invitation"), notice, ("match", "who"))
        return False
    seats = (newcomer.userid, inviter.userid)
    because = Invited(inviter.userid, newcomer.userid)
    first = work.guest.first if work.guest.question == INVITATION else ""
    if first:
        board = start_with(work, INVITED_TO, seats, first, because)
    else:
        agreed = agreed_on(work, seats)
        board = start(
            work, INVITED_TO, seats, inviter.userid, because, agreed=agreed, is_proved=True
        )
    invitations.set_begun(mark, board)
    return True
