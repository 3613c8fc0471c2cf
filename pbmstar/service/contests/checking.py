"""The faults that ``admin check`` finds in ladders and leagues: stored values that differ from the games."""

from __future__ import annotations

from collections.abc import Iterator

from ...contest.ladder import fold
from ...store import Contest, Tx
from ...store.contests import LADDER, OVER
from . import leagues
from .seasons import places_of


def differences(tx: Tx) -> Iterator[str]:
    """Fold all ladders again, count the tables of the seasons that are over, and yield each difference."""
    for contest in tx.contests.all():
        if contest.kind == LADDER:
            for problem in _of_ladder(tx, contest):
                yield f"ladder of {contest.game}: {problem}"
        else:
            for problem in _of_season(tx, contest):
                yield f"{leagues.name_of(contest)}: {problem}"


def _of_season(tx: Tx, contest: Contest) -> Iterator[str]:
    """Compare the places and winners of a season, and the pairs with the boards that they name."""
    for pairing in tx.contests.pairings(contest.id):
        row = (
            tx.boards.get(pairing.board) if pairing.board and pairing.to_move is not None else None
        )
        if row is not None and row.seats != (pairing.first, pairing.second):
            yield f"board {row.board} is not of {pairing.first} and {pairing.second}"
    if contest.state != OVER:
        return
    found = leagues.tables(tx, contest)
    places = places_of(found)
    for entry in tx.contests.entries(contest.id):
        if entry.place != places.get(entry.userid, 0):
            told = places.get(entry.userid, 0)
            yield f"{entry.userid} is at place {entry.place}, the games say {told}"
    first = {
        (each.number, each.lines[0].userid) for each in found if each.lines and each.lines[0].played
    }
    titles = {(title.division, title.userid) for title in tx.contests.titles(contest.id)}
    for number, userid in sorted(titles ^ first):
        has = "is" if (number, userid) in titles else "is not"
        yield f"{userid} {has} kept as the winner of division {number}, the games say otherwise"


def _of_ladder(tx: Tx, contest: Contest) -> Iterator[str]:
    order = fold(tx.contests.steps(contest.id))
    entries = {entry.userid: entry.place for entry in tx.contests.entries(contest.id)}
    for userid in sorted({*entries, *order.order}):
        if entries.get(userid, 0) != order.place(userid):
            yield f"{userid} is at place {entries.get(userid, 0)}, the games say {order.place(userid)}"
    won = {board: winner for board, winner, _ in tx.contests.won(contest.id)}
    for pairing in tx.contests.pairings(contest.id):
        if pairing.to_move is None:
            continue  # the board is gone; a place that it gave stays
        players = (pairing.first, pairing.second)
        winner = pairing.result if pairing.result in players and not pairing.runs else None
        if won.get(pairing.board or 0) != winner:
            yield f"board {pairing.board} was won by {winner or 'nobody'}, the ladder says otherwise"
