"""What players plan on boards."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table, Text, delete, insert, select

from ..match import Match
from ..match.plans import write
from . import tables as t
from .rows import PlanRow
from .statements import Connection, every, p

# What a player will answer on a board: nobody else is told of it. It is for the position after so
# many resets and entries, and void on any other.
plans = Table(
    "plans",
    t.metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("resets", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("plan", Text, nullable=False),  # as match.plans writes it
    sqlite_with_rowid=False,
)

_plans = plans.c
_PLANS = (
    select(_plans.userid, _plans.resets, _plans.length, _plans.plan)
    .where(_plans.board == p("board"))
    .order_by(_plans.userid)
)
_ADD_PLAN = insert(plans).values(**every(plans))
_DROP_PLANS = delete(plans).where(_plans.board == p("board"))


class Plans(Connection):
    """The part of a transaction that knows plans."""

    def plans_of(self, board: int) -> list[PlanRow]:
        """The plans on a board."""
        return [PlanRow(*row) for row in self._run(_PLANS, board=board).fetchall()]

    def set_plans(self, match: Match) -> None:
        """Keep the plans of a match, and no others, for the position as it is."""
        self.drop_plans(match.number)
        place = {"board": match.number, "resets": match.resets, "length": len(match.record)}
        for userid, plan in match.plans:
            self._do(_ADD_PLAN, **place, userid=userid, plan=write(plan))

    def drop_plans(self, board: int) -> None:
        """Forget the plans on a board."""
        self._do(_DROP_PLANS, board=board)
