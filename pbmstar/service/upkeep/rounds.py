"""The rounds of the server: reminders and forfeits, each once, and the deletion of old rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...config import Config
from ...errors import MISREAD
from ...machine.times import DAY, HOUR, Epoch
from ...match import program_among
from ...store import Store, Tx
from ..letters import alerts
from ..reminders import deadlines, heartbeat
from ..verbs import pairs
from ..work.apply import load
from ..work.context import Context, in_steps
from ..work.feature import Feature, that_answer
from ..work.schedule import ASK, FORFEIT, NAG
from ..work.timekeeping import WARNING
from ..work.work import Work

# The most boards that share a transaction, and the seconds after which it takes no further board: messages
# wait for it no longer than for a group of messages.
BATCH, MOMENT = 50, 0.015
_PRUNED = "pruned"  # the fact: the time when all old rows were last deleted
BEAT = HOUR  # seconds between two looks of the daemon for old rows
_FAR = 200 * DAY  # a board that is due later than this was dated by a wrong clock


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
    for feature in that_answer(Feature.due, context.config.without):
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
        if kind := _remind(Work(context, tx, now), number):
            done[kind] += 1
        if context.clock() - begun > MOMENT:
            return True
    return len(numbers) == BATCH


def _remind(work: Work, number: int) -> str:
    """Do what is due on one board, and set the time when it is due again; return the kind of act."""
    try:
        with work.tx.savepoint():
            return _carry_out(work, number)
    except MISREAD as error:
        work.tx.boards.set_due(number, work.now + DAY)
        alerts.damaged(work.tx, work.context.config, work.now, f"board {number}", error)
        return ""


def _carry_out(work: Work, number: int) -> str:
    """Remind the players of a board, as ``_remind`` does. Raises one of MISREAD if the board is damaged."""
    row = work.tx.boards.get(number)
    if row is None or row.due is None or work.now < row.due <= work.now + _FAR:
        return ""
    if program_among((row.to_move,)):  # a program has no clock
        work.tx.boards.set_due(number, None)
        return ""
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
