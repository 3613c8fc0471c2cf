"""The place of a game in a ladder or league: the consequences of its end there.

The order of a ladder is the fold over its steps; that of a season is counted at each request.
"""

from __future__ import annotations

from ...contest import ladder
from ...contest.ladder import LEAVE, LEAVING, WIN, Ladder, LadderStep
from ...contest.league import Pair
from ...errors import Refusal
from ...match import RESULTS, Happening, Match
from ...match.happenings import Placed
from ...store import Pairing, Tx
from ...store.contest.contests import LADDER, LEAGUE


def follow(tx: Tx, match: Match, now: float) -> tuple[Happening, ...]:
    """Keep the step of a game that has just ended on its ladder, and return the places of its players.

    If the end of the game was taken back and it goes on, its step is deleted.
    """
    if match.terms.contest != LADDER or (pairing := tx.contests.of_board(match.number)) is None:
        return ()
    tx.contests.get(pairing.contest)  # one at a time: the steps have numbers
    if not match.position.over:
        tx.contests.drop_step(pairing.contest, match.number)
    elif winner := match.winner:
        step = LadderStep(now, WIN, winner, match.opponent(winner))
        tx.contests.add_step(pairing.contest, step, match.number)
    order = settle(tx, pairing.contest, now)
    if not match.position.over:
        return ()
    return (Placed(tuple((userid, order.place(userid)) for userid in match.seats)),)


def settle(tx: Tx, contest: int, now: float) -> Ladder:
    """Take players who wish to leave and have no running game off a ladder; store all places.

    Return the ladder.
    """
    tx.contests.get(contest)  # one at a time: nobody else changes the places meanwhile
    playing = {userid for each in tx.contests.running(contest) for userid in seats(each)}
    for entry in tx.contests.entries(contest):
        if entry.state == LEAVING and entry.userid not in playing:
            leave(tx, contest, entry.userid, LEAVE, now)
    order = ladder.fold(tx.contests.steps(contest))
    for entry in tx.contests.entries(contest):
        if entry.place != order.place(entry.userid):
            tx.contests.set_entry(entry._replace(place=order.place(entry.userid)))
    return order


def leave(tx: Tx, contest: int, userid: str, kind: str, now: float) -> None:
    """Take a player who leaves, or who has rested for long, off a ladder; ``kind``: that of the step."""
    tx.contests.add_step(contest, LadderStep(now, kind, userid))
    tx.contests.drop_entry(contest, userid)


def rest(tx: Tx, match: Match, late: str, now: float) -> None:
    """Note that a player has not begun a game of a ladder in time, and rests.

    No place changes, and nobody may challenge that player until a mail comes from the player.
    """
    pairing = tx.contests.of_board(match.number) if match.terms.contest == LADDER else None
    entry = tx.contests.entry(pairing.contest, late) if pairing else None
    if entry is not None:
        tx.contests.set_entry(entry._replace(rests=now))


def is_resting(tx: Tx, userid: str, rests: float | None) -> bool:
    """Return True if no proved mail has come from a player since the time ``rests``; False for None."""
    return rests is not None and (tx.mails.last_seen(userid) or 0.0) < rests


def seats(pairing: Pairing) -> tuple[str, str]:
    """Return the players of a game, the one who moves first before the other."""
    return pairing.first, pairing.second


def pair_of(tx: Tx, pairing: Pairing) -> Pair:
    """Return a game of a season in the form that its table counts."""
    winner = None
    if pairing.to_move == "":
        winner = pairing.result or ""
        if winner in RESULTS and winner in seats(pairing):  # the userid of an old account
            row = tx.boards.get(pairing.board or 0)
            winner = (tx.boards.winner(row) if row else "") or winner
        if winner not in seats(pairing):
            winner = "" if winner == "tie" else None
    gone = frozenset(getattr(pairing, place) for place in pairing.gone.split())
    return Pair(pairing.first, pairing.second, winner, pairing.late, gone)


def require_alone(match: Match, what: str) -> None:
    """Raise Refusal if a game belongs to a season; ``what``: the act that is not possible there."""
    if match.terms.contest == LEAGUE:
        raise Refusal(
            f"A game of a league cannot be {what}. You can resign it, agree on a draw, or leave the "
            f"whole season: league withdraw {match.game.word}",
            "league-game",
        )
