"""The decision if a game may begin; every verb that begins a game asks here."""

from __future__ import annotations

from collections.abc import Sequence

from ... import identity
from ...errors import Refusal, say
from ...games.base import Game
from ...matchmaking.wishes import Party
from ...store import User
from ..reminders import leave
from ..work import bots
from ..work.work import Work

FRESH_OF_PAIR, FRESH_OF_PLAYER = 5, 20  # games in which not all players have moved yet


def require(
    work: Work, challenger: User, players: Sequence[User], game: Game, is_proved: bool
) -> None:
    """Raise Refusal if one of the players does not take such a game from the challenger.

    The challenger is not told the player's reason.
    """
    program = next((user for user in players if user.is_program), None)
    if program is not None:
        bots.require_game(work, challenger, program, game, is_proved)
        return
    own = party(work, challenger)
    for other in players:
        if other != challenger and not party(work, other).takes(own, game.word):
            raise Refusal(
                say("{userid} isn't accepting this challenge right now.", userid=other.userid),
                "challenge-not-taken",
            )
    if work.limited:
        _require_begun(work, challenger, players)


def _require_begun(work: Work, challenger: User, players: Sequence[User]) -> None:
    """Raise Refusal if too many games of the challenger wait for the first moves."""
    userids = {user.userid for user in players}
    running = work.tx.boards.of(challenger.userid, "active")
    fresh = [row for row in running if row.length < len(row.seats)]
    between = [row for row in fresh if userids == set(row.seats)]
    if len(between) >= FRESH_OF_PAIR or len(fresh) >= FRESH_OF_PLAYER:
        raise Refusal(
            say(
                "Too many of your new games are still waiting for a first move. Please wait "
                "until some of them have started."
            ),
            "too-many-fresh",
        )


def party(work: Work, user: User) -> Party:
    """Return the facts about a player that decide if others may play with the player, except the strength."""
    running = len(work.tx.boards.of(user.userid, "active"))
    return party_of(work, user, running, work.tx.accounts.blocked_by(user.userid))


def party_of(work: Work, user: User, running: int, blocks: frozenset[str]) -> Party:
    """Return the same about a player with so many ``running`` games who blocks these players."""
    return Party(
        user.userid,
        user.state,
        frozenset(map(identity.reader_mark, work.tx.accounts.addresses(user))),
        frozenset(user.refuses.split()),
        blocks,
        user.most,
        running,
        leave.away_until(work, user.userid) is not None,
    )
