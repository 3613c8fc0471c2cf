"""Bots: their accounts, and the boards that wait for one of them, which are the queue."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import and_, literal_column, select

from . import tables as t
from .accounts import Accounts
from .rows import User
from .statements import p

_boards, _seats, _users = t.boards.c, t.seats.c, t.users.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_waits = _boards.to_move.in_([literal_column(f"'{bot}'") for bot in t.BOTS])
_TURNS = (
    select(_boards.board, _boards.to_move, _seats.userid, _boards.since)
    .join(t.seats, and_(_seats.board == _boards.board, _seats.userid != _boards.to_move))
    .join(t.users, and_(_users.userid == _boards.to_move, _users.state == "bot"))
    .where(_waits)
    .order_by(_boards.since, _boards.board)
    .limit(p("count"))
)
_BOTS = select(t.users).where(_users.state == "bot").order_by(_users.userid)


class BotTurn(NamedTuple):
    """A board on which a bot is to move: against whom, and since when."""

    board: int
    bot: str
    person: str
    since: float


class Bots(Accounts):
    """The part of a transaction that knows bots."""

    def bots(self) -> list[User]:
        """The accounts that are bots."""
        return [User(*row) for row in self._run(_BOTS)]

    def bot_turns(self, count: int) -> list[BotTurn]:
        """At most so many boards on which a bot is to move, the oldest turn first."""
        return [BotTurn(*row) for row in self._run(_TURNS, count=count)]
