"""Counts of each day: mails, moves, letters, games, players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sqlalchemy import BigInteger, case, cast, func, literal_column, select
from sqlalchemy.sql.elements import ColumnElement

from ..match.terms import DAY
from . import schema as t
from .statements import Subject, p

_handled, _moves, _boards, _outbox, _users = (
    t.handled.c, t.moves.c, t.boards.c, t.outbox.c, t.users.c,
)  # fmt: skip
# Whole seconds: SQLite and PostgreSQL round a quotient of others in two ways.
_SECONDS = int(DAY)


def _day(at: ColumnElement[Any]) -> Any:
    """Return how many whole days a time is after ``since``."""
    return (cast(at, BigInteger) - p("since")) / literal_column(str(_SECONDS))


def _by_day(at: ColumnElement[Any], *counted: ColumnElement[Any]) -> Any:
    """Return a query for the rows since then, by day: their number, and what else is counted."""
    day = _day(at)
    return select(day, func.count(), *counted).where(at >= p("since")).group_by(day)


_bot = _moves.userid.in_([literal_column(f"'{bot}'") for bot in t.BOTS])
_author = case(((_handled.proved == 1) & (_handled.userid != ""), _handled.userid))
_MAILS = _by_day(_handled.at, func.count(func.distinct(_author)))
_MOVES = _by_day(_moves.at, func.count(case((_bot, 1))))
_LETTERS = _by_day(_outbox.made, func.count(case((_outbox.state == "dead", 1))))
_BEGUN = _by_day(_boards.made)
_ENDED = _by_day(_boards.since).where(_boards.to_move == "")
_JOINED = _by_day(_users.made).where(_users.state != "bot")
_PLAYED = (
    select(_boards.game, func.count())
    .join(t.moves, _moves.board == _boards.board)
    .where(_moves.at >= p("since"))
    .group_by(_boards.game)
)
_CODES = (
    select(_handled.codes, func.count())
    .where(_handled.at >= p("since"), _handled.codes != "")
    .group_by(_handled.codes)
)


class Days(Subject):
    """Counts by day. A day is 24 hours long; the first one begins at ``since``, a whole second."""

    def counts(self, since: int) -> Mapping[str, Mapping[int, int]]:
        """Return, by what is counted, {day: how many}; a day without any is left out."""
        self._db.write()
        counts: dict[str, dict[int, int]] = {}
        for statement, names in (
            (_MAILS, ("mails", "active")),
            (_MOVES, ("moves", "bot_moves")),
            (_LETTERS, ("letters", "refused_letters")),
            (_BEGUN, ("begun",)),
            (_ENDED, ("ended",)),
            (_JOINED, ("joined",)),
        ):
            rows = self._db.rows(statement, since=since)
            for place, name in enumerate(names, 1):
                counts[name] = {int(row[0]): int(row[place]) for row in rows if row[place]}
        return counts

    def moves_by_game(self, since: int) -> Mapping[str, int]:
        """Count the moves since then by the game's word."""
        return {str(word): int(count) for word, count in self._db.run(_PLAYED, since=since)}

    def reasons(self, since: int) -> Mapping[str, int]:
        """Count by its code what was refused or ignored since then."""
        self._db.write()
        reasons: Counter[str] = Counter()
        for codes, count in self._db.run(_CODES, since=since):
            for code in str(codes).split():
                reasons[code] += int(count)
        return reasons
