"""Time: outages of the server, absences of players, and the reminders that were sent."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ...machine.times import Epoch
from .. import schema as t
from ..statements import Repository

LEAVE, AUTO, BOUNCE, GRANT = "leave", "auto", "bounce", "grant"


class Outage(NamedTuple):
    """A time when nobody could reach the server; infinite until it ends."""

    id: int
    begin: Epoch
    until: Epoch
    why: str


class Absence(NamedTuple):
    """A time when a player's clocks are stopped; see ``absences``. Infinite until it ends."""

    id: int
    userid: str
    begin: Epoch
    until: Epoch
    kind: str
    made: Epoch
    zone: str = "UTC"


_FOREVER = 1e12  # in place of infinity, which JSON and some drivers cannot write


class Clocks(Repository):
    """Outages, absences, and reminders."""

    def outages(self) -> list[Outage]:
        """Return all outages, in the order of their beginnings; they are read once in a transaction."""
        known: list[Outage] | None = self._db.cached.get(("outages",))
        if known is None:
            found = self._db.ordered(Outage, t.outages, "begin", "id")
            known = self._db.cached["outages",] = [
                each._replace(until=_open(each.until)) for each in found
            ]
        return known

    def paused(self) -> Outage | None:
        """Return the outage that has not ended; None if there is none."""
        return next((each for each in self.outages() if each.until == inf), None)

    def add_outage(self, begin: Epoch, until: Epoch | None, why: str) -> int:
        """Add an outage, in which no time runs; return its number. It may have no end yet."""
        self._db.forget("outages")
        return self._db.numbered(t.outages, begin=begin, until=until, why=why)

    def end_outage(self, number: int, until: Epoch) -> None:
        """Set the end of an outage, or a time until which it lasts at least."""
        self._db.forget("outages")
        self._db.change(t.outages, {"id": number}, until=until)

    def drop_outage(self, number: int) -> bool:
        """Delete an outage. Return False if there is no such outage."""
        self._db.forget("outages")
        return self._db.dropped(t.outages, id=number)

    def absences(self, userid: str) -> list[Absence]:
        """Return the absences of a player, in the order of their beginnings."""
        found = self._db.ordered(Absence, t.absences, "begin", "id", userid=userid)
        return [each._replace(until=_open(each.until)) for each in found]

    def leaves(self, now: Epoch) -> list[Absence]:
        """Return the leaves of all players that end after ``now``, in the order of their beginnings."""
        return self._db.all(
            Absence,
            """
            SELECT id, userid, begin, until, kind, made, zone FROM absences
            WHERE until > :now AND kind IN ('leave', 'auto') ORDER BY begin, id
            """,
            now=now,
        )

    def add_absence(
        self,
        userid: str,
        begin: Epoch,
        until: Epoch | None,
        kind: str,
        made: Epoch,
        zone: str = "UTC",
    ) -> None:
        """Add an absence, in which a player's clocks are stopped. It may have no end yet."""
        values: dict[str, Any] = {"userid": userid, "begin": begin, "until": until}
        self._db.add(t.absences, kind=kind, made=made, zone=zone, **values)
        self._db.forget("user")
        self._db.do(
            "UPDATE users SET away = :until WHERE userid = :userid AND (away IS NULL OR away < :until)",
            userid=userid,
            until=_FOREVER if until is None else until,
        )

    def add_grant(self, userid: str, at: Epoch, until: Epoch, zone: str) -> None:
        """Give a player more leave in a year: as many days as there are from ``at`` to ``until``."""
        values = {"userid": userid, "begin": at, "until": until, "zone": zone}
        self._db.add(t.absences, kind=GRANT, made=at, **values)

    def end_absence(self, number: int, until: Epoch) -> None:
        """Set the end of an absence."""
        self._db.change(t.absences, {"id": number}, until=until)

    def drop_absence(self, number: int) -> None:
        """Delete an absence."""
        self._db.drop(t.absences, id=number)

    def reminders(self, board: int, resets: int, seq: int) -> list[tuple[str, int, float]]:
        """Return (stage, letter, at) of the reminders sent for that turn."""
        return self._db.rows(
            "SELECT stage, letter, at FROM reminders"
            " WHERE board = :board AND resets = :resets AND seq = :seq",
            board=board,
            resets=resets,
            seq=seq,
        )

    def add_reminder(
        self, board: int, resets: int, seq: int, stage: str, letter: int, at: Epoch
    ) -> None:
        """Note a reminder. The primary key refuses a second one of the same stage."""
        self._db.add(
            t.reminders, board=board, resets=resets, seq=seq, stage=stage, letter=letter, at=at
        )

    def drop_reminder(self, board: int, resets: int, seq: int, stage: str) -> None:
        """Forget a reminder, so that it comes again."""
        self._db.drop(t.reminders, board=board, resets=resets, seq=seq, stage=stage)


def _open(until: Epoch | None) -> Epoch:
    return inf if until is None else until
