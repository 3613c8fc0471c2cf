"""Ratings computed anew by the operator, and accounts that may be of one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ... import games
from ...machine.log import Show, unseen
from ...machine.times import Epoch
from ...ratings import rated_games
from ...ratings.rows import Ratings
from ...store import Tx, User
from ..proof.strangers import mailboxes
from ..work.work import Work
from .lookup import all_boards

_TOLD = 5  # a player is told about a correction of so many points
_ALWAYS = 4  # a pair is shown if one of the two has lost all of so many games


class Correction(NamedTuple):
    """A rating that has changed: its points before and after."""

    game: str
    userid: str
    before: int
    after: int


def rebuild(work: Work, since: Epoch, show: Show = unseen) -> list[Correction]:
    """Rate the games that ended since then anew from their boards; return the ratings that have changed.

    ``show`` is told the boards that are done. The reason why a game was not rated is kept if only the moment
    of its end could tell it.
    """
    before, due = _points(work.tx), sum(work.tx.boards.states().values())
    for done, row in enumerate(all_boards(work.tx), 1):
        show(done, due)
        if len(row.seats) != 2 or row.to_move or row.since < since:
            continue
        folded = work.tx.of(Ratings).game(row.board)
        match = row.match(work.tx.boards.record(row.board))
        known = (folded.ended.barred, folded.ended.at) if folded else ("", 0.0)
        right = rated_games.ended(work.tx, match, *known)
        if folded is None or folded.ended != right._replace(measure=folded.ended.measure):
            work.tx.of(Ratings).keep(right)
    work.tx.of(Ratings).rebuild(since)
    after = _points(work.tx)
    work.note("ratings rebuild")
    keys = sorted(before.keys() | after.keys())
    corrections = [
        Correction(game, userid, before.get((game, userid), 0), after.get((game, userid), 0))
        for game, userid in keys
        if before.get((game, userid)) != after.get((game, userid))
    ]
    for each in corrections:
        if abs(each.after - each.before) >= _TOLD and (each.game, each.userid) in before:
            _keep_untold(work, each)
    return corrections


def _keep_untold(work: Work, correction: Correction) -> None:
    """Keep a correction, to be told in the player's next letter."""
    game, userid, before, after = correction
    user = work.tx.accounts.user(userid)
    if user is not None and user.state != "closed":
        word, _, practice = game.partition(" ")
        name = " ".join(filter(None, (games.title_of(word), practice)))
        told = [*filter(None, (user.correction,)), f"{name} {before} -> {after}"]
        work.tx.accounts.set_correction(userid, ", ".join(told))


def _points(tx: Tx) -> dict[tuple[str, str], int]:
    """Return all ratings, rounded as they are shown, by game and userid."""
    return {
        (game + " in practice" * practice, userid): round(tally.rating)
        for game, practice in tx.of(Ratings).kinds()
        for userid, tally in tx.of(Ratings).listed(game, practice)
    }


def twins(tx: Tx) -> list[dict[str, str]]:
    """Return pairs of accounts that may belong to one person, each with the reason."""
    users = [user for user in tx.accounts.users() if user.address]
    pairs: list[dict[str, str]] = []
    first: dict[str, str] = {}
    for user in users:
        boxes = mailboxes(tx, user)
        known = sorted({first[box] for box in boxes if box in first})
        pairs += [{"one": one, "other": user.userid, "why": "same mailbox"} for one in known]
        first |= {box: first.get(box, user.userid) for box in boxes}
    domains = {user.userid: user.address.rpartition("@")[2] for user in users}
    for one, other, count, won in tx.of(Ratings).pairs():
        is_near = domains.get(one) is not None and domains.get(one) == domains.get(other)
        if is_near and count >= _ALWAYS and won in (0, count):
            loser = other if won else one
            why = f"same domain, and {loser} has lost all {count} games"
            pairs.append({"one": one, "other": other, "why": why})
    return pairs


def best(work: Work, count: int) -> list[dict[str, Any]]:
    """Return the highest ratings among people, the first one first, each with where its wins come from.

    Of the accounts that a player has beaten in rated games, ``domain`` is the mail domain that most of
    them share, and ``of_domain`` are the wins over those; ``of_origin`` are the wins over the largest group
    whose messages come from one place. Accounts that share nothing are counted nowhere.
    """
    users = {user.userid: user for user in work.tx.accounts.users()}
    origins = work.tx.accounts.origins()
    rows_of, rows = work.tx.of(Ratings), list[dict[str, Any]]()
    for (game, userid), beaten in rows_of.wins().items():
        tally, own = rows_of.of(userid, game), users.get(userid)
        if tally is None or own is None:
            continue
        of_domain = _shared({loser: [_domain(users.get(loser))] for loser in beaten}, beaten)
        of_origin = _shared({loser: origins.get(loser, ()) for loser in beaten}, beaten)
        rows.append(
            {
                "userid": userid,
                "game": game,
                "rating": round(tally.rating),
                "wins": sum(beaten.values()),
                "over": len(beaten),
                "domain": of_domain[1],
                "of_domain": of_domain[0],
                "of_origin": of_origin[0],
            }
        )
    return sorted(rows, key=lambda row: (-row["rating"], row["userid"]))[:count]


def _shared(marks: Mapping[str, Iterable[str]], wins: Mapping[str, int]) -> tuple[int, str]:
    """Return the most wins over accounts that share a mark, and that mark; 0 and empty if none is shared."""
    shared: dict[str, list[int]] = defaultdict(list)
    for userid, own in marks.items():
        for mark in filter(None, own):
            shared[mark].append(wins[userid])
    return max(
        ((sum(each), mark) for mark, each in shared.items() if len(each) > 1), default=(0, "")
    )


def _domain(user: User | None) -> str:
    return user.address.rpartition("@")[2] if user else ""
