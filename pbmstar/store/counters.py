"""What has come in, and how often something happened: what outlives a restart to be counted."""

from __future__ import annotations

from sqlalchemy import case, delete, func, or_, select, update

from . import tables as t
from .statements import Connection, every, p, upsert

DAY = 86400.0
_handled, _counts = t.handled.c, t.counts.c

_HANDLED = (
    upsert(t.handled)
    .values(**every(t.handled))
    .on_conflict_do_nothing(index_elements=["digest"])
    .returning(_handled.at)
)
_HANDLED_AT = select(_handled.at).where(_handled.digest == p("digest"))
_HANDLED_AGAIN = update(t.handled).where(_handled.digest == p("which")).values(at=p("at"))
_NEWEST_MAIL = select(func.max(_handled.at))
_SET_OUTCOME = update(t.handled).where(_handled.digest == p("which")).values(outcome=p("outcome"))
_PRUNE_HANDLED = delete(t.handled).where(or_(_handled.at < p("before"), _handled.at > p("beyond")))
_new_count = upsert(t.counts).values(what=p("what"), since=p("now"), count=1)
# A time beyond now + window is of a clock that was wrong: it does not count, or it would for ever.
_fresh = or_(_counts.since <= p("before"), _counts.since > p("beyond"))
_COUNT = _new_count.on_conflict_do_update(
    index_elements=["what"],
    set_={
        "count": case((_fresh, 1), else_=_counts.count + 1),
        "since": case((_fresh, p("now")), else_=_counts.since),
    },
).returning(_counts.count)
_COUNTED = select(_counts.count).where(_counts.what == p("what"), ~_fresh)
_PRUNE_COUNTS = delete(t.counts).where(_fresh)


class Counters(Connection):
    """The part of a transaction that knows which mails have had their effect, and rates."""

    def handle(self, digest: bytes, at: float, again_after: float | None) -> bool:
        """Mark a mail as handled. False if it was before; with ``again_after`` an older mark is none."""
        if self._row(_HANDLED, digest=digest, at=at, outcome="applied"):
            return True
        if again_after is not None and self._row(_HANDLED_AT, digest=digest)[0] < again_after:
            self._run(_HANDLED_AGAIN, which=digest, at=at)
            return True
        return False

    def newest_mail(self) -> float:
        """When the newest mail came in; 0 if none is known."""
        return float(self._row(_NEWEST_MAIL)[0] or 0.0)

    def set_outcome(self, digest: bytes, outcome: str) -> None:
        """Note what became of a mail."""
        self._run(_SET_OUTCOME, which=digest, outcome=outcome)

    def count(self, what: str, now: float, window: float) -> int:
        """Count one more of ``what``; returns how many there were in the window that is running."""
        row = self._row(_COUNT, what=what, now=now, before=now - window, beyond=now + window)
        return int(row[0])

    def counted(self, what: str, now: float, window: float) -> int:
        """How many there are in the window that is running, without one more."""
        row = self._row(_COUNTED, what=what, before=now - window, beyond=now + window)
        return int(row[0]) if row else 0

    def prune_counters(self, now: float) -> None:
        """Forget marks of mails after 30 days, counts after 2."""
        self._run(_PRUNE_HANDLED, before=now - 30 * DAY, beyond=now + 30 * DAY)
        self._run(_PRUNE_COUNTS, before=now - 2 * DAY, beyond=now + 2 * DAY)
