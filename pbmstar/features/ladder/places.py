"""The places on a ladder: the fold over its steps, and what follows from the end of a game there."""

from __future__ import annotations

from ...errors import say
from ...machine.times import Epoch
from ...match import Happening, Match
from ...store import Tx
from ..contests.enrolment import ContestKind
from ..contests.rows import Contests
from .happenings import Placed
from .rows import Steps
from .rules import LEAVE, LEAVING, WIN, Ladder, LadderStep, fold

LADDER = "ladder"  # the kind of its contests, and of the games of these
KIND = ContestKind(LADDER, say("There is no ladder of {game} on this server."))


def follow(tx: Tx, match: Match, now: Epoch) -> tuple[Happening, ...]:
    """Keep the step of a game that has just ended on its ladder, and return the places of its players.

    If the end of the game was taken back and it goes on, its step is deleted.
    """
    if match.terms.contest != LADDER or (pairing := tx.of(Contests).of_board(match.number)) is None:
        return ()
    tx.of(Contests).get(pairing.contest)  # one at a time: the steps have numbers
    if not match.position.over:
        tx.of(Steps).drop(pairing.contest, match.number)
    elif winner := match.winner:
        step = LadderStep(now, WIN, winner, match.opponent(winner))
        tx.of(Steps).add(pairing.contest, step, match.number)
    order = settle(tx, pairing.contest, now)
    if not match.position.over:
        return ()
    return (Placed(tuple((userid, order.place(userid)) for userid in match.seats)),)


def settle(tx: Tx, contest: int, now: Epoch) -> Ladder:
    """Take players who wish to leave and have no running game off a ladder; store all places.

    Return the ladder.
    """
    tx.of(Contests).get(contest)  # one at a time: nobody else changes the places meanwhile
    playing = {userid for each in tx.of(Contests).running(contest) for userid in each.seats}
    for entry in tx.of(Contests).entries(contest):
        if entry.state == LEAVING and entry.userid not in playing:
            leave(tx, contest, entry.userid, LEAVE, now)
    order = fold(tx.of(Steps).all(contest))
    for entry in tx.of(Contests).entries(contest):
        if entry.place != order.place(entry.userid):
            tx.of(Contests).set_entry(entry._replace(place=order.place(entry.userid)))
    return order


def leave(tx: Tx, contest: int, userid: str, kind: str, now: Epoch) -> None:
    """Take a player who leaves, or who has rested for long, off a ladder; ``kind``: that of the step."""
    tx.of(Steps).add(contest, LadderStep(now, kind, userid))
    tx.of(Contests).drop_entry(contest, userid)


def rest(tx: Tx, match: Match, late: str, now: Epoch) -> None:
    """Note that a player has not begun a game of a ladder in time, and rests.

    No place changes, and nobody may challenge that player until a message comes from the player.
    """
    pairing = tx.of(Contests).of_board(match.number) if match.terms.contest == LADDER else None
    entry = tx.of(Contests).entry(pairing.contest, late) if pairing else None
    if entry is not None:
        tx.of(Contests).set_entry(entry._replace(rests=now))


def is_resting(tx: Tx, userid: str, rests: Epoch | None) -> bool:
    """Return True if no proved mail has come from a player since the time ``rests``; False for None."""
    return rests is not None and (tx.mails.last_seen(userid) or 0.0) < rests
