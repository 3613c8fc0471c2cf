"""What the server does unasked: it says that it is alive, and forgets what has served its time."""

from __future__ import annotations

from ..config import Config
from ..store import Tx
from . import alerts

DAY = 86400.0
BEAT = 3600.0  # seconds between two signs of life of the daemon
# After so long a silence nobody could reach us, or the clock is wrong: nobody forfeits.
OUTAGE = 2 * DAY
_ABANDONED = 30 * DAY  # a daemon that has been gone for so long is not used any more
ALIVE, OUTAGE_ENDED, PRUNED = "alive", "outage ended", "pruned"


def beat(tx: Tx, now: float) -> None:
    """A sign of life of the daemon; the first one after an outage notes when that ended."""
    if tx.fact(ALIVE) and silence(tx, now) > OUTAGE:
        tx.set_fact(OUTAGE_ENDED, str(now))
    tx.set_fact(ALIVE, str(now))


def silence(tx: Tx, now: float) -> float:
    """Seconds since the newest thing that shows that players can reach us: a mail, a sign of life.

    Letters are none: ``remind`` sends some though the daemon is down. Where there is no daemon at
    all, its runs are the signs of life.
    """
    alive = _time(tx, ALIVE)
    if not alive or now - alive > _ABANDONED:
        alive = max(alive, _time(tx, alerts.REMINDED))
    return now - max(alive, tx.newest_mail(), _time(tx, OUTAGE_ENDED))


def is_outage(tx: Tx, now: float) -> bool:
    """Whether players have not been able to reach us for so long that nobody may forfeit yet.

    True in a store of which nothing is known, too, and until OUTAGE after an outage has ended.
    """
    return silence(tx, now) > OUTAGE or 0 <= now - _time(tx, OUTAGE_ENDED) < OUTAGE


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
