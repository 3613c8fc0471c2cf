"""Moves that players have had previewed, and may play by saying yes."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Column, Integer, Table, Text, select

from . import tables as t
from .statements import Connection, every, p, upsert

# The newest preview of each player on a board, of a position after so many resets and entries.
drafts = Table(
    "drafts",
    t.metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("resets", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("moves", Text, nullable=False),  # between them ", "
    sqlite_with_rowid=False,
)

_drafts = drafts.c
_DRAFT = select(_drafts.resets, _drafts.length, _drafts.moves).where(
    _drafts.board == p("board"), _drafts.userid == p("userid")
)
_new = upsert(drafts).values(**every(drafts))
_SET_DRAFT = _new.on_conflict_do_update(
    index_elements=["board", "userid"],
    set_={name: _new.excluded[name] for name in ("resets", "length", "moves")},
)


class Draft(NamedTuple):
    """Moves on a position; see ``drafts``."""

    resets: int
    length: int
    moves: str


class Drafts(Connection):
    """The part of a transaction that knows previews."""

    def draft(self, board: int, userid: str) -> Draft | None:
        """What a player has had previewed last on a board."""
        row = self._row(_DRAFT, board=board, userid=userid)
        return Draft(*row) if row else None

    def set_draft(self, board: int, userid: str, draft: Draft) -> None:
        """Keep what a player has had previewed, in the place of what was before."""
        self._do(_SET_DRAFT, board=board, userid=userid, **draft._asdict())
