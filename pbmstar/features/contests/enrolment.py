"""A game's open ladder or league, and the changes that a player may make there in a day."""

from __future__ import annotations

from ... import games
from ...errors import Refusal
from ...service.work.work import Work
from ...store import Tx, User
from .rows import CLOSED, Contest, Contests

CHANGES_A_DAY = 10  # by one player, who joins, leaves or challenges on any ladder or league


def the_open(tx: Tx, kind: str, word: str) -> Contest:
    """Return the newest ladder or season of a game that is not closed. Raises Refusal if there is none."""
    newest = tx.of(Contests).newest(kind, word)
    if not newest or newest[0].state == CLOSED:
        there = sorted({each.game for each in tx.of(Contests).all(alive=True) if each.kind == kind})
        known = f"There is one of {', '.join(there)}." if there else "No other game has one either."
        game = games.find(word)
        title = f" of {game.title}" if game else ""
        raise Refusal(f"There is no {kind}{title} on this server. {known}", "no-contest")
    return newest[0]


def count_change(work: Work, user: User) -> None:
    """Count a change that a player asks for. Raises Refusal if it is one too many for a day."""
    if work.exceeds(CHANGES_A_DAY, f"contests {user.userid}"):
        raise Refusal(
            f"You may join, leave and challenge {CHANGES_A_DAY} times a day in all.",
            "too-many-contests",
        )
