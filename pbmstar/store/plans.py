"""What players plan on boards."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from ..match import Match
from ..match.plans import write
from . import tables as t
from .rows import PlanRow
from .statements import Connection, every, p

_plans = t.plans.c
_PLANS = (
    select(_plans.userid, _plans.resets, _plans.length, _plans.plan)
    .where(_plans.board == p("board"))
    .order_by(_plans.userid)
)
_ADD_PLAN = insert(t.plans).values(**every(t.plans))
_DROP_PLANS = delete(t.plans).where(_plans.board == p("board"))


class Plans(Connection):
    """The part of a transaction that knows plans."""

    def plans(self, board: int) -> list[PlanRow]:
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
