"""What players write on boards: notes for themselves, and words to each other."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Column, Double, Integer, Table, Text, cast, delete, func, insert, select

from ..match import Noted
from . import tables as t
from .statements import Connection, p

# What a player has noted about a board: nobody else is told of it.
notes = Table(
    "notes",
    t.metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("move", Integer, nullable=False),  # moves made until then
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

# What the players of a board have written to each other.
comments = Table(
    "comments",
    t.metadata,
    Column("board", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("length", Integer, nullable=False),  # entries of the record then
    Column("userid", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

_notes, _comments = notes.c, comments.c
_mine = (_notes.board == p("board"), _notes.userid == p("userid"))
_NOTES = select(_notes.n, _notes.at, _notes.move, _notes.text).where(*_mine).order_by(_notes.n)
_newest = (
    select(_notes.userid, func.max(_notes.n).label("n"))
    .where(_notes.board == p("board"))
    .group_by(_notes.userid)
    .subquery()
)
_LAST_NOTES = (
    select(_notes.userid, _notes.move, _notes.text)
    .join(_newest, (_newest.c.userid == _notes.userid) & (_newest.c.n == _notes.n))
    .where(_notes.board == p("board"))
    .order_by(_notes.userid)
)
_next_note = select(
    p("board"),
    cast(p("userid"), Text),  # PostgreSQL wants one type for a parameter that comes twice
    func.coalesce(func.max(_notes.n) + 1, 0),
    p("at"),
    p("move"),
    p("text"),
).where(*_mine)
_ADD_NOTE = insert(notes).from_select(["board", "userid", "n", "at", "move", "text"], _next_note)
_DROP_NOTES = delete(notes).where(*_mine, _notes.n <= p("last"))
_next_comment = select(p("board"), func.coalesce(func.max(_comments.n) + 1, 0)).where(
    _comments.board == p("board")
)
_ADD_COMMENT = insert(comments).from_select(
    ["board", "n", "length", "userid", "at", "text"],
    _next_comment.add_columns(p("length"), p("userid"), p("at"), p("text")),
)
_COMMENTS = (
    select(_comments.length, _comments.userid, _comments.at, _comments.text)
    .where(_comments.board == p("board"))
    .order_by(_comments.n)
)


class Note(NamedTuple):
    """A note; see ``notes``."""

    n: int
    at: float
    move: int
    text: str


class Comment(NamedTuple):
    """What a player has written to the opponent; see ``comments``."""

    length: int
    userid: str
    at: float
    text: str


class Notes(Connection):
    """The part of a transaction that knows what players write."""

    def notes_of(self, board: int, userid: str) -> list[Note]:
        """A player's notes on a board, the oldest first."""
        return [Note(*row) for row in self._run(_NOTES, board=board, userid=userid).fetchall()]

    def last_notes(self, board: int) -> tuple[Noted, ...]:
        """The last note of each player on a board."""
        return tuple(Noted(*row) for row in self._run(_LAST_NOTES, board=board).fetchall())

    def add_note(self, board: int, userid: str, at: float, move: int, text: str) -> None:
        """Keep a note."""
        self._forget("board", board)
        self._do(_ADD_NOTE, board=board, userid=userid, at=at, move=move, text=text)

    def drop_notes(self, board: int, userid: str, last: int) -> None:
        """Forget a player's notes on a board up to that number."""
        self._forget("board", board)
        self._do(_DROP_NOTES, board=board, userid=userid, last=last)

    def add_comment(self, board: int, length: int, userid: str, at: float, text: str) -> None:
        """Keep what a player has written to the opponent."""
        self._do(_ADD_COMMENT, board=board, length=length, userid=userid, at=at, text=text)

    def comments(self, board: int) -> list[Comment]:
        """What the players of a board have written to each other, in order."""
        return [Comment(*row) for row in self._run(_COMMENTS, board=board).fetchall()]
