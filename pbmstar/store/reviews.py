"""Reviews of finished games: those that were made, and who waits for one."""

from __future__ import annotations

from sqlalchemy import Column, Double, Index, Integer, Table, Text, delete, func, insert, select

from . import tables as t
from .statements import Connection, every, p, upsert

# Who waits for the review of which board, since when.
reviews = Table(
    "reviews",
    t.metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Index("reviews_at", "at"),
    sqlite_with_rowid=False,
)
# What a review has found; of a board that was put back since it is not looked at.
reviewed = Table(
    "reviewed",
    t.metadata,
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("resets", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("data", Text, nullable=False),  # JSON
)

_reviews, _reviewed = reviews.c, reviewed.c
_WAIT = (
    upsert(reviews)
    .values(**every(reviews))
    .on_conflict_do_nothing(index_elements=["board", "userid"])
)
_COUNT = select(func.count()).select_from(reviews)
_NEXT = select(_reviews.board).order_by(_reviews.at, _reviews.board).limit(p("count"))
_READERS = select(_reviews.userid).where(_reviews.board == p("board")).order_by(_reviews.userid)
_DROP_WAITING = delete(reviews).where(_reviews.board == p("board"))
_FOUND = select(_reviewed.data).where(
    _reviewed.board == p("board"),
    _reviewed.resets == p("resets"),
    _reviewed.length == p("length"),
)
_DROP = delete(reviewed).where(_reviewed.board == p("board"))
_ADD = insert(reviewed).values(**every(reviewed))


class Reviews(Connection):
    """The part of a transaction that knows reviews."""

    def await_review(self, board: int, userid: str, at: float) -> None:
        """Note that somebody waits for the review of a board."""
        self._do(_WAIT, board=board, userid=userid, at=at)

    def reviews_awaited(self) -> int:
        """How many letters with a review are waited for."""
        return int(self._row(_COUNT)[0])

    def boards_to_review(self, count: int) -> list[int]:
        """At most so many boards whose review is waited for, for the longest time first."""
        return [number for (number,) in self._run(_NEXT, count=count).fetchall()]

    def end_review(self, board: int) -> list[str]:
        """Who has waited for the review of a board; nobody does any more."""
        readers = [userid for (userid,) in self._run(_READERS, board=board).fetchall()]
        self._do(_DROP_WAITING, board=board)
        return readers

    def review(self, board: int, resets: int, length: int) -> str | None:
        """What the review of a board as it stands has found, as JSON; None if none was made."""
        row = self._row(_FOUND, board=board, resets=resets, length=length)
        return str(row[0]) if row else None

    def keep_review(self, board: int, resets: int, length: int, data: str) -> None:
        """Keep what the review of a board has found."""
        self._do(_DROP, board=board)
        self._do(_ADD, board=board, resets=resets, length=length, data=data)
