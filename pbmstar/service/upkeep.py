"""What the server does unasked: it says that it is alive, and forgets what has served its time."""

from __future__ import annotations

from math import inf

from ..config import Config
from ..match.terms import DAY, HOUR
from ..store import Tx
from . import alerts, clocks

BEAT = HOUR  # seconds between two looks of the daemon at what may be forgotten
# After so long a silence of the daemon nobody could reach us; and of the reminders, where no daemon
# runs and mails come by a pipe: their runs and the mails are the only signs of life.
GAP, PIPED = 900.0, 2 * DAY
STOPPED, NOT_SENT = "server stopped", "no letter was taken"
_ABANDONED = 30 * DAY  # a daemon that has been gone for so long is not used any more
ALIVE, PRUNED = "alive", "pruned"
HEAD = "head"  # the letter that should go next, and since when it has been that one


def beat(tx: Tx, now: float) -> None:
    """A sign of life of the daemon, once a minute; what it shows that nobody could reach us is noted."""
    _notice(tx, now, _time(tx, ALIVE), GAP)
    _notice_relay(tx, now)
    tx.set_fact(ALIVE, str(now))


def is_outage(tx: Tx, now: float) -> bool:
    """Whether, at a run of the reminders, nobody can reach us or no letter goes out: that is noted.

    If the last run was later than now, by a clock that was wrong, every board is looked at again.
    """
    if alerts.reminded_or_begun(tx) > now + GAP:
        tx.set_fact("reminders", "")
    notice_silence(tx, now)
    _notice_relay(tx, now)
    return any(each.begin <= now <= each.until for each in tx.outages())


def notice_silence(tx: Tx, now: float) -> None:
    """Note that nobody could reach us for a while, if so: before a mail is handled without a daemon."""
    alive = _time(tx, ALIVE)
    if alive and now - alive <= _ABANDONED:
        _notice(tx, now, alive, GAP)
    else:
        last = max(alive, alerts.reminded_or_begun(tx))
        _notice(tx, now, max(last, tx.newest_mail()) if last else 0.0, PIPED)


def _notice(tx: Tx, now: float, last: float, gap: float) -> None:
    """Keep that nobody could reach us since the ``last`` sign of life, if that is longer ago than ``gap``."""
    for each in tx.outages():
        if each.why in (STOPPED, NOT_SENT) and now < each.until < inf:  # by a clock that was wrong
            tx.end_outage(each.id, max(each.begin, now))
    if last and now - last > gap:
        _note(tx, last, now, STOPPED)


def _notice_relay(tx: Tx, now: float) -> None:
    """Keep that no letter was taken for a while, if the first of those that are due still waits.

    One that is refused or put off has been tried: the relay works. So nobody whose own address does
    not work makes the time of all others stand still.
    """
    number, _, at = tx.fact(HEAD).partition(" ")
    letter = tx.letter(int(number)) if number else None
    if letter is None or letter.state != "new" or letter.trouble:
        head = tx.first_due(now)
        if head or number:
            tx.set_fact(HEAD, f"{head} {now}" if head else "")
    elif now - float(at) > GAP:
        _note(tx, float(at), now, NOT_SENT)


def _note(tx: Tx, begin: float, until: float, why: str) -> None:
    """Keep an outage, or that one which began then lasts until now."""
    for each in tx.outages():
        if (each.begin, each.why) == (begin, why):
            tx.end_outage(each.id, until)
            break
    else:
        tx.add_outage(begin, until, why)
    clocks.count_again(tx, begin)


def prune(tx: Tx, config: Config, now: float) -> bool:
    """Forget what has served its time; True if there may be more, for another transaction."""
    more = tx.prune(now, texts=config.keep_texts * DAY, rows=config.keep_rows * DAY)
    if not more:
        tx.set_fact(PRUNED, str(now))
    return more


def is_prune_due(tx: Tx, now: float) -> bool:
    """Whether the last time is a day ago, or in a future of a clock that was wrong."""
    return abs(now - _time(tx, PRUNED)) >= DAY


def _time(tx: Tx, name: str) -> float:
    return float(tx.fact(name) or 0.0)
