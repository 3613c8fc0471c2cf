"""The notebook of the players: previews, notes, comments, and best results of puzzles."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Text, and_, cast, delete, func, insert, or_, select

from ...match import Noted
from .. import schema as t
from ..statements import Subject, by, every, keep, p, upsert


class Draft(NamedTuple):
    """Moves on a position; see ``drafts``."""

    resets: int
    length: int
    moves: str


class Note(NamedTuple):
    """A note; see ``notes``."""

    n: int
    at: float
    move: int
    text: str


class Comment(NamedTuple):
    """A comment of a player to the opponent; see ``comments``."""

    length: int
    userid: str
    at: float
    text: str


class Best(NamedTuple):
    """A player's best result in a puzzle; see schema.bests."""

    game: str
    options: str
    userid: str
    rank: int
    turns: int
    at: float
    board: int
    note: str


_drafts, _notes, _comments, _bests = t.drafts.c, t.notes.c, t.comments.c, t.bests.c

_DRAFT = select(_drafts.resets, _drafts.length, _drafts.moves).where(
    _drafts.board == p("board"), _drafts.userid == p("userid")
)
_SET_DRAFT = keep(t.drafts)
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
    cast(p("userid"), Text),  # PostgreSQL wants one type for a parameter that is used twice
    func.coalesce(func.max(_notes.n) + 1, 0),
    p("at"),
    p("move"),
    p("text"),
).where(*_mine)
_ADD_NOTE = insert(t.notes).from_select(["board", "userid", "n", "at", "move", "text"], _next_note)
_DROP_NOTES = delete(t.notes).where(*_mine, _notes.n <= p("last"))
_next_comment = select(p("board"), func.coalesce(func.max(_comments.n) + 1, 0)).where(
    _comments.board == p("board")
)
_ADD_COMMENT = insert(t.comments).from_select(
    ["board", "n", "length", "userid", "at", "text"],
    _next_comment.add_columns(p("length"), p("userid"), p("at"), p("text")),
)
_COMMENTS = (
    select(_comments.length, _comments.userid, _comments.at, _comments.text)
    .where(_comments.board == p("board"))
    .order_by(_comments.n)
)
_new_best = upsert(t.bests).values(**every(t.bests))
_KEEP_BEST = _new_best.on_conflict_do_update(
    index_elements=["game", "options", "userid"],
    set_={name: _new_best.excluded[name] for name in ("rank", "turns", "at", "board", "note")},
    where=or_(
        _new_best.excluded.rank < _bests.rank,
        and_(_new_best.excluded.rank == _bests.rank, _new_best.excluded.turns < _bests.turns),
    ),
)
_BEST = select(_bests.rank, _bests.turns).where(
    _bests.game == p("game"), _bests.options == p("options"), _bests.userid == p("userid")
)
_BESTS = (
    select(t.bests)
    .where(by(_bests, "game", "options"))
    .order_by(_bests.rank, _bests.turns, _bests.at)
    .limit(p("count"))
)


class Notebook(Subject):
    """Texts and results that players keep besides the record of a board."""

    def draft(self, board: int, userid: str) -> Draft | None:
        """Return the last preview of a player on a board; None if there is none."""
        return self._db.one(Draft, _DRAFT, board=board, userid=userid)

    def set_draft(self, board: int, userid: str, draft: Draft) -> None:
        """Keep a player's preview, in place of the one before."""
        self._db.do(_SET_DRAFT, board=board, userid=userid, **draft._asdict())

    def notes(self, board: int, userid: str) -> list[Note]:
        """Return a player's notes on a board, the oldest first."""
        return self._db.all(Note, _NOTES, board=board, userid=userid)

    def last_notes(self, board: int) -> tuple[Noted, ...]:
        """Return the last note of each player on a board."""
        return tuple(Noted(*row) for row in self._db.rows(_LAST_NOTES, board=board))

    def add_note(self, board: int, userid: str, at: float, move: int, text: str) -> None:
        """Keep a note."""
        self._db.forget("board", board)
        self._db.do(_ADD_NOTE, board=board, userid=userid, at=at, move=move, text=text)

    def drop_notes(self, board: int, userid: str, last: int) -> None:
        """Forget a player's notes on a board up to that number."""
        self._db.forget("board", board)
        self._db.do(_DROP_NOTES, board=board, userid=userid, last=last)

    def add_comment(self, board: int, length: int, userid: str, at: float, text: str) -> None:
        """Keep a player's comment to the opponent."""
        self._db.do(_ADD_COMMENT, board=board, length=length, userid=userid, at=at, text=text)

    def comments(self, board: int) -> list[Comment]:
        """Return the comments of the players of a board, in order."""
        return self._db.all(Comment, _COMMENTS, board=board)

    def keep_best(self, best: Best) -> None:
        """Keep a player's result in a puzzle, if it is better than the one before."""
        self._db.do(_KEEP_BEST, **best._asdict())

    def best(self, game: str, options: str, userid: str) -> tuple[int, int] | None:
        """Return rank and turns of a player's best result; None if there is none."""
        row = self._db.row(_BEST, game=game, options=options, userid=userid)
        return (int(row[0]), int(row[1])) if row else None

    def bests(self, game: str, options: str, count: int) -> list[Best]:
        """Return the best results of at most ``count`` players, the best first, equal ones by time."""
        return self._db.all(Best, _BESTS, game=game, options=options, count=count)
