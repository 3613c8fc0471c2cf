"""Addresses without an account that asked what this is: how often they were told, and when last."""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, Table, Text, select

from . import tables as t
from .statements import Connection, p, upsert

# Of an address only a hash is kept. Rows stay: nobody is told more than a few times, ever.
guests = Table(
    "guests",
    t.metadata,
    Column("mark", Text, primary_key=True),
    Column("letters", Integer, nullable=False),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

_GUEST = select(guests.c.letters, guests.c.at).where(guests.c.mark == p("mark"))
_new = upsert(guests).values(mark=p("mark"), letters=1, at=p("at"))
_COUNT = _new.on_conflict_do_update(
    index_elements=["mark"], set_={"letters": guests.c.letters + 1, "at": _new.excluded.at}
)


class Guests(Connection):
    """The part of a transaction that knows whom we have told what this is."""

    def guest(self, mark: str) -> tuple[int, float]:
        """How often the address of that mark, see identity.address_mark, was told, and when last."""
        letters, at = self._row(_GUEST, mark=mark) or (0, 0.0)
        return int(letters), float(at)

    def count_guest(self, mark: str, at: float) -> None:
        """Count one more letter that tells it."""
        self._do(_COUNT, mark=mark, at=at)
