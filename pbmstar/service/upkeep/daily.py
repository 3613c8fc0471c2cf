"""The daily letter: the boards that wait for a player, and the other news."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from ...errors import MISREAD
from ...machine.times import Epoch
from ...match import dates
from ...store import Board, Tx, User
from ..letters import alerts, digests
from ..letters.digests import is_daily
from ..letters.post import send
from ..verbs import offers
from ..work.context import Context
from ..work.feature import Feature, that_answer
from ..work.work import Work

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
    except MISREAD as error:
        again = dates.next_day(user.digest_at, user.zone, work.now, work.now)
        work.tx.digests.move_on(user.userid, was, again if is_daily(user) else None)
        alerts.damaged(work.tx, work.context.config, work.now, "a daily letter", error)


def _send(work: Work, user: User, was: Epoch) -> None:
    """Write a player's digest if there is anything to tell, and set the time of the next one."""
    again = dates.next_day(user.digest_at, user.zone, work.now, work.now)
    due = again if is_daily(user) else None
    if not work.tx.digests.move_on(user.userid, was, due) or user.state != "active":
        return
    untold: dict[int, list[dict[str, Any]]] = {}
    for board, data in work.tx.digests.untold(user.userid):
        untold.setdefault(board, []).append(json.loads(data))
    work.tx.digests.drop_untold(user.userid)
    rows = _waiting(work, user, untold)
    numbers = {row.board for row in rows}
    last = work.tx.digests.last(user.userid) or 0.0
    more, is_news = offers.daily(work, user, last)
    letter = digests.letter(
        work,
        user,
        rows,
        untold,
        [number for number in untold if number not in numbers],
        is_news,
        stop=_stop(work, user),
        correction=user.correction,
        more=[more] if more else [],
    )
    if letter:
        send(work, letter)


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
    if user.lobby:
        return f"letters lobby {user.userid} password off"
    asked = that_answer(Feature.letter_settings, work.context.config.without)
    stops = (wish.stop for feature in asked for wish in feature.letter_settings(work, user))
    return next(filter(None, stops), "")
