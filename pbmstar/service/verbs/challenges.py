"""Challenges to players and bots, and invitations of friends who have no account."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ... import identity
from ...command import Command, usage_text
from ...contest.offers import INVITATIONS
from ...errors import BadInput, Refusal
from ...games.hexagon.star import Star
from ...match.happenings import Invited
from ...match.terms import DAY
from ...store import BOTS, User
from ..letters.post import PlainLetter, detailed, tell_account
from ..meeting import welcome
from ..meeting.accepting import require_active
from ..meeting.beginning import agreed_on, start
from ..proof import authentication, rations, strangers
from ..proof.strangers import usable_address
from ..work.work import Work

CHALLENGES_A_DAY = 10  # of one player to another, declined ones too
_A_BOT = re.compile(r"(?:ro)?bots?[0-9_-]*|computer|server")
_WEEK = 7 * DAY


def challenge(work: Work, command: Command) -> int:
    """Start a game between accounts, or a puzzle of one account; return its board number.

    One of its players must have sent the mail.
    """
    assert command.game is not None
    names = ("userid1", "userid2")[: len(command.game.seats)]
    userids = tuple(command[name] for name in names)
    if len(set(userids)) < len(userids):
        raise BadInput(
            "A game needs two different players.\n" + usage_text(command.verb, command.game),
            "same-player",
        )
    players = []
    for userid in userids:
        user = work.tx.accounts.user(userid)
        if user is None or user.state == "closed":
            is_bot = work.context.config.bots and _A_BOT.fullmatch(userid)
            there = f" The bots are {BOTS[0]} to {BOTS[-1]}: help bots" if is_bot else ""
            raise BadInput(
                f"There is no player {userid}.{there}\n" + usage_text(command.verb, command.game),
                "no-player",
            )
        players.append(user)
    challenger = next((user for user in players if work.is_from(user)), None)
    if challenger is None:
        raise Refusal(
            "A challenge is to come from the address of a player of the game, as it is on file.",
            "not-your-address",
        )
    rations.require_leave(work)
    if challenger.state == "suspended":
        authentication.ask_again(work, challenger)
    game = command.game(command["options"])
    agreed = agreed_on(work, userids, command["terms"])
    is_proved = work.author.proved == challenger.userid
    welcome.require(work, challenger, players, game, is_proved)
    _count(work, challenger, players)
    return start(work, game, userids, challenger.userid, agreed=agreed, is_proved=is_proved)


def _count(work: Work, challenger: User, players: Sequence[User]) -> None:
    """Count a challenge, even if it is declined. Raises Refusal if it is one too many for a day.

    Forged challenges are counted apart from those that come from the challenger's own places.
    """
    standing = work.standing(challenger.userid)
    for other in players:
        if not work.limited or other.userid == challenger.userid or other.state == "bot":
            continue
        # A mark, so that an export of one player's data does not name the other player.
        rival = identity.address_mark(other.userid)
        what = f"challenges {challenger.userid} {standing} {rival}"
        if work.tx.ledger.count(what, work.now, DAY) > CHALLENGES_A_DAY:
            raise Refusal(
                f"You have challenged {other.userid} {CHALLENGES_A_DAY} times today, which is the most.",
                "too-many-challenges",
            )


def invite(work: Work, command: Command, user: User) -> None:
    """Mail an invitation to an address, if none went there before. Raises Refusal.

    The answer is the same if no letter goes out: it tells nothing about that address.
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
    """Begin a game of a newcomer with the player who invited the newcomer, if the game may begin."""
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
    because = Invited(inviter.userid, newcomer.userid)
    agreed = agreed_on(work, seats)
    board = start(work, game, seats, inviter.userid, because, agreed=agreed, is_proved=True)
    work.tx.offers.set_begun(mark, board)
