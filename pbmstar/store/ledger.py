"""The server's own entries: keys, rates, facts by name, the operator's acts; and its daemons, the nodes."""

from __future__ import annotations

from typing import NamedTuple

from ..machine.times import DAY, Epoch, Seconds
from . import schema as t
from .statements import Repository, columns, keep

_KEPT = 40 * DAY  # a run is kept for this time: messages are explained for 30 days


class Node(NamedTuple):
    """A daemon: the id of its spool, its name and version, the number of its signs of life.

    at     the time of its last sign of life, by its own clock
    began  the time of its start
    """

    id: str
    name: str
    version: str
    beats: int
    at: Epoch
    began: Epoch


class Run(NamedTuple):
    """A start of a daemon; the ids of all messages that it took begin with ``mails``."""

    mails: str
    name: str
    version: str
    began: Epoch


class Size(NamedTuple):
    """The size of a table with its indexes; bytes: None if this SQLite cannot tell them."""

    table: str
    rows: int
    bytes: int | None


# A time beyond now + window was set by a wrong clock: it must not count, or it would count forever.
_FRESH = "(counts.since <= :before OR counts.since > :beyond)"
_TALLIED = "SELECT since, count FROM counts WHERE what = :what FOR UPDATE"


class Ledger(Repository):
    """Keys of the server, rate counters, facts, acts of the operator, and the daemons."""

    def keys(self) -> list[tuple[int, bytes]]:
        """Return the server's keys, newest first."""
        rows = self._db.rows("SELECT id, key FROM keys ORDER BY id DESC")
        return [(number, bytes(key)) for number, key in rows]

    def add_key(self, key: bytes, at: Epoch) -> None:
        """Keep a new key; it signs from now on."""
        self._db.add(t.keys, key=key, made=at)

    def drop_keys(self, newest: int) -> None:
        """Forget all keys older than that one: the tokens that they signed are void."""
        self._db.do("DELETE FROM keys WHERE id < :newest", newest=newest)

    def uncount(self, what: str, now: Epoch, window: Seconds) -> None:
        """Take one away from the count of ``what`` in the current window, if it is above 0."""
        if self.counted(what, now, window) > 0:
            self.count(what, now, window, -1)

    def count(self, what: str, now: Epoch, window: Seconds, many: int = 1) -> int:
        """Add ``many`` to the count of ``what``; return the count in the current window."""
        return self._db.number(
            f"""
            INSERT INTO counts (what, since, count) VALUES (:what, :now, :many)
            ON CONFLICT (what) DO UPDATE SET
                since = CASE WHEN {_FRESH} THEN excluded.since ELSE counts.since END,
                count = CASE WHEN {_FRESH} THEN 0 ELSE counts.count END + excluded.count
            RETURNING count
            """,
            what=what,
            now=now,
            many=many,
            before=now - window,
            beyond=now + window,
        )

    def tally(self, what: str, now: Epoch, window: Seconds) -> int:
        """Add one to the count of ``what`` as ``count`` does, but write it at the end of the transaction.

        It's for what is counted with each message. If two daemons count the first of a window in the same
        moment, it counts once.
        """
        since, so_far = now, 0
        if row := self._db.waiting(t.counts, what, keep):
            since, so_far = row["since"], row["count"]
        else:
            for row in self._db.stored(t.counts, _TALLIED, what=what):
                since, so_far = row
        if not now - window < since <= now + window:
            since, so_far = now, 0
        row = {"what": what, "since": since, "count": so_far + 1}
        self._db.later(t.counts, what, row, keep)
        return so_far + 1

    def counted(self, what: str, now: Epoch, window: Seconds) -> int:
        """Return the count of ``what`` in the current window, and add nothing."""
        row = self._db.row(
            f"SELECT count FROM counts WHERE what = :what AND NOT {_FRESH}",
            what=what,
            before=now - window,
            beyond=now + window,
        )
        return int(row[0]) if row else 0

    def counted_each(self, prefix: str, since: Epoch) -> dict[str, int]:
        """Return the counts that began after ``since``, by the rest of their names; they are kept 2 days."""
        rows = self._db.rows(
            "SELECT what, count FROM counts WHERE what LIKE :names AND since > :since",
            names=f"{prefix}%",
            since=since,
        )
        return {what.removeprefix(prefix): count for what, count in rows}

    def fact(self, name: str) -> str:
        """Return the fact of that name; empty if it was never set."""
        fact: str | None = self._db.cached.get(("fact", name))
        if fact is None:
            fact = self._db.cached["fact", name] = self._db.value(t.facts.c.value, name=name) or ""
        return fact

    def first(self, prefix: str) -> tuple[str, str] | None:
        """Return the name and the value of the first fact whose name starts so, locked; None without one."""
        row = self._db.row(
            "SELECT name, value FROM facts WHERE name LIKE :names ORDER BY name LIMIT 1 FOR UPDATE",
            names=f"{prefix}%",
        )
        return (str(row[0]), str(row[1])) if row else None

    def facts(self, prefix: str) -> list[tuple[str, str]]:
        """Return the names and values of all facts whose name starts so."""
        rows = self._db.rows(
            "SELECT name, value FROM facts WHERE name LIKE :names ORDER BY name", names=f"{prefix}%"
        )
        return [(str(name), str(value)) for name, value in rows]

    def set_fact(self, name: str, value: str) -> None:
        """Keep a fact."""
        self._db.forget("fact", name)
        self._db.keep(t.facts, name=name, value=value)

    def drop_fact(self, name: str) -> None:
        """Forget a fact, and its name."""
        self._db.forget("fact", name)
        self._db.drop(t.facts, name=name)

    def add_act(self, at: Epoch, actor: str, act: str) -> None:
        """Note an act of the operator."""
        self._db.add(t.audit, at=at, actor=actor, act=act)

    def acts(self) -> list[tuple[int, float, str, str]]:
        """Return all acts of the operator: number, time, actor, act."""
        return self._db.rows("SELECT id, at, actor, act FROM audit ORDER BY id")

    # -- the daemons that share a database, each with a spool of its own

    def join(self, node: Node) -> None:
        """Give the first sign of life of a daemon."""
        self._db.do(
            """
            INSERT INTO nodes (id, name, version, beats, at, began)
            VALUES (:id, :name, :version, :beats, :at, :began)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version,
                beats = nodes.beats + 1, at = excluded.at, began = excluded.began
            """,
            **node._asdict(),
        )

    def beat(self, node: str, now: Epoch) -> bool:
        """Give a sign of life. Return False if the others have taken over the node's work."""
        beats = self._db.changed(
            "UPDATE nodes SET beats = beats + 1, at = :at WHERE id = :id", id=node, at=now
        )
        return beats > 0

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
            # A process that hangs keeps its locks until its connections end.
            self._db.number(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE datname = current_database() AND usename = current_user
                    AND application_name LIKE :name
                """,
                name=f"pbmstar % {node}",
            )
        return True

    def ahead(self, at: Epoch) -> float:
        """Return the seconds by which a clock that says ``at`` is ahead of PostgreSQL's; 0 on SQLite."""
        if self._db.is_sqlite:
            return 0.0
        (there,) = self._db.row("SELECT EXTRACT(EPOCH FROM clock_timestamp())")
        return at - float(there)

    def add_run(self, run: Run) -> None:
        """Note that a daemon has started."""
        self._db.add(t.runs, **run._asdict())

    def run_of(self, mails: str) -> Run | None:
        """Return the run that took the messages with such ids; None if it is no longer known."""
        return self._db.find(Run, t.runs, mails=mails)

    def newest_run(self, name: str) -> Run | None:
        """Return the last start of the daemon of a node; None if none is known."""
        return self._db.one(
            Run,
            f"SELECT {columns(Run)} FROM runs WHERE name = :name ORDER BY began DESC LIMIT 1",
            name=name,
        )

    # -- how large it all is

    def database_bytes(self) -> int:
        """Return the size of the database."""
        if self._db.is_sqlite:
            return self._db.number(
                "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            )
        return self._db.number("SELECT pg_database_size(current_database())")

    def sizes(self) -> list[Size]:
        """Return the size of each table, the largest first. Every page of the database may be read."""
        sizes = {}
        if not self._db.is_sqlite:
            sizes = dict(
                self._db.rows(
                    "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables"
                    " WHERE schemaname = current_schema()"
                )
            )
        elif self._db.number("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'"):
            sizes = dict(
                self._db.rows(
                    "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name)"
                    " GROUP BY tbl_name"
                )
            )
        found = [
            Size(name, self._db.number(f'SELECT count(*) FROM "{name}"'), sizes.get(name))
            for name in (table.name for table in t.tables())
        ]
        return sorted(found, key=lambda each: (-(each.bytes or 0), -each.rows, each.table))

    def prune(self, now: Epoch) -> None:
        """Forget rates after 2 days, and runs whose messages are forgotten."""
        self._db.do(
            f"DELETE FROM counts WHERE {_FRESH}", before=now - 2 * DAY, beyond=now + 2 * DAY
        )
        self._db.do("DELETE FROM runs WHERE began < :before", before=now - _KEPT)
