"""Time: outages of the server, absences of players, and the reminders that were sent."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from sqlalchemy import delete, or_, select, update

from .. import schema as t
from ..statements import Subject, add, by, p

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
    zone: str = "UTC"


_reminders, _outages, _absences = t.reminders.c, t.outages.c, t.absences.c

_OUTAGES = select(t.outages).order_by(_outages.begin, _outages.id)
_ADD_OUTAGE = add(t.outages, "id").returning(_outages.id)
_END_OUTAGE = update(t.outages).where(_outages.id == p("number")).values(until=p("until"))
_DROP_OUTAGE = delete(t.outages).where(_outages.id == p("number"))
_ABSENCES = (
    select(t.absences)
    .where(_absences.userid == p("userid"))
    .order_by(_absences.begin, _absences.id)
)
_ADD_ABSENCE = add(t.absences, "id")
_SET_AWAY = (
    update(t.users)
    .where(t.users.c.userid == p("who"), or_(t.users.c.away.is_(None), t.users.c.away < p("until")))
    .values(away=p("until"))
)
_FOREVER = 1e12  # in place of infinity, which JSON and some drivers cannot write
_END_ABSENCE = update(t.absences).where(_absences.id == p("number")).values(until=p("until"))
_DROP_ABSENCE = delete(t.absences).where(_absences.id == p("number"))
_of_turn = by(_reminders, "board", "resets", "seq")
_REMINDERS = select(_reminders.stage, _reminders.letter, _reminders.at).where(_of_turn)
_ADD_REMINDER = add(t.reminders)
_DROP_REMINDER = delete(t.reminders).where(_of_turn, _reminders.stage == p("stage"))


class Clocks(Subject):
    """Outages, absences, and reminders."""

    def outages(self) -> list[Outage]:
        """Return all outages, in the order of their beginnings; they are read once in a transaction."""
        known: list[Outage] | None = self._db.cached.get(("outages",))
        if known is None:
            rows = self._db.rows(_OUTAGES)
            known = [Outage(n, at, _open(until), why) for n, at, until, why in rows]
            self._db.cached["outages",] = known
        return known

    def paused(self) -> Outage | None:
        """Return the outage that has not ended; None if there is none."""
        return next((each for each in self.outages() if each.until == inf), None)

    def add_outage(self, begin: float, until: float | None, why: str) -> int:
        """Add an outage, in which no time runs; return its number. It may have no end yet."""
        self._db.forget("outages")
        return self._db.number(_ADD_OUTAGE, begin=begin, until=until, why=why)

    def end_outage(self, number: int, until: float) -> None:
        """Set the end of an outage, or a time until which it lasts at least."""
        self._db.forget("outages")
        self._db.do(_END_OUTAGE, number=number, until=until)

    def drop_outage(self, number: int) -> bool:
        """Delete an outage. Return False if there is no such outage."""
        self._db.forget("outages")
        return bool(self._db.changed(_DROP_OUTAGE, number=number))

    def absences(self, userid: str) -> list[Absence]:
        """Return the absences of a player, in the order of their beginnings."""
        rows = self._db.rows(_ABSENCES, userid=userid)
        return [Absence(n, who, at, _open(until), *rest) for n, who, at, until, *rest in rows]

    def add_absence(
        self,
        userid: str,
        begin: float,
        until: float | None,
        kind: str,
        made: float,
        zone: str = "UTC",
    ) -> None:
        """Add an absence, in which a player's clocks stand. It may have no end yet."""
        values: dict[str, Any] = {"userid": userid, "begin": begin, "until": until}
        self._db.do(_ADD_ABSENCE, kind=kind, made=made, zone=zone, **values)
        self._db.forget("user")
        self._db.do(_SET_AWAY, who=userid, until=_FOREVER if until is None else until)

    def add_grant(self, userid: str, at: float, until: float, zone: str) -> None:
        """Give a player more leave in a year: as many days as there are from ``at`` to ``until``."""
        values = {"userid": userid, "begin": at, "until": until, "zone": zone}
        self._db.do(_ADD_ABSENCE, kind=GRANT, made=at, **values)

    def end_absence(self, number: int, until: float) -> None:
        """Set the end of an absence."""
        self._db.do(_END_ABSENCE, number=number, until=until)

    def drop_absence(self, number: int) -> None:
        """Delete an absence."""
        self._db.do(_DROP_ABSENCE, number=number)

    def reminders(self, board: int, resets: int, seq: int) -> list[tuple[str, int, float]]:
        """Return (stage, letter, at) of the reminders sent for that turn."""
        return list(self._db.rows(_REMINDERS, board=board, resets=resets, seq=seq))

    def add_reminder(
        self, board: int, resets: int, seq: int, stage: str, letter: int, at: float
    ) -> None:
        """Note a reminder. The primary key refuses a second one of the same stage."""
        self._db.do(
            _ADD_REMINDER, board=board, resets=resets, seq=seq, stage=stage, letter=letter, at=at
        )

    def drop_reminder(self, board: int, resets: int, seq: int, stage: str) -> None:
        """Forget a reminder, so that it comes again."""
        self._db.do(_DROP_REMINDER, board=board, resets=resets, seq=seq, stage=stage)


def _open(until: float | None) -> float:
    return inf if until is None else until
