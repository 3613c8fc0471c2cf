"""What the operator's acts keep: bans, times when the server stood still, the end of a person's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table, bindparam, delete, func, insert, literal_column, or_, select, update

from . import digests as d
from . import tables as t
from .bests import bests
from .drafts import drafts
from .plans import plans
from .reviews import reviews
from .statements import Connection, every, p, upsert

_bans, _outages = t.bans.c, t.outages.c

_BAN = upsert(t.bans).values(**every(t.bans)).on_conflict_do_nothing(index_elements=["mark"])
_BANNED = select(_bans.at).where(or_(_bans.mark == p("address"), _bans.mark == p("domain")))
_UNBAN = delete(t.bans).where(_bans.mark == p("mark"))
_STOP = insert(t.outages).values(begin=p("at"), why=p("why"))
_GO_ON = update(t.outages).where(_outages.until.is_(None)).values(until=p("at"))
_STOPS = select(_outages.begin, _outages.until).where(
    or_(_outages.until.is_(None), _outages.until > p("after"))
)
_STOPPED = select(func.max(_outages.begin)).where(_outages.until.is_(None))


def _about(table: Table, *columns: str) -> Any:
    """The rows of a table that name a person: a userid, or an address if there is one."""
    conditions = [
        table.c[name] == p("address" if name == "address" else "userid") for name in columns
    ]
    order = (table.c.at, table.c.mail) if table is t.handled else table.primary_key
    return select(table).where(or_(*conditions)).order_by(*order)


# Where a person is named, and in which columns; besides, boards name one who is to move or has won.
NAMED: dict[Table, tuple[str, ...]] = {
    t.users: ("userid",),
    t.blocks: ("userid", "other"),
    t.tokens: ("userid", "address"),
    t.places: ("userid",),
    t.seats: ("userid",),
    t.requests: ("userid",),
    t.events: ("userid",),
    t.moves: ("userid",),
    plans: ("userid",),
    drafts: ("userid",),
    reviews: ("userid",),
    bests: ("userid",),
    t.handled: ("userid",),
    t.outbox: ("userid", "address"),
    d.digests: ("userid",),
    d.untold: ("userid",),
}
_ABOUT = {table: _about(table, *columns) for table, columns in NAMED.items()}
# What says nothing to a person, or would let a reader of it in.
_UNTOLD = frozenset(("password", "hash", "digest", "owner", "sender"))
_COUNTED = select(t.counts.c.what, t.counts.c.count)
_EMPTY: Any = literal_column("''")
_FORGET = [
    delete(drafts).where(drafts.c.userid == p("userid")),
    delete(reviews).where(reviews.c.userid == p("userid")),
    delete(t.blocks).where(t.blocks.c.userid == p("userid")),
    delete(t.places).where(t.places.c.userid == p("userid")),
    delete(d.digests).where(d.digests.c.userid == p("userid")),
    delete(d.untold).where(d.untold.c.userid == p("userid")),
    delete(t.tokens).where(
        or_(t.tokens.c.userid == p("userid"), t.tokens.c.address == p("address"))
    ),
    delete(t.contents).where(
        t.contents.c.letter.in_(
            select(t.outbox.c.id).where(
                or_(t.outbox.c.userid == p("userid"), t.outbox.c.address == p("address"))
            )
        )
    ),
    delete(t.outbox).where(
        or_(t.outbox.c.userid == p("userid"), t.outbox.c.address == p("address"))
    ),
    update(t.handled)
    .where(t.handled.c.userid == p("userid"))
    .values({"message": _EMPTY, "userid": _EMPTY}),
]
_FORGET_COUNT = delete(t.counts).where(t.counts.c.what == p("what"))
_RENAMED = [
    *((table, name) for table, names in NAMED.items() for name in names if name != "address"),
    (t.boards, "to_move"),
    (t.boards, "result"),
]
_RENAME = [
    update(table).where(table.c[name] == bindparam("old")).values({name: bindparam("new")})
    for table, name in _RENAMED
]
_AUDIT = select(t.audit.c.id, t.audit.c.act).where(t.audit.c.act.like("%" + p("userid") + "%"))
_SET_AUDIT = update(t.audit).where(t.audit.c.id == p("number")).values(act=p("act"))


class Upkeep(Connection):
    """The part of a transaction that knows bans, outages, and all that is kept about one person."""

    def ban(self, mark: str, at: float) -> None:
        """Take no mail of an address (its mark) or a domain (as @domain) any more."""
        self._do(_BAN, mark=mark, at=at)

    def unban(self, mark: str) -> bool:
        """Take it again. False if it was not banned."""
        return bool(self._changed(_UNBAN, mark=mark))

    def is_banned(self, address_mark: str, domain: str) -> bool:
        """Whether mail of an address, or of its domain, is ignored."""
        return self._row(_BANNED, address=address_mark, domain=f"@{domain}") is not None

    def stop(self, at: float, why: str) -> None:
        """No time runs from now on."""
        self._do(_STOP, at=at, why=why)

    def go_on(self, at: float) -> None:
        """Time runs again."""
        self._do(_GO_ON, at=at)

    def stopped_at(self) -> float | None:
        """Since when no time runs; None if it does."""
        at: float | None = self._row(_STOPPED)[0]
        return at

    def stood(self, begin: float, until: float) -> float:
        """For how many seconds between two times no time ran. Stops do not overlap."""
        parts: list[float] = [
            max(0.0, min(until, until if end is None else end) - max(begin, start))
            for start, end in self._run(_STOPS, after=begin).fetchall()
        ]
        return sum(parts)

    def about(self, userid: str, address: str) -> dict[str, list[dict[str, Any]]]:
        """All that is kept about a person, by table, without what would let a reader in."""
        tables: dict[str, list[dict[str, Any]]] = {}
        for table, statement in _ABOUT.items():
            named = "address" in NAMED[table]
            rows = self._run(statement, userid=userid, **({"address": address} if named else {}))
            names = [column.name for column in table.columns]
            tables[table.name] = [
                {name: value for name, value in zip(names, row, strict=True) if name not in _UNTOLD}
                for row in rows.fetchall()
            ]
        tables["counts"] = [
            {"what": what, "count": count} for what, count in self._counted(userid, address)
        ]
        return tables

    def _counted(self, userid: str, address: str) -> list[tuple[str, int]]:
        """The counters of a person: a word of their name is the userid or the address."""
        rows = self._run(_COUNTED).fetchall()
        names = {userid, address} - {""}
        return sorted((what, count) for what, count in rows if names & set(what.split(" ")))

    def forget(self, userid: str, address: str) -> None:
        """Keep nothing about a person but the account, their games and what was done by hand."""
        for statement in _FORGET:
            needs = statement.compile().params
            values = {"userid": userid, "address": address or userid}
            self._do(statement, **{name: values[name] for name in values if name in needs})
        for what, _ in self._counted(userid, address):
            self._do(_FORGET_COUNT, what=what)

    def rename(self, userid: str, new: str) -> None:
        """Call an account something else wherever it is named; nobody may be called that yet."""
        for statement in _RENAME:
            self._do(statement, old=userid, new=new)
        for number, act in self._run(_AUDIT, userid=userid).fetchall():
            words: Sequence[str] = [new if word == userid else word for word in act.split(" ")]
            self._do(_SET_AUDIT, number=number, act=" ".join(words))
