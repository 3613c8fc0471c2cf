"""Challenges: a player asks another one, or a bot, for a game."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ... import identity
from ...command import Command, usage_text
from ...errors import BadInput, Refusal
from ...match.terms import DAY
from ...store import BOTS, User
from ..meeting import welcome
from ..meeting.beginning import agreed_on, start
from ..proof import authentication, rations
from ..work.work import Work

CHALLENGES_A_DAY = 10  # of one player to another, declined or not
_A_BOT = re.compile(r"(?:ro)?bots?[0-9_-]*|computer|server")


def challenge(work: Work, command: Command) -> int:
    """Start a game between accounts, or a puzzle of one; return its board.

    A player of it must have sent the mail.
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
    writer = work.author.address
    challenger = next((user for user in players if writer and user.address == writer), None)
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
    """Count a challenge, whatever becomes of it. Raises Refusal beyond those of a day to one player.

    Forged ones use up nothing of what comes from the challenger's own places.
    """
    standing = work.standing(challenger.userid)
    for other in players:
        if not work.limited or other.userid == challenger.userid or other.state == "bot":
            continue
        rival = identity.address_mark(other.userid)  # an export of either names no other player
        what = f"challenges {challenger.userid} {standing} {rival}"
        if work.tx.ledger.count(what, work.now, DAY) > CHALLENGES_A_DAY:
            raise Refusal(
                f"You have challenged {other.userid} {CHALLENGES_A_DAY} times today, which is the most.",
                "too-many-challenges",
            )
