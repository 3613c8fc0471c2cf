"""Signs of life, and the times when nobody could reach the server or no letter was taken."""

from __future__ import annotations

from math import inf

from ...machine.times import DAY, Epoch, Seconds
from ...store import PLAYERS, Tx
from ..letters import alerts
from ..work import timekeeping

# If the daemon is silent for so long, nobody could reach us. Without a daemon it is the reminders and the
# messages that must be silent: they come by a pipe and are then the only signs of life.
GAP, PIPED = 900.0, 2 * DAY
STOPPED, NOT_SENT = "server stopped", "no letter was taken"
_ABANDONED = 30 * DAY  # a daemon that has been silent for so long is not used any more
ALIVE = "alive"
HEAD = "head"  # a fact: the letter that should go next, and the time since which it is that one


def beat(tx: Tx, now: Epoch) -> None:
    """Give the daemon's sign of life, once a minute, and note times when nobody could reach us."""
    _notice(tx, now, fact_time(tx, ALIVE), GAP)
    _notice_relay(tx, now)
    tx.ledger.set_fact(ALIVE, str(now))


def is_outage(tx: Tx, now: Epoch) -> bool:
    """Return True, and note it, if nobody can reach us or no letter goes out, at a run of the reminders.

    An outage that we notice reaches to the moment of the look, and lasts; one of the operator's is over then.
    If the last run was later than now, because a clock was wrong, every board is looked at again.
    """
    if alerts.reminded_or_begun(tx) > now + GAP:
        tx.ledger.set_fact("reminders", "")
    notice_silence(tx, now)
    _notice_relay(tx, now)
    return any(
        each.begin <= now < each.until or (each.until == now and each.why in (STOPPED, NOT_SENT))
        for each in tx.clocks.outages()
    )


def notice_silence(tx: Tx, now: Epoch) -> None:
    """Note it if nobody could reach us for a while; also called before a message without a daemon."""
    alive = fact_time(tx, ALIVE)
    if alive and now - alive <= _ABANDONED:
        _notice(tx, now, alive, GAP)
    else:
        last = max(alive, alerts.reminded_or_begun(tx))
        _notice(tx, now, max(last, tx.mails.last_received()) if last else 0.0, PIPED)


def _notice(tx: Tx, now: Epoch, last: Epoch, gap: Seconds) -> None:
    """Note an outage since the ``last`` sign of life, if that is longer ago than ``gap`` seconds."""
    for each in tx.clocks.outages():
        if each.why in (STOPPED, NOT_SENT) and now < each.until < inf:  # a clock was wrong
            tx.clocks.end_outage(each.id, max(each.begin, now))
    if last and now - last > gap:
        _note(tx, last, now, STOPPED)


def _notice_relay(tx: Tx, now: Epoch) -> None:
    """Note an outage if no letter was taken for a while: the first letter that is due still waits.

    A letter that was refused or deferred has been tried: the relay works. So a player whose own address
    does not work cannot stop the time of all others.
    """
    number, _, at = tx.ledger.fact(HEAD).partition(" ")
    letter = tx.outbox.status(int(number)) if number else None
    if letter is None or letter.state != "new" or letter.trouble:
        head = tx.outbox.next_due(now, PLAYERS)
        if head or number:
            tx.ledger.set_fact(HEAD, f"{head} {now}" if head else "")
    elif now - float(at) > GAP:
        _note(tx, float(at), now, NOT_SENT)


def _note(tx: Tx, begin: Epoch, until: Epoch, why: str) -> None:
    """Add an outage, or set a new end for the one with that beginning and reason."""
    for each in tx.clocks.outages():
        if (each.begin, each.why) == (begin, why):
            tx.clocks.end_outage(each.id, until)
            break
    else:
        tx.clocks.add_outage(begin, until, why)
    timekeeping.count_again(tx, begin)


def fact_time(tx: Tx, name: str) -> Epoch:
    """Return the time that a fact of the ledger holds; 0 for none."""
    return float(tx.ledger.fact(name) or 0.0)
