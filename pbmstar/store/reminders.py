"""Reminders: which have been sent for which turn."""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, Table, Text, delete, insert, select

from . import tables as t
from .statements import Connection, every, p

# Which reminder has been sent for which turn: one row, one letter.
reminders = Table(
    "reminders",
    t.metadata,
    Column("board", Integer, primary_key=True),
    Column("resets", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True),  # of the turn: the record's length
    # nag 0, nag 1, ..., unreached, ask; a warning with the end of the turn that it names
    Column("stage", Text, primary_key=True),
    Column("letter", Integer, nullable=False),  # outbox.id
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

_reminders = reminders.c
_REMINDED = select(_reminders.stage, _reminders.letter, _reminders.at).where(
    _reminders.board == p("board"),
    _reminders.resets == p("resets"),
    _reminders.seq == p("seq"),
)
_DROP_REMINDER = delete(reminders).where(
    _reminders.board == p("board"),
    _reminders.resets == p("resets"),
    _reminders.seq == p("seq"),
    _reminders.stage == p("stage"),
)
_ADD_REMINDER = insert(reminders).values(**every(reminders))


class Reminders(Connection):
    """The part of a transaction that knows which reminders were sent."""

    def reminded(self, board: int, resets: int, seq: int) -> list[tuple[str, int, float]]:
        """(stage, letter, at) of the reminders sent for that turn."""
        return list(self._run(_REMINDED, board=board, resets=resets, seq=seq).fetchall())

    def add_reminder(
        self, board: int, resets: int, seq: int, stage: str, letter: int, at: float
    ) -> None:
        """Note a reminder. The primary key refuses a second of the same stage."""
        self._do(
            _ADD_REMINDER, board=board, resets=resets, seq=seq, stage=stage, letter=letter, at=at
        )

    def drop_reminder(self, board: int, resets: int, seq: int, stage: str) -> None:
        """Forget a reminder: it comes again."""
        self._do(_DROP_REMINDER, board=board, resets=resets, seq=seq, stage=stage)
