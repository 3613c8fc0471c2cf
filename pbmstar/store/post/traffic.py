"""Traffic: counts of mails, moves and letters by day and by player, and the state of single letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, case, cast, func, literal_column, or_, select
from sqlalchemy.sql.elements import ColumnElement

from ...match.terms import DAY
from .. import schema as t
from ..statements import Subject, p


class Unsent(NamedTuple):
    """A letter that waits or was refused for good, with its address and the relay's words."""

    address: str
    state: str
    made: float
    trouble: str


QUEUED = "queued as "  # and the id that the relay gave a letter

_handled, _moves, _boards, _outbox, _users = (
    t.handled.c, t.moves.c, t.boards.c, t.outbox.c, t.users.c,
)  # fmt: skip
# Whole seconds: SQLite and PostgreSQL round a quotient of other numbers differently.
_SECONDS = int(DAY)


def _day(at: ColumnElement[Any]) -> Any:
    """Return the number of whole days from ``since`` to a time."""
    return (cast(at, BigInteger) - p("since")) / literal_column(str(_SECONDS))


def _by_day(at: ColumnElement[Any], *counted: ColumnElement[Any]) -> Any:
    """Return a query for the rows from ``since`` on, by day: their number, and the other counts."""
    day = _day(at)
    return select(day, func.count(), *counted).where(at >= p("since")).group_by(day)


_bot = _moves.userid.in_([literal_column(f"'{bot}'") for bot in t.BOTS])
_author = case(((_handled.proved == 1) & (_handled.userid != ""), _handled.userid))
_MAILS_BY_DAY = _by_day(_handled.at, func.count(func.distinct(_author)))
_MOVES = _by_day(_moves.at, func.count(case((_bot, 1))))
_LETTERS_BY_DAY = _by_day(_outbox.made, func.count(case((_outbox.state == "dead", 1))))
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
_UNSENT = select(*(_outbox[name] for name in Unsent._fields)).where(
    or_(_outbox.state == literal_column("'new'"), _outbox.state == literal_column("'dead'"))
)
_FIND = (
    select(_outbox.id)
    .where(
        or_(
            _outbox.message_id == p("message"),
            (_outbox.state == literal_column("'sent'")) & (_outbox.trouble == p("queued")),
        )
    )
    .order_by(_outbox.id)
)
_LETTERS = (
    select(_outbox.userid, func.count()).where(_outbox.made >= p("since")).group_by(_outbox.userid)
)
_MAILS = (
    select(_handled.userid, func.count()).where(_handled.at >= p("since")).group_by(_handled.userid)
)


class Traffic(Subject):
    """Queries over many mails and letters. No mail in progress needs them."""

    def unsent(self) -> list[Unsent]:
        """Return the letters that wait or were refused for good."""
        self._db.write()
        return self._db.all(Unsent, _UNSENT)

    def letters_of(self, name: str) -> list[int]:
        """Return the numbers of the letters with a Message-ID, or with an id in the relay's queue."""
        self._db.write()
        message = name if name.startswith("<") else f"<{name}>"
        rows = self._db.rows(_FIND, message=message, queued=QUEUED + name)
        return [number for (number,) in rows]

    def letters(self, since: float) -> dict[str, int]:
        """Count the letters written from ``since`` on, by userid; it is empty for those to no account."""
        self._db.write()
        return dict(self._db.rows(_LETTERS, since=since))

    def mails(self, since: float) -> dict[str, int]:
        """Count the mails that came from ``since`` on, by userid; it is empty for those of no account."""
        self._db.write()
        return dict(self._db.rows(_MAILS, since=since))

    def by_day(self, since: int) -> Mapping[str, Mapping[int, int]]:
        """Return {day: number} by the name of each count; a day with none is left out.

        A day is 24 hours long; the first one begins at ``since``, a whole second.
        """
        self._db.write()
        counts: dict[str, dict[int, int]] = {}
        for statement, names in (
            (_MAILS_BY_DAY, ("mails", "active")),
            (_MOVES, ("moves", "bot_moves")),
            (_LETTERS_BY_DAY, ("letters", "refused_letters")),
            (_BEGUN, ("begun",)),
            (_ENDED, ("ended",)),
            (_JOINED, ("joined",)),
        ):
            rows = self._db.rows(statement, since=since)
            for place, name in enumerate(names, 1):
                counts[name] = {int(row[0]): int(row[place]) for row in rows if row[place]}
        return counts

    def moves_by_game(self, since: int) -> Mapping[str, int]:
        """Count the moves from ``since`` on, by the game's word."""
        return {str(word): int(count) for word, count in self._db.run(_PLAYED, since=since)}

    def reasons(self, since: int) -> Mapping[str, int]:
        """Count the refusals and ignored mails from ``since`` on, by their codes."""
        self._db.write()
        reasons: Counter[str] = Counter()
        for codes, count in self._db.run(_CODES, since=since):
            for code in str(codes).split():
                reasons[code] += int(count)
        return reasons
