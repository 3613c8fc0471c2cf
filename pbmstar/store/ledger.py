"""The server's own entries: keys, rates, facts by name, the operator's acts; and its daemons, the nodes."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import case, delete, or_, select, text, update

from ..match.terms import DAY
from . import schema as t
from .statements import Subject, by, p, upsert

_KEPT = 40 * DAY  # a run is kept for this time: mails are explained for 30 days


class Node(NamedTuple):
    """A daemon: the id of its spool, its name and version, the number of its signs of life.

    at     the time of its last sign of life, by its own clock
    began  the time of its start
    """

    id: str
    name: str
    version: str
    beats: int
    at: float
    began: float


class Run(NamedTuple):
    """A start of a daemon; the ids of all mails that it took begin with ``mails``."""

    mails: str
    name: str
    version: str
    began: float


_keys, _counts, _nodes = t.keys.c, t.counts.c, t.nodes.c

_KEYS = select(_keys.id, _keys.key).order_by(_keys.id.desc())
_DROP_KEYS = delete(t.keys).where(_keys.id < p("newest"))
# A time beyond now + window was set by a wrong clock: it must not count, or it would count forever.
_fresh = or_(_counts.since <= p("before"), _counts.since > p("beyond"))
_new = upsert(t.counts)
_COUNT = _new.on_conflict_do_update(
    index_elements=["what"],
    set_={
        "count": case((_fresh, _new.excluded.count), else_=_counts.count + _new.excluded.count),
        "since": case((_fresh, _new.excluded.since), else_=_counts.since),
    },
).returning(_counts.count)
_COUNTED = select(_counts.count).where(by(t.counts, "what"), ~_fresh)
_COUNTED_LIKE = select(_counts.what, _counts.count).where(
    _counts.what.like(p("names")), _counts.since > p("since")
)
_PRUNE_COUNTS = delete(t.counts).where(_fresh)
_ACTS = select(t.audit).order_by(t.audit.c.id)
_BEAT = update(t.nodes).where(by(t.nodes, "id")).values(beats=_nodes.beats + 1, at=p("at"))
_node = upsert(t.nodes)
_JOIN = _node.on_conflict_do_update(
    index_elements=["id"],
    set_={
        **{name: _node.excluded[name] for name in ("name", "version", "at", "began")},
        "beats": _nodes.beats + 1,
    },
)
# A process that hangs keeps its locks until its connections end.
_END_CONNECTIONS = text(
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
    " AND usename = current_user AND application_name LIKE :name"
)
_DATABASE_CLOCK = text("SELECT EXTRACT(EPOCH FROM clock_timestamp())")
_PRUNE_RUNS = delete(t.runs).where(t.runs.c.began < p("before"))


class Ledger(Subject):
    """Keys of the server, rate counters, facts, acts of the operator, and the daemons."""

    def keys(self) -> list[tuple[int, bytes]]:
        """Return the server's keys, newest first."""
        return [(number, bytes(key)) for number, key in self._db.run(_KEYS)]

    def add_key(self, key: bytes, at: float) -> None:
        """Keep a new key; it signs from now on."""
        self._db.add(t.keys, key=key, made=at)

    def drop_keys(self, newest: int) -> None:
        """Forget all keys older than that one: the tokens that they signed are void."""
        self._db.do(_DROP_KEYS, newest=newest)

    def count(self, what: str, now: float, window: float, many: int = 1) -> int:
        """Add ``many`` to the count of ``what``; return the count in the current window."""
        times = {"since": now, "before": now - window, "beyond": now + window}
        return self._db.number(_COUNT, what=what, count=many, **times)

    def counted(self, what: str, now: float, window: float) -> int:
        """Return the count of ``what`` in the current window, and add nothing."""
        row = self._db.row(_COUNTED, what=what, before=now - window, beyond=now + window)
        return int(row[0]) if row else 0

    def counted_each(self, prefix: str, since: float) -> dict[str, int]:
        """Return the counts that began after ``since``, by the rest of their names; they are kept 2 days."""
        rows = self._db.rows(_COUNTED_LIKE, names=f"{prefix}%", since=since)
        return {what.removeprefix(prefix): count for what, count in rows}

    def fact(self, name: str) -> str:
        """Return the fact of that name; empty if it was never set."""
        fact: str | None = self._db.cached.get(("fact", name))
        if fact is None:
            fact = self._db.cached["fact", name] = self._db.value(t.facts.c.value, name=name) or ""
        return fact

    def set_fact(self, name: str, value: str) -> None:
        """Keep a fact."""
        self._db.forget("fact", name)
        self._db.keep(t.facts, name=name, value=value)

    def drop_fact(self, name: str) -> None:
        """Forget a fact, and its name."""
        self._db.forget("fact", name)
        self._db.drop(t.facts, name=name)

    def add_act(self, at: float, actor: str, act: str) -> None:
        """Note an act of the operator."""
        self._db.add(t.audit, at=at, actor=actor, act=act)

    def acts(self) -> list[tuple[int, float, str, str]]:
        """Return all acts of the operator: number, time, actor, act."""
        return list(self._db.run(_ACTS))

    # -- the daemons that share a database, each with a spool of its own

    def join(self, node: Node) -> None:
        """Give the first sign of life of a daemon."""
        self._db.do(_JOIN, **node._asdict())

    def beat(self, node: str, now: float) -> bool:
        """Give a sign of life. Return False if the others have taken over the node's work."""
        return bool(self._db.changed(_BEAT, id=node, at=now))

    def nodes(self) -> list[Node]:
        """Return the daemons that have given signs of life and have not left, by name."""
        return self._db.ordered(Node, t.nodes, "name", "id")

    def leave(self, node: str) -> None:
        """Note that a daemon has ended, or no longer uses that id."""
        self._db.drop(t.nodes, id=node)

    def bury(self, node: str, beats: int) -> bool:
        """Strike out a daemon that has given no sign after the first ``beats``, and end its connections.

        Return False if it has given one.
        """
        if not self._db.dropped(t.nodes, id=node, beats=beats):
            return False
        if not self._db.is_sqlite:
            self._db.number(_END_CONNECTIONS, name=f"pbmstar % {node}")
        return True

    def ahead(self, at: float) -> float:
        """Return the seconds by which a clock that says ``at`` is ahead of PostgreSQL's; 0 on SQLite."""
        return 0.0 if self._db.is_sqlite else at - float(self._db.row(_DATABASE_CLOCK)[0])

    def add_run(self, run: Run) -> None:
        """Note that a daemon has started."""
        self._db.add(t.runs, **run._asdict())

    def run_of(self, mails: str) -> Run | None:
        """Return the run that took the mails with such ids; None if it is no longer known."""
        return self._db.find(Run, t.runs, mails=mails)

    def prune(self, now: float) -> None:
        """Forget rates after 2 days, and runs whose mails are forgotten."""
        self._db.do(_PRUNE_COUNTS, before=now - 2 * DAY, beyond=now + 2 * DAY)
        self._db.do(_PRUNE_RUNS, before=now - _KEPT)
