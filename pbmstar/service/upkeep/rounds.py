"""The rounds of the server: reminders and forfeits, each once, and forgetting what has served its time."""

from __future__ import annotations

from ...config import Config
from ...errors import Refusal
from ...match.terms import DAY, HOUR
from ...store import Store, Tx
from ..contests import ladders, seasons
from ..letters import alerts
from ..meeting import matching
from ..reminders import deadlines, heartbeat
from ..work.apply import load
from ..work.context import Context
from ..work.schedule import ASK, FORFEIT, NAG
from ..work.timekeeping import WARNING
from ..work.work import Work
from . import weekly

# Boards that share a transaction at most, and the seconds after which it takes no other one: mails wait
# for it no longer than for a group of theirs.
BATCH, MOMENT = 50, 0.015
_PRUNED = "pruned"  # the fact of the last time that all was forgotten
BEAT = HOUR  # seconds between two looks of the daemon at what may be forgotten
_FAR = 200 * DAY  # nothing is due so late: a clock was wrong


def remind(context: Context, store: Store) -> dict[str, int]:
    """Send what is due on all boards; return how many of each kind.

    Boards share transactions, and each is carried out whole or not at all. A board whose record is
    corrupt keeps no other from its reminders: ``admin check`` names it. While nobody can reach the
    server, or it is paused, no board is looked at.
    """
    config = context.config
    done = dict.fromkeys((NAG, WARNING, FORFEIT, ASK, deadlines.HELD), 0)
    now = context.clock()
    with store.transaction() as tx:
        more = is_up = not heartbeat.is_outage(tx, now)
    _notice_new_rules(store, f"{config.nag_days} {config.start_days}")
    while more:
        with store.transaction() as tx:
            more = _some(context, tx, now, done)
    if is_up:
        seasons.carry_on(context, store)
        weekly.carry_on(context, store)
    with store.transaction() as tx:
        ladders.tidy(Work(context, tx, now))
    more = True
    while more:
        with store.transaction() as tx:
            more = matching.tidy(Work(context, tx, now))
    more = True
    while more:
        with store.transaction() as tx:
            more = prune(tx, config, now)
    with store.transaction() as tx:
        alerts.note_remind(tx, now)
    return done


def _notice_new_rules(store: Store, rules: str) -> None:
    """Look at every board again if the operator has changed the days since the last run.

    That they are known is noted last: if this is killed midway, the next run begins it again.
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


def _some(context: Context, tx: Tx, now: float, done: dict[str, int]) -> bool:
    """Do what is due on some boards, and count it in ``done``; True if there may be more."""
    begun = context.clock()
    numbers = tx.boards.due(now, now + _FAR, BATCH)
    for number in numbers:
        if kind := _remind(Work(context, tx, now), number):
            done[kind] += 1
        if context.clock() - begun > MOMENT:
            return True
    return len(numbers) == BATCH


def _remind(work: Work, number: int) -> str:
    """Do what is due on one board, and set when it is due again; return the kind of what was done."""
    row = work.tx.boards.get(number)
    if row is None or row.due is None or work.now < row.due <= work.now + _FAR:
        return ""
    late = work.tx.accounts.user(row.to_move)
    if late is not None and late.state == "bot":  # it has no clock
        work.tx.boards.set_due(number, None)
        return ""
    try:
        with work.tx.savepoint():
            return deadlines.carry_out(work, load(work, number))
    except Refusal:  # the record is corrupt
        work.tx.boards.set_due(number, work.now + DAY)
        return ""


def prune(tx: Tx, config: Config, now: float) -> bool:
    """Forget what has served its time; True if there may be more, for another transaction."""
    more = tx.prune(now, texts=config.keep_texts * DAY, rows=config.keep_rows * DAY)
    if not more:
        tx.ledger.set_fact(_PRUNED, str(now))
    return more


def is_prune_due(tx: Tx, now: float) -> bool:
    """Tell if the last time is a day ago, or in a future of a clock that was wrong."""
    return abs(now - heartbeat.fact_time(tx, _PRUNED)) >= DAY
