"""The daily letter: the boards that wait for a player, and the other news."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...errors import DAMAGE, Said, say, together
from ...machine.times import Epoch
from ...match import zones
from ...match.stored import pack
from ...render.board.clock_face import length
from ...render.facts import DigestBoard, DigestFacts, FurtherBoard, PlayerComment
from ...render.recipe import packed, take_happenings
from ...render.roundup import WHOLE
from ...store import Board, Tx, User
from ..letters import alerts
from ..letters.digests import ShownBoard, at, is_daily
from ..letters.headers import account_reply_to, asked_mark, signed
from ..letters.post import PlainLetter, send
from ..work.apply import load
from ..work.context import Context
from ..work.timekeeping import left_on, urgency
from ..work.work import Work

_NAMED = 200  # the most waiting boards in a digest
_PLAYERS = 10  # the most players whose digests are made in one transaction


def send_due(context: Context, tx: Tx) -> bool:
    """Write the digests that are due for some players; none while the server is paused.

    Return True if there may be more, for another transaction.
    """
    if tx.clocks.paused() is not None:
        return False
    now = context.clock()
    due = tx.digests.due(now, _PLAYERS)
    for userid, was in due:
        user = tx.accounts.user(userid)
        if user is not None:
            _send_one(Work(context, tx, now), user, was)
    return len(due) == _PLAYERS


def _send_one(work: Work, user: User, was: Epoch) -> None:
    """Write a player's digest; if what is stored for it is damaged, tell the operator, and try tomorrow."""
    try:
        with work.tx.savepoint():
            _send(work, user, was)
    except DAMAGE as error:
        again = zones.next_day(user.digest_at, user.zone, work.now, work.now)
        work.tx.digests.move_on(user.userid, was, again if is_daily(user) else None)
        alerts.damaged(work.tx, work.context.config, work.now, "a daily letter", error)


@contextmanager
def _leaving_out(work: Work, board: int) -> Iterator[None]:
    """End the block if the board is damaged, and tell the operator: the letter goes without it."""
    try:
        yield
    except DAMAGE as error:
        alerts.damaged(work.tx, work.context.config, work.now, f"board {board}", error)


def _send(work: Work, user: User, was: Epoch) -> None:
    """Write a player's digest if there is anything to tell, and set the time of the next one."""
    again = zones.next_day(user.digest_at, user.zone, work.now, work.now)
    due = again if is_daily(user) else None
    if not work.tx.digests.move_on(user.userid, was, due) or user.state != "active":
        return
    untold: dict[int, list[dict[str, Any]]] = {}
    for board, data in work.tx.digests.untold(user.userid):
        untold.setdefault(board, []).append(json.loads(data))
    work.tx.digests.drop_untold(user.userid)
    rows, left = _waiting(work, user, untold), dict[int, int | None]()
    for row in rows:
        with _leaving_out(work, row.board):
            left[row.board] = left_on(work, row)
    known = [row for row in rows if row.board in left]
    waiting = sorted(known, key=lambda row: urgency(row, left[row.board]))
    numbers = {row.board for row in rows}
    others = _shown(work, [number for number in untold if number not in numbers])
    last = work.tx.digests.last(user.userid) or 0.0
    added = [feature.daily(work, user, last) for feature in work.context.features]
    if not (waiting or others or any(is_news for _, is_news in added)):
        return
    whole = _shown(work, [row.board for row in waiting[:WHOLE]])
    short = waiting[WHOLE:_NAMED]
    turns = [
        *(_turn(row, asked_mark(work, load(work, row.board), user.userid)) for row in whole),
        *map(_turn, short),
    ]
    number = work.tx.digests.add(user.userid, work.now, f" {' '.join(map(str, turns))} ")
    reply_to = signed(work, "digest", user.userid, number)
    facts = DigestFacts(
        reader=user.userid,
        boards=[
            _part(work, user, row, untold, left.get(row.board), row.board in numbers)
            for row in (*whole, *others)
        ],
        short=[
            FurtherBoard(_name(user, row, left[row.board]), row.game, row.board) for row in short
        ],
        talk=any(each["comment"] for said in untold.values() for each in said),
        drawing=user.drawing,
        at=at(user),
        zone=user.zone,
        stop=_stop(work, user),
        correction=user.correction,
        more=[more for more, _ in added if more],
    )
    heads = {"Reply-To": reply_to if turns else account_reply_to(work, user)}
    send(work, PlainLetter.to(user, facts, heads))


def _shown(work: Work, numbers: Iterable[int]) -> list[Board]:
    """Return the boards of these numbers that are there and can be shown whole."""
    boards = []
    for number in numbers:
        with _leaving_out(work, number):
            if row := work.tx.boards.get(number):
                load(work, number)
                boards.append(row)
    return boards


def _waiting(work: Work, user: User, untold: Container[int]) -> list[Board]:
    """Return the boards that wait for a player and of which no other letter tells.

    A player who has gone back to each letter has had none about what is untold.
    """
    rows = [row for row in work.tx.boards.of(user.userid, "next") if len(row.seats) > 1]
    return rows if user.letters == "daily" else [row for row in rows if row.board in untold]


def _stop(work: Work, user: User) -> str:
    """Return the command that stops such letters; empty if this is the last one anyway."""
    if user.letters == "daily":
        return f"letters {user.userid} password each"
    stops = (feature.stop(work, user) for feature in work.context.features)
    return next(filter(None, stops), "")


def _turn(row: Board, mark: str = "") -> ShownBoard:
    return ShownBoard(row.board, row.resets, row.length, mark)


def _part(
    work: Work,
    user: User,
    row: Board,
    untold: Mapping[int, Sequence[Mapping[str, Any]]],
    left: int | None,
    waits: bool,
) -> DigestBoard:
    """Return a board of a digest: its last happenings, and all words to the player since the last one.

    ``left``: the seconds that the player still has, None for no limit.
    """
    notes = untold.get(row.board, ())
    return DigestBoard(
        name=_name(user, row, left),
        time="" if left is None else length(left),
        waits=waits,
        match=packed(row.match(()), work.tx.boards.record(row.board)),
        # Version 0.2.0 stored happenings under another name.
        happened=pack(take_happenings(dict(notes[-1]))) if notes else (),
        comments=[PlayerComment(**each["comment"]) for each in notes if each["comment"]],
    )


def _name(user: User, row: Board, left: int | None) -> Said:
    """Return the heading of a board; ``left``: the seconds that the player still has, None for no limit."""
    others = [each for each in row.seats if each != user.userid]
    time = "" if left is None else say("{time} left", time=length(left))
    return together(say("Board {number}", number=row.board), *others, time, by=", ")
