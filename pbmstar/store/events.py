"""What happened to boards beside their moves."""

from __future__ import annotations

from sqlalchemy import func, insert, select

from ..match import Event
from . import tables as t
from .statements import Connection, p

_events = t.events.c
_next_event = select(p("board"), func.coalesce(func.max(_events.n) + 1, 0)).where(
    _events.board == p("board")
)
_ADD_EVENT = insert(t.events).from_select(
    ["board", "n", "at", "userid", "kind", "data"],
    _next_event.add_columns(p("at"), p("userid"), p("kind"), p("data")),
)
_EVENTS = (
    select(_events.n, _events.at, _events.userid, _events.kind, _events.data)
    .where(_events.board == p("board"))
    .order_by(_events.n)
)


class Events(Connection):
    """The part of a transaction that knows events."""

    def add_event(self, board: int, at: float, userid: str, kind: str, data: str) -> None:
        """Note what happened to a board beside its moves."""
        self._do(_ADD_EVENT, board=board, at=at, userid=userid, kind=kind, data=data)

    def events(self, board: int) -> list[Event]:
        """What happened to a board beside its moves, in order."""
        return [Event(*row) for row in self._run(_EVENTS, board=board).fetchall()]
