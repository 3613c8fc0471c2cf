"""How a game begins: a challenge, and what players have agreed on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ... import games
from ...command import Command, usage_text
from ...errors import BadInput, Refusal
from ...games.base import Game
from ...match import Happening, Terms, begin, terms
from ...match.terms import NONE, NORMAL
from ...store import BOTS, Board, User
from .. import bots, clocks, leave, proof, rations
from ..apply import Change
from ..tell import tell
from ..work import Work
from .wishes import may_challenge

PUZZLE = Terms(time=NONE)  # there is nobody to wait
_A_BOT = re.compile(r"(?:ro)?bots?[0-9_-]*|computer|server")


def challenge(work: Work, command: Command) -> None:
    """Start a game between accounts, or a puzzle of one; a player must have sent the mail."""
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
        user = work.tx.user(userid)
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
        proof.ask_again(work, challenger)
    game = command.game(command["options"])
    agreed = agreed_on(work, userids, command["terms"])
    require_welcome(work, challenger, players, game)
    number = start(work, game, userids, challenger.userid, agreed=agreed)
    work.commands[-1] += f" {number}"


def require_welcome(work: Work, challenger: User, players: Sequence[User], game: Game) -> None:
    """Raises Refusal if one of the players takes no such game of the challenger."""
    bot = next((user for user in players if user.state == "bot"), None)
    if bot is None:
        may_challenge(work, challenger, players, game.word)
    else:
        bots.may_challenge(work, challenger, bot, game)


def agreed_on(
    work: Work,
    seats: Sequence[str],
    chosen: Mapping[str, Any] | None = None,
    before: Terms | None = None,
) -> Terms:
    """The terms of a new game: those that are ``chosen``, the others as ``before``, or as usual.

    Weekends are those of each player's zone as it is now.
    """
    if len(seats) == 1:
        return PUZZLE
    chosen = dict(chosen or {})
    base = before or Terms(time=work.context.time)
    users = map(work.tx.user, seats) if chosen.pop("weekends", bool(base.weekends)) else ()
    zones = tuple(user.zone if user else "" for user in users)
    if chosen.get("time") == NORMAL:
        chosen["time"] = work.context.time
    return base._replace(**chosen, weekends=zones)


def start(
    work: Work,
    game: Game,
    seats: tuple[str, ...],
    challenger: str,
    *because: Happening,
    agreed: Terms,
) -> int:
    """Start a game and tell its players, and ``because`` of what; returns the board's number."""
    match = begin(0, game, seats, work.now, agreed)
    row = Board(
        board=0,
        game=game.word,
        options=games.dump(game),
        made=work.now,
        resets=0,
        length=0,
        to_move=seats[0],
        result="",
        since=work.now,
        due=work.now,
        terms=terms.dump(agreed),
        told=None,
        clock_from=None,
        seats=seats,
        banks=match.clock.banks,
    )
    match = replace(match, number=work.tx.add_board(row))
    match = replace(match, clock=clocks.fresh(work, match, match.clock.banks))
    work.tx.set_clock(match.number, match.clock.told, match.clock.began)
    waited_for = seats if agreed.leave and len(seats) > 1 else ()  # nobody waits in a puzzle
    absent = [
        Happening("away", userid, str(until))
        for userid in waited_for
        if (until := leave.away_until(work, userid)) is not None
    ]
    happenings = (*because, *absent, Happening("began", challenger))
    tell(work, Change(match, match, happenings), challenger)
    return match.number
