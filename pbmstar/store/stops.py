"""When time stands still: for everybody while the server cannot be reached, for a player who is away."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    Double,
    Index,
    Integer,
    Table,
    Text,
    delete,
    insert,
    or_,
    select,
    update,
)

from . import tables as t
from .statements import Connection, every, p

# When the server stood still and no time ran; until is null while it does.
outages = Table(
    "outages",
    t.metadata,
    Column("id", Integer, primary_key=True),
    Column("begin", Double, nullable=False),
    Column("until", Double),
    Column("why", Text, nullable=False),
    sqlite_autoincrement=True,
)

# When a player's clocks stand. kind: leave (booked), auto (taken by the server), bounce (letters come
# back; until is null while they do), grant (no stop: so many days more of leave in that year).
absences = Table(
    "absences",
    t.metadata,
    Column("id", Integer, primary_key=True),
    Column("userid", Text, nullable=False),
    Column("begin", Double, nullable=False),
    Column("until", Double),
    Column("kind", Text, nullable=False),
    Column("made", Double, nullable=False),
    Index("absences_userid", "userid"),
    sqlite_autoincrement=True,
)

LEAVE, AUTO, BOUNCE, GRANT = "leave", "auto", "bounce", "grant"


class Outage(NamedTuple):
    """A time when nobody could reach the server; infinite until it ends."""

    id: int
    begin: float
    until: float
    why: str


class Absence(NamedTuple):
    """A time when a player's clocks stand; see ``absences``. Infinite until it ends."""

    id: int
    userid: str
    begin: float
    until: float
    kind: str
    made: float


_outages, _absences = outages.c, absences.c
_ADD_OUTAGE = insert(outages).values(**every(outages, "id")).returning(_outages.id)
_OUTAGES = select(outages).order_by(_outages.begin, _outages.id)
_END_OUTAGE = update(outages).where(_outages.id == p("number")).values(until=p("until"))
_DROP_OUTAGE = delete(outages).where(_outages.id == p("number"))
_ADD_ABSENCE = insert(absences).values(**every(absences, "id"))
_ABSENCES = (
    select(absences).where(_absences.userid == p("userid")).order_by(_absences.begin, _absences.id)
)
_END_ABSENCE = update(absences).where(_absences.id == p("number")).values(until=p("until"))
_DROP_ABSENCE = delete(absences).where(_absences.id == p("number"))
_SET_AWAY = (
    update(t.users)
    .where(t.users.c.userid == p("who"), or_(t.users.c.away.is_(None), t.users.c.away < p("until")))
    .values(away=p("until"))
)
_FOREVER = 1e12  # in place of infinity, which JSON and some drivers do not write


class Standstill(Connection):
    """The part of a transaction that knows when time stands still."""

    def outages(self) -> list[Outage]:
        """All that are known, in order of their beginnings; read once in a transaction."""
        known: list[Outage] | None = self._cached.get(("outages",))
        if known is None:
            rows = self._run(_OUTAGES).fetchall()
            known = [Outage(n, at, _open(until), why) for n, at, until, why in rows]
            self._cached["outages",] = known
        return known

    def paused(self) -> Outage | None:
        """The outage that has not ended, if one has not."""
        return next((each for each in self.outages() if each.until == inf), None)

    def add_outage(self, begin: float, until: float | None, why: str) -> int:
        """No time ran, or runs, between these; without an end none runs from then on."""
        self._forget("outages")
        return int(self._row(_ADD_OUTAGE, begin=begin, until=until, why=why)[0])

    def end_outage(self, number: int, until: float) -> None:
        """An outage ended then, or lasts at least until then."""
        self._forget("outages")
        self._do(_END_OUTAGE, number=number, until=until)

    def drop_outage(self, number: int) -> bool:
        """Time ran after all. False if there is no such outage."""
        self._forget("outages")
        return bool(self._changed(_DROP_OUTAGE, number=number))

    def absences(self, userid: str) -> list[Absence]:
        """All of a player, in order of their beginnings."""
        rows = self._run(_ABSENCES, userid=userid).fetchall()
        return [Absence(n, who, at, _open(until), *rest) for n, who, at, until, *rest in rows]

    def add_absence(
        self, userid: str, begin: float, until: float | None, kind: str, made: float
    ) -> None:
        """A player's clocks stand between these; without an end they stand from then on."""
        values: dict[str, Any] = {"userid": userid, "begin": begin, "until": until}
        self._do(_ADD_ABSENCE, kind=kind, made=made, **values)
        self._forget("user", userid)
        self._do(_SET_AWAY, who=userid, until=_FOREVER if until is None else until)

    def add_grant(self, userid: str, at: float, until: float) -> None:
        """Keep that a player has more leave in that year: as many days as from ``at`` until then."""
        values = {"userid": userid, "begin": at, "until": until}
        self._do(_ADD_ABSENCE, kind=GRANT, made=at, **values)

    def end_absence(self, number: int, until: float) -> None:
        """An absence ends then."""
        self._do(_END_ABSENCE, number=number, until=until)

    def drop_absence(self, number: int) -> None:
        """There is no such absence."""
        self._do(_DROP_ABSENCE, number=number)


def _open(until: float | None) -> float:
    return inf if until is None else until
