"""Nodes: the daemons that share a database, each with a spool of its own."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select, update

from ..match.terms import DAY
from . import schema as t
from .statements import Subject, add, every, p, upsert

KEPT = 40 * DAY  # seconds: mails are explained for 30 days


class Node(NamedTuple):
    """A daemon: the id of its spool, its name and version, how many signs of life it has given.

    at     its last sign of life, by its own clock
    began  its start
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


_nodes, _runs = t.nodes.c, t.runs.c
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
_ALL = select(*(_nodes[name] for name in Node._fields)).order_by(_nodes.name, _nodes.id)
_LEAVE = delete(t.nodes).where(_nodes.id == p("node"))
_BURY = delete(t.nodes).where(_nodes.id == p("node"), _nodes.beats == p("count"))
_ADD_RUN = add(t.runs)
_RUN = select(*(_runs[name] for name in Run._fields)).where(_runs.mails == p("mails"))
_PRUNE = delete(t.runs).where(_runs.began < p("before"))


class Nodes(Subject):
    """Signs of life of the daemons on this database, and when each has run."""

    def join(self, node: Node) -> None:
        """Give the first sign of life of a daemon."""
        self._db.do(_JOIN, **node._asdict())

    def beat(self, node: str, now: float) -> bool:
        """Give a sign of life. Return False if the others have taken over the node's work."""
        return bool(self._db.changed(_BEAT, node=node, now=now))

    def all(self) -> list[Node]:
        """Return the daemons that have given signs of life and have not left, by name."""
        return self._db.all(Node, _ALL)

    def leave(self, node: str) -> None:
        """Note that a daemon has ended, or does nothing more under that id."""
        self._db.do(_LEAVE, node=node)

    def bury(self, node: str, beats: int) -> bool:
        """Strike out a daemon that has given no sign of life since. Return False if it has."""
        return bool(self._db.changed(_BURY, node=node, count=beats))

    def begin(self, run: Run) -> None:
        """Note that a daemon has started."""
        self._db.do(_ADD_RUN, **run._asdict())

    def run_of(self, mails: str) -> Run | None:
        """Return the run that took the mails with such ids; None if it is not known any more."""
        return self._db.one(Run, _RUN, mails=mails)

    def prune(self, now: float) -> None:
        """Forget runs whose mails are forgotten."""
        self._db.do(_PRUNE, before=now - KEPT)
