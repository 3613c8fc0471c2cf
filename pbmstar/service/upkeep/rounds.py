"""The rounds of the server: reminders and forfeits, each once, and the deletion of old rows.

The daily letter is one of them: the boards that wait for a player, and the other news.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container
from functools import partial
from typing import Any

from ...config import Config
from ...errors import MISREAD
from ...machine.times import DAY, HOUR, Epoch
from ...match import dates, program_among
from ...store import Board, Store, Tx, User
from ..letters import alerts, digests
from ..letters.digests import is_daily
from ..letters.post import send
from ..reminders import deadlines, heartbeat
from ..verbs import offers, pairs
from ..work.apply import load
from ..work.context import Context, in_steps
from ..work.feature import Feature, features
from ..work.schedule import ASK, FORFEIT, NAG
from ..work.timekeeping import WARNING
from ..work.work import Work

# The most boards that share a transaction, and the seconds after which it takes no further board: messages
# wait for it no longer than for a group of messages.
BATCH, MOMENT = 50, 0.015
_PRUNED = "pruned"  # the fact: the time when all old rows were last deleted
BEAT = HOUR  # seconds between two looks of the daemon for old rows
_FAR = 200 * DAY  # a board that is due later than this was dated by a wrong clock
_NOTHING = ("", 0)  # was due on a board
_PLAYERS = 10  # the most players whose digests are made in one transaction


def remind(context: Context, store: Store) -> dict[str, int]:
    """Do what is due on all boards; return the number of acts of each kind.

    Boards share transactions; each board is carried out whole or not at all. A damaged board keeps no
    other board from its reminders: the operator is told, and ``admin check`` names it. While nobody can
    reach the server, or it is paused, no board is looked at.
    """
    config = context.config
    done = dict.fromkeys((NAG, WARNING, FORFEIT, ASK, deadlines.HELD), 0)
    now = context.clock()
    with store.transaction() as tx:
        is_up = not heartbeat.is_outage(tx, now)
    _notice_new_rules(store, f"{config.nag_days} {config.start_days}")
    if is_up:
        in_steps(store, lambda tx: _some(context, tx, now, done))
    for feature in features(Feature.due, context.config.without):
        _guarded(context, store, feature.title, partial(feature.due, context, store, is_up))
    _guarded(context, store, "offers of games", partial(pairs.due, context, store))
    in_steps(store, lambda tx: prune(tx, config, now))
    with store.transaction() as tx:
        alerts.note_remind(tx, now)
    return done


def _guarded(context: Context, store: Store, what: str, part: Callable[[], None]) -> None:
    """Do a part of a run. If a damaged board ends it, the operator is told, and the other parts go on."""
    try:
        part()
    except MISREAD as error:
        with store.transaction() as tx:
            alerts.damaged(tx, context.config, context.clock(), what, error)


def _notice_new_rules(store: Store, rules: str) -> None:
    """Make every board due for another look if the operator has changed the days since the last run.

    The new days are noted last: if this process is killed midway, the next run begins again.
    """
    with store.transaction() as tx:
        known = tx.ledger.fact("reminders") == rules
    after = 0
    while not known:
        with store.transaction() as tx:
            after = tx.boards.look_again(after)
            if not after:
                tx.ledger.set_fact("reminders", rules)
                known = True


def _some(context: Context, tx: Tx, now: Epoch, done: dict[str, int]) -> bool:
    """Do what is due on some boards, and count it in ``done``; return True if there may be more."""
    begun = context.clock()
    numbers = tx.boards.due(now, now + _FAR, BATCH)
    for number in numbers:
        kind, count = _remind(Work(context, tx, now), number)
        if kind:
            done[kind] += count
        if context.clock() - begun > MOMENT:
            return True
    return len(numbers) == BATCH


def _remind(work: Work, number: int) -> tuple[str, int]:
    """Do what is due on one board, and set the time when it is due again; see ``deadlines.carry_out``."""
    try:
        with work.tx.savepoint():
            return _carry_out(work, number)
    except MISREAD as error:
        work.tx.boards.set_due(number, work.now + DAY)
        alerts.damaged(work.tx, work.context.config, work.now, f"board {number}", error)
        return _NOTHING


def _carry_out(work: Work, number: int) -> tuple[str, int]:
    """Remind the players of a board, as ``_remind`` does. Raises one of MISREAD if the board is damaged."""
    row = work.tx.boards.get(number)
    if row is None or row.due is None or work.now < row.due <= work.now + _FAR:
        return _NOTHING
    if program_among((row.to_move,)):  # a program has no clock
        work.tx.boards.set_due(number, None)
        return _NOTHING
    return deadlines.carry_out(work, load(work, number))


def prune(tx: Tx, config: Config, now: Epoch) -> bool:
    """Delete old rows; return True if there may be more, for another transaction."""
    more = tx.prune(now, texts=config.keep_texts * DAY, rows=config.keep_rows * DAY)
    if not more:
        tx.ledger.set_fact(_PRUNED, str(now))
    return more


def is_prune_due(tx: Tx, now: Epoch) -> bool:
    """Return True if the last time is a day ago, or if a wrong clock has put it in the future."""
    return abs(now - heartbeat.fact_time(tx, _PRUNED)) >= DAY


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
    asked = features(Feature.letter_settings, work.context.config.without)
    stops = (wish.stop for feature in asked for wish in feature.letter_settings(work, user))
    return next(filter(None, stops), "")
