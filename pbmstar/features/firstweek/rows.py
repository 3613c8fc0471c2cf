"""The tips that players were given."""

from __future__ import annotations

from ...machine.times import Epoch
from ...store.statements import Subject
from . import tables as t


class Tips(Subject):
    """Tips that players were given."""

    def given(self, userid: str) -> dict[str, float]:
        """Return the time of each tip that a player was given."""
        rows = self._db.rows("SELECT tip, at FROM tips WHERE userid = :userid", userid=userid)
        return {str(tip): float(at) for tip, at in rows}

    def give(self, userid: str, tip: str, at: Epoch) -> None:
        """Note that a player is given a tip."""
        self._db.add(t.tips, userid=userid, tip=tip, at=at)
