"""The tips that players were given."""

from __future__ import annotations

from sqlalchemy import Float, Table, Text

from ...machine.times import Epoch
from ...store.columns import primary, required, table
from ...store.statements import Repository

tips = table("tips", *primary(userid=Text, tip=Text), *required(at=Float), own=True)

TABLES: tuple[Table, ...] = (tips,)


class Tips(Repository):
    """Tips that players were given."""

    def given(self, userid: str) -> dict[str, float]:
        """Return the time of each tip that a player was given."""
        rows = self._db.rows("SELECT tip, at FROM tips WHERE userid = :userid", userid=userid)
        return {str(tip): float(at) for tip, at in rows}

    def give(self, userid: str, tip: str, at: Epoch) -> None:
        """Note that a player is given a tip."""
        self._db.add(tips, userid=userid, tip=tip, at=at)
