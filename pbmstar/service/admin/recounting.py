"""Ratings computed anew from the boards, and accounts that may be of one person."""

from __future__ import annotations

from typing import NamedTuple

from ... import identity
from ...store import Tx
from ..work import rated
from ..work.work import Work
from .operator import all_boards, note

_ALWAYS = 4  # games of a pair, all lost by one of them, that are shown


class Correction(NamedTuple):
    """A rating that is another one now."""

    game: str
    userid: str
    before: int
    after: int


def rebuild(work: Work, since: float) -> list[Correction]:
    """Take the games that ended since then from their boards, and fold them anew; return what has changed.

    Why a game was not rated is kept where only the moment of its end could tell.
    """
    before = _points(work.tx)
    for row in all_boards(work.tx):
        if len(row.seats) != 2 or row.to_move or row.since < since:
            continue
        kept = work.tx.ratings.game(row.board)
        match = row.match(work.tx.boards.record(row.board))
        right = rated.ended(work.tx, match, kept.ended.barred if kept else "")
        if kept is None or kept.ended != right._replace(measure=kept.ended.measure):
            work.tx.ratings.keep(right)
    work.tx.ratings.rebuild(since)
    after = _points(work.tx)
    note(work, "rate --rebuild")
    keys = sorted(before.keys() | after.keys())
    return [
        Correction(game, userid, before.get((game, userid), 0), after.get((game, userid), 0))
        for game, userid in keys
        if before.get((game, userid)) != after.get((game, userid))
    ]


def _points(tx: Tx) -> dict[tuple[str, str], int]:
    """Return all ratings as they are shown, by game and userid."""
    return {
        (game + " in practice" * practice, userid): round(tally.rating)
        for game, practice in tx.ratings.kinds()
        for userid, tally in tx.ratings.listed(game, practice)
    }


def twins(tx: Tx) -> list[dict[str, str]]:
    """Return pairs of accounts that may be of one person, and why."""
    users = [user for user in tx.accounts.users() if user.address]
    found: list[dict[str, str]] = []
    first: dict[str, str] = {}
    for user in users:
        box = identity.mailbox(user.address)
        if other := first.get(box):
            found.append({"one": other, "other": user.userid, "why": "same mailbox"})
        first.setdefault(box, user.userid)
    domains = {user.userid: user.address.rpartition("@")[2] for user in users}
    for one, other, games, won in tx.ratings.pairs():
        is_near = domains.get(one) is not None and domains.get(one) == domains.get(other)
        if is_near and games >= _ALWAYS and won in (0, games):
            loser = other if won else one
            why = f"same domain, and {loser} has lost all {games} games"
            found.append({"one": one, "other": other, "why": why})
    return found
