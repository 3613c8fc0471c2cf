"""Digests: what a player is told by one letter a day instead of by many, and when that letter goes.

A board that waits is not noted for a digest: which do is asked when it is made. Noted is what it
would not show: what an opponent wrote, and what happened to boards on which others are to move.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .. import games, identity
from ..games.base import Game
from ..match import PRIVATE, zones
from ..render import digests as rendering
from ..render.clocks import length
from ..render.recipe import packed_board
from ..store import Board, Tx, User
from .apply import Change
from .context import Context
from .post import comment, detailed, post
from .waiting import left_on, urgency
from .work import Work

# What the board shows by itself, and what has become of the reader's plan.
_PLAYED = frozenset(
    ("moved", "passed", "swapped", "answered", "unanswered", "unplayable", "lapsed")
)
_ENDED = frozenset(("resigned", "left", "forfeited", "agreed", "cancelled", "abandoned", "claimed"))
_NAMED = 200  # boards of a digest at most
_PLAYERS = 10  # whose digests are made in one transaction


class Turn(NamedTuple):
    """A board as a digest showed it."""

    board: int
    resets: int
    length: int

    def __str__(self) -> str:
        return f"{self.board}.{self.resets}.{self.length}"


# -- what goes into a letter at once, and what into the next digest


def readers(work: Work, change: Change, author: str, to: Sequence[str]) -> list[str]:
    """Those of the players ``to`` who get a letter of a change now. What the others are to hear of it
    is kept for their digests."""
    return [each for each in to if _is_told_now(work, change, each, author)]


def _is_told_now(work: Work, change: Change, userid: str, author: str) -> bool:
    user, after = work.tx.user(userid), change.after
    if user is None or user.letters == "each" or len(after.seats) == 1:
        return True
    seen = [each for each in change.happenings if each.userid == userid or each.kind not in PRIVATE]
    kinds = {happening.kind for happening in seen}
    own = userid == author
    if not kinds <= _PLAYED | _ENDED or (own and work.author.withheld):
        return True
    receipt = own and not after.position.over and after.to_move != userid
    if user.letters == "mine":
        return not receipt
    if not receipt and user.state != "closed":
        told = {"happenings": seen, "comment": None if own else comment(work, author)}
        work.tx.leave_untold(userid, after.number, work.now, json.dumps(told))
    return False


# -- when the next one goes


def with_due(work: Work, user: User) -> User:
    """The account with the time of its next digest: none if it gets each letter and none waits."""
    if user.letters == "daily":
        last = work.tx.last_digest(user.userid)
        return user._replace(digest_due=zones.next_day(user.digest_at, user.zone, work.now, last))
    return user if work.tx.untold(user.userid) else user._replace(digest_due=None)


def send_due(context: Context, tx: Tx) -> bool:
    """Write the digests that are due, of some players; True if there may be more, for another
    transaction. While the server is paused none is written."""
    if tx.paused() is not None:
        return False
    now = context.clock()
    due = tx.digests_due(now, _PLAYERS)
    for userid, was in due:
        user = tx.user(userid)
        if user is not None:
            _send(Work(context, tx, now), user, was)
    return len(due) == _PLAYERS


def _send(work: Work, user: User, was: float) -> None:
    """Write a player's digest if there is anything to tell, and set the time of the next one."""
    is_daily = user.letters == "daily"
    due = zones.next_day(user.digest_at, user.zone, work.now, work.now) if is_daily else None
    if not work.tx.move_digest_on(user.userid, was, due) or user.state != "active":
        return
    told: dict[int, list[dict[str, Any]]] = {}
    for board, data in work.tx.untold(user.userid):
        told.setdefault(board, []).append(json.loads(data))
    work.tx.drop_untold(user.userid)
    rows = work.tx.boards_of(user.userid, "next") if is_daily else []
    left = {row.board: left_on(work, row) for row in rows if len(row.seats) > 1}
    waiting = [row for row in rows if row.board in left]
    waiting.sort(key=lambda row: urgency(row, left[row.board]))
    numbers = {row.board for row in waiting}
    others = [row for number in told if number not in numbers and (row := work.tx.board(number))]
    if not waiting and not others:
        return
    whole, short = waiting[: rendering.MOST], waiting[rendering.MOST : _NAMED]
    turns = [Turn(row.board, row.resets, row.length) for row in (*whole, *short)]
    number = work.tx.add_digest(user.userid, work.now, f" {' '.join(map(str, turns))} ")
    reply_to = detailed(work, identity.sign_digest(work.keys, user.userid, number))
    facts = {
        "reader": user.userid,
        "boards": [
            _part(work, row, _name(user, row, left.get(row.board)), told, row.board in numbers)
            for row in (*whole, *others)
        ],
        "short": [
            {"name": _name(user, row, left[row.board]), "word": row.game, "number": row.board}
            for row in short
        ],
        "talk": any(each["comment"] for said in told.values() for each in said),
        "drawing": user.drawing,
        "reply_to": reply_to,
        "at": at(user),
        "zone": user.zone,
    }
    post(work, "digest", user.userid, user.address, facts, {"Reply-To": reply_to} if turns else {})


def _part(
    work: Work, row: Board, name: str, told: dict[int, list[dict[str, Any]]], waits: bool
) -> dict[str, Any]:
    """A board of a digest: what happened last, and all that was written to the player since."""
    said = told.get(row.board, [])
    return {
        "match": packed_board(row, work.tx.record(row.board)),
        "name": name,
        "waits": waits,
        "happenings": said[-1]["happenings"] if said else (),
        "comments": [each["comment"] for each in said if each["comment"]],
    }


def at(user: User) -> str:
    """The time of the day at which a player's digest comes."""
    return f"{user.digest_at // 60:02}:{user.digest_at % 60:02}"


def _name(user: User, row: Board, left: int | None) -> str:
    """What a board's part begins with; ``left``: how long the player still has."""
    others = [each for each in row.seats if each != user.userid]
    time = [] if left is None else [f"{length(left)} left"]
    return ", ".join([f"Board {row.board}", *others, *time])


# -- what answers it


def listed(work: Work, boards: str) -> dict[int, Turn]:
    """The turns of a digest, by their boards, as far as these are still there."""
    turns = [Turn(*map(int, word.split("."))) for word in boards.split()]
    return {turn.board: turn for turn in turns if work.tx.board(turn.board)}


def kinds(work: Work, boards: Iterable[int]) -> dict[int, type[Game]]:
    """The game of each board."""
    rows = [row for board in boards if (row := work.tx.board(board))]
    return {row.board: type(games.load(row.game, row.options)) for row in rows}
