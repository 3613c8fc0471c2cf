"""Digests: when the next one of a player is due, what waits for it, and what those sent had in them."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Double,
    Index,
    Integer,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from . import tables as t
from .statements import PRUNED, Connection, every, p

# A letter with several boards, which can be answered by lines of a board's number and a move.
digests = Table(
    "digests",
    t.metadata,
    Column("id", Integer, primary_key=True),
    Column("userid", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("boards", Text, nullable=False),  # between blanks, the turn of each: board.resets.length
    Index("digests_at", "at"),
    Index("digests_userid", "userid", "at"),
    sqlite_autoincrement=True,
)
# What a player is to be told of a board by the next digest, instead of by a letter of its own.
untold = Table(
    "untold",
    t.metadata,
    Column("id", Integer, primary_key=True),
    Column("userid", Text, nullable=False),
    Column("board", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    Index("untold_userid", "userid"),
    sqlite_autoincrement=True,
)

_users, _digests, _untold = t.users.c, digests.c, untold.c
_DUE = (
    select(_users.userid, _users.digest_due)
    .where(_users.digest_due <= p("now"))
    .order_by(_users.digest_due)
    .limit(p("count"))
)
_MOVE_ON = (
    update(t.users)
    .where(_users.userid == p("who"), _users.digest_due == p("was"))
    .values(digest_due=p("due"))
)
_ADD = insert(digests).values(**every(digests, "id")).returning(_digests.id)
_LAST = select(func.max(_digests.at)).where(_digests.userid == p("userid"))
_DIGEST = select(_digests.userid, _digests.boards).where(_digests.id == p("number"))
_PRUNE = delete(digests).where(
    _digests.id.in_(select(_digests.id).where(_digests.at < p("before")).limit(PRUNED))
)
_ADD_UNTOLD = insert(untold).values(**every(untold, "id"))
_UNTOLD = (
    select(_untold.board, _untold.data).where(_untold.userid == p("userid")).order_by(_untold.id)
)
_DROP_UNTOLD = delete(untold).where(_untold.userid == p("userid"))


class Digests(Connection):
    """The part of a transaction that knows digests."""

    def digests_due(self, now: float, count: int) -> list[tuple[str, float]]:
        """The userids of at most ``count`` players whose digest is due, and since when it is."""
        return [(userid, due) for userid, due in self._run(_DUE, now=now, count=count).fetchall()]

    def move_digest_on(self, userid: str, was: float, due: float | None) -> bool:
        """The next digest is due then, or none any more. False if it is not due any more when it ``was``."""
        self._forget("user", userid)
        return bool(self._changed(_MOVE_ON, who=userid, was=was, due=due))

    def add_digest(self, userid: str, at: float, boards: str) -> int:
        """Keep which turns a digest had in it; returns its number."""
        return int(self._row(_ADD, userid=userid, at=at, boards=boards)[0])

    def last_digest(self, userid: str) -> float | None:
        """When a player last got a digest; None if that is not known."""
        at: float | None = self._row(_LAST, userid=userid)[0]
        return at

    def digest(self, number: int) -> tuple[str, str] | None:
        """Whose digest that is, and the turns in it; None if it is not known any more."""
        row = self._row(_DIGEST, number=number)
        return (row[0], row[1]) if row else None

    def leave_untold(self, userid: str, board: int, at: float, data: str) -> None:
        """Keep something for a player's next digest."""
        self._do(_ADD_UNTOLD, userid=userid, board=board, at=at, data=data)

    def untold(self, userid: str) -> list[tuple[int, str]]:
        """What waits for a player's next digest, the oldest first: the board, and JSON."""
        return [(board, data) for board, data in self._run(_UNTOLD, userid=userid).fetchall()]

    def drop_untold(self, userid: str) -> None:
        """It has been told."""
        self._do(_DROP_UNTOLD, userid=userid)

    def prune_digests(self, before: float) -> bool:
        """Forget older digests: replies to them do nothing. True if there may be more."""
        return self._changed(_PRUNE, before=before) == PRUNED
