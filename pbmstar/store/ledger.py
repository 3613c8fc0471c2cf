"""The server's own entries: keys, rates, facts by name, and the operator's acts."""

from __future__ import annotations

from sqlalchemy import case, delete, insert, or_, select

from ..match.terms import DAY
from . import schema as t
from .statements import Subject, add, keep, p, upsert

_counts = t.counts.c

_KEYS = select(t.keys.c.id, t.keys.c.key).order_by(t.keys.c.id.desc())
_ADD_KEY = insert(t.keys).values(key=p("key"), made=p("made"))
_DROP_KEYS = delete(t.keys).where(t.keys.c.id < p("newest"))
_new_count = upsert(t.counts).values(what=p("what"), since=p("now"), count=p("many"))
# A time beyond now + window is of a clock that was wrong: it does not count, or it would for ever.
_fresh = or_(_counts.since <= p("before"), _counts.since > p("beyond"))
_COUNT = _new_count.on_conflict_do_update(
    index_elements=["what"],
    set_={
        "count": case((_fresh, p("many")), else_=_counts.count + p("many")),
        "since": case((_fresh, p("now")), else_=_counts.since),
    },
).returning(_counts.count)
_COUNTED = select(_counts.count).where(_counts.what == p("what"), ~_fresh)
_PRUNE_COUNTS = delete(t.counts).where(_fresh)
_FACT = select(t.facts.c.value).where(t.facts.c.name == p("name"))
_SET_FACT = keep(t.facts)
_ADD_ACT = add(t.audit, "id")
_ACTS = select(t.audit).order_by(t.audit.c.id)


class Ledger(Subject):
    """Keys of the server, rate counters, facts, and acts of the operator."""

    def keys(self) -> list[tuple[int, bytes]]:
        """Return the server's keys, newest first."""
        return [(number, bytes(key)) for number, key in self._db.run(_KEYS)]

    def add_key(self, key: bytes, at: float) -> None:
        """Keep a new key; it signs from now on."""
        self._db.do(_ADD_KEY, key=key, made=at)

    def drop_keys(self, newest: int) -> None:
        """Forget all keys older than that one: what they signed is void."""
        self._db.do(_DROP_KEYS, newest=newest)

    def count(self, what: str, now: float, window: float, many: int = 1) -> int:
        """Count so many more of ``what``; return how many there were in the window that is running."""
        times = {"now": now, "before": now - window, "beyond": now + window}
        return self._db.number(_COUNT, what=what, many=many, **times)

    def counted(self, what: str, now: float, window: float) -> int:
        """Return how many were counted in the window that is running, without one more."""
        row = self._db.row(_COUNTED, what=what, before=now - window, beyond=now + window)
        return int(row[0]) if row else 0

    def prune(self, now: float) -> None:
        """Forget rates after 2 days."""
        self._db.do(_PRUNE_COUNTS, before=now - 2 * DAY, beyond=now + 2 * DAY)

    def fact(self, name: str) -> str:
        """Return the fact of that name; empty if it was never set."""
        fact: str | None = self._db.cached.get(("fact", name))
        if fact is None:
            row = self._db.row(_FACT, name=name)
            fact = self._db.cached["fact", name] = str(row[0]) if row else ""
        return fact

    def set_fact(self, name: str, value: str) -> None:
        """Keep a fact."""
        self._db.forget("fact", name)
        self._db.do(_SET_FACT, name=name, value=value)

    def add_act(self, at: float, actor: str, act: str) -> None:
        """Note an act of the operator."""
        self._db.do(_ADD_ACT, at=at, actor=actor, act=act)

    def acts(self) -> list[tuple[int, float, str, str]]:
        """Return all acts of the operator that were noted."""
        return list(self._db.run(_ACTS))
