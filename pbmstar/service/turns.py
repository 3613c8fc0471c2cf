"""Turns that take long: reminders and forfeits, each once, whoever asks and however often."""

from __future__ import annotations

from ..errors import Refusal
from ..match.terms import DAY
from ..store import Store, Tx
from . import alerts, due, upkeep
from .apply import load
from .clocks import WARNING
from .context import Context
from .schedule import ASK, FORFEIT, NAG
from .work import Work

# Boards that share a transaction at most, and the seconds after which it takes no other one: mails wait
# for it no longer than for a group of theirs.
BATCH, MOMENT = 50, 0.015
_FAR = 200 * DAY  # nothing is due so late: a clock was wrong


def remind(context: Context, store: Store) -> dict[str, int]:
    """Send what is due on all boards; returns how many of each kind.

    Boards share transactions, and each is carried out whole or not at all. A board whose record is
    corrupt keeps no other from its reminders: ``admin check`` names it. While nobody can reach the
    server, or it is paused, no board is looked at.
    """
    config = context.config
    done = dict.fromkeys((NAG, WARNING, FORFEIT, ASK, due.HELD), 0)
    now = context.clock()
    with store.transaction() as tx:
        more = not upkeep.is_outage(tx, now)
    _notice_new_rules(store, f"{config.nag_days} {config.start_days}")
    while more:
        with store.transaction() as tx:
            more = _some(context, tx, now, done)
    more = True
    while more:
        with store.transaction() as tx:
            more = upkeep.prune(tx, config, now)
    with store.transaction() as tx:
        alerts.note_remind(tx, now)
    return done


def _notice_new_rules(store: Store, rules: str) -> None:
    """Look at every board again if the operator has changed the days since the last run.

    That they are known is noted last: if this is killed midway, the next run begins it anew.
    """
    with store.transaction() as tx:
        known = tx.fact("reminders") == rules
    after = 0
    while not known:
        with store.transaction() as tx:
            after = tx.look_again(after)
            if not after:
                tx.set_fact("reminders", rules)
                known = True


def _some(context: Context, tx: Tx, now: float, done: dict[str, int]) -> bool:
    """Do what is due on some boards, and count it in ``done``; True if there may be more."""
    begun = context.clock()
    numbers = tx.boards_due(now, now + _FAR, BATCH)
    for number in numbers:
        if kind := _remind(Work(context, tx, now), number):
            done[kind] += 1
        if context.clock() - begun > MOMENT:
            return True
    return len(numbers) == BATCH


def _remind(work: Work, number: int) -> str:
    """Do what is due on one board, and set when it is due again; returns the kind of what was done."""
    row = work.tx.board(number)
    if row is None or row.due is None or work.now < row.due <= work.now + _FAR:
        return ""
    late = work.tx.user(row.to_move)
    if late is not None and late.state == "bot":  # it has no clock
        work.tx.set_due(number, None)
        return ""
    try:
        with work.tx.savepoint():
            return due.carry_out(work, load(work, number))
    except Refusal:  # the record is corrupt
        work.tx.set_due(number, work.now + DAY)
        return ""
