"""The server's own entries: keys, rates, facts by name, the operator's acts; and its daemons, the nodes."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import case, delete, insert, or_, select, update

from ..match.terms import DAY
from . import schema as t
from .statements import Subject, add, every, keep, p, upsert

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


_counts, _nodes, _runs = t.counts.c, t.nodes.c, t.runs.c

_KEYS = select(t.keys.c.id, t.keys.c.key).order_by(t.keys.c.id.desc())
_ADD_KEY = insert(t.keys).values(key=p("key"), made=p("made"))
_DROP_KEYS = delete(t.keys).where(t.keys.c.id < p("newest"))
_new_count = upsert(t.counts).values(what=p("what"), since=p("now"), count=p("many"))
# A time beyond now + window was set by a wrong clock: it must not count, or it would count forever.
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
_BEAT = update(t.nodes).where(_nodes.id == p("node")).values(beats=_nodes.beats + 1, at=p("now"))
_new_node = upsert(t.nodes).values(**every(t.nodes))
_JOIN = _new_node.on_conflict_do_update(
    index_elements=["id"],
    set_={
        "name": _new_node.excluded.name,
        "version": _new_node.excluded.version,
        "beats": _nodes.beats + 1,
        "at": _new_node.excluded["at"],
        "began": _new_node.excluded.began,
    },
)
_NODES = select(*(_nodes[name] for name in Node._fields)).order_by(_nodes.name, _nodes.id)
_LEAVE = delete(t.nodes).where(_nodes.id == p("node"))
_BURY = delete(t.nodes).where(_nodes.id == p("node"), _nodes.beats == p("count"))
_ADD_RUN = add(t.runs)
_RUN = select(*(_runs[name] for name in Run._fields)).where(_runs.mails == p("mails"))
_PRUNE_RUNS = delete(t.runs).where(_runs.began < p("before"))


class Ledger(Subject):
    """Keys of the server, rate counters, facts, acts of the operator, and the daemons."""

    def keys(self) -> list[tuple[int, bytes]]:
        """Return the server's keys, newest first."""
        return [(number, bytes(key)) for number, key in self._db.run(_KEYS)]

    def add_key(self, key: bytes, at: float) -> None:
        """Keep a new key; it signs from now on."""
        self._db.do(_ADD_KEY, key=key, made=at)

    def drop_keys(self, newest: int) -> None:
        """Forget all keys older than that one: the tokens that they signed are void."""
        self._db.do(_DROP_KEYS, newest=newest)

    def count(self, what: str, now: float, window: float, many: int = 1) -> int:
        """Add ``many`` to the count of ``what``; return the count in the current window."""
        times = {"now": now, "before": now - window, "beyond": now + window}
        return self._db.number(_COUNT, what=what, many=many, **times)

    def counted(self, what: str, now: float, window: float) -> int:
        """Return the count of ``what`` in the current window, and add nothing."""
        row = self._db.row(_COUNTED, what=what, before=now - window, beyond=now + window)
        return int(row[0]) if row else 0

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
        """Return all acts of the operator: number, time, actor, act."""
        return list(self._db.run(_ACTS))

    # -- the daemons that share a database, each with a spool of its own

    def join(self, node: Node) -> None:
        """Give the first sign of life of a daemon."""
        self._db.do(_JOIN, **node._asdict())

    def beat(self, node: str, now: float) -> bool:
        """Give a sign of life. Return False if the others have taken over the node's work."""
        return bool(self._db.changed(_BEAT, node=node, now=now))

    def nodes(self) -> list[Node]:
        """Return the daemons that have given signs of life and have not left, by name."""
        return self._db.all(Node, _NODES)

    def leave(self, node: str) -> None:
        """Note that a daemon has ended, or no longer uses that id."""
        self._db.do(_LEAVE, node=node)

    def bury(self, node: str, beats: int) -> bool:
        """Strike out a daemon that has given no sign after the first ``beats``. Return False if it has."""
        return bool(self._db.changed(_BURY, node=node, count=beats))

    def add_run(self, run: Run) -> None:
        """Note that a daemon has started."""
        self._db.do(_ADD_RUN, **run._asdict())

    def run_of(self, mails: str) -> Run | None:
        """Return the run that took the mails with such ids; None if it is no longer known."""
        return self._db.one(Run, _RUN, mails=mails)

    def prune(self, now: float) -> None:
        """Forget rates after 2 days, and runs whose mails are forgotten."""
        self._db.do(_PRUNE_COUNTS, before=now - 2 * DAY, beyond=now + 2 * DAY)
        self._db.do(_PRUNE_RUNS, before=now - _KEPT)
