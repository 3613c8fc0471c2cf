"""A game's open contest, who may be in it, and what may not be changed there."""

from __future__ import annotations

from typing import NamedTuple

from ... import games
from ...errors import Refusal, Said, say, together
from ...service.proof.strangers import mailboxes
from ...service.work.work import BoardRefusal, Speaker, Work
from ...store import Tx, User
from .rows import CLOSED, Contest, Contests

# What a player cannot do with a game of a cup or league, by the act; and with any kind of contest.
_CANNOT = {
    "decline": say("You cannot decline a game of a cup or league."),
    "cancel": say("You cannot end a game of a cup or league without result."),
    "extend": say("You cannot give more time in a game of a cup or league."),
}
CHANGES_A_DAY = 10  # by one player, who joins, leaves or challenges in any contest


class ContestKind(NamedTuple):
    """A kind of contest that an operator opens; the sentence says that there is none of ``{game}``."""

    word: str
    none: Said


def the_open(tx: Tx, kind: ContestKind, word: str) -> Contest:
    """Return the newest contest of a game that is not closed. Raises Refusal if there is none."""
    newest = tx.of(Contests).newest(kind.word, word)
    if not newest or newest[0].state == CLOSED:
        alive = tx.of(Contests).all(alive=True)
        there = sorted({each.game for each in alive if each.kind == kind.word})
        known = (
            say("There is one of {words}.", words=", ".join(there))
            if there
            else say("No other game has one either.")
        )
        missing = kind.none.given(game=games.title_of(word))
        raise Refusal(together(missing, known), "no-contest")
    return newest[0]


def count_change(work: Work, user: User) -> None:
    """Count a change that a player asks for. Raises Refusal if it is one too many for a day."""
    if work.exceeds(CHANGES_A_DAY, f"contests {user.userid}"):
        raise Refusal(
            say(
                "You can join, leave and challenge {most} times a day in all.",
                most=CHANGES_A_DAY,
            ),
            "too-many-contests",
        )


def require_alone(work: Work, contest: Contest, user: User, why: Said) -> None:
    """Raise Refusal, which says ``why``, if another account at an address of the player is in a contest."""
    own = mailboxes(work.tx, user)
    for entry in work.tx.of(Contests).entries(contest.id):
        other = work.tx.accounts.user(entry.userid)
        if other is not None and not own.isdisjoint(mailboxes(work.tx, other)):
            raise Refusal(why, "same-mailbox")


def refuse_change(speaker: Speaker, act: str, kind: str, ways_out: Said) -> None:
    """Refuse all that would change the terms of one game of a season; ``ways_out``: what a player may do."""
    if act == "counter":
        raise BoardRefusal(
            say("You cannot change the terms of a game of a cup or league."),
            "contest-game",
            speaker.match,
        )
    raise Refusal(together(_CANNOT[act], ways_out), f"{kind}-game")
