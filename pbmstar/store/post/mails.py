"""Incoming mails that have had their effect, and the traffic by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, and_, case, cast, delete, func, literal_column, or_, select
from sqlalchemy.sql.elements import ColumnElement

from ...match import programs
from ...match.terms import DAY
from .. import schema as t
from ..statements import PRUNED, Subject, by, fields, p, quoted


class Handled(NamedTuple):
    """A mail that has had its effect; see schema.handled."""

    at: float
    outcome: str
    mail: str
    message: str
    userid: str
    proved: int
    commands: tuple[str, ...]
    codes: tuple[str, ...]
    letters: tuple[int, ...]
    authentic: str
    said: tuple[str, ...] = ()


# The columns of a mark until the fate of the mail is known.
_UNDESCRIBED = {
    "outcome": "applied", "mail": "", "message": "", "userid": "", "commands": "", "codes": "",
    "letters": "", "proved": 0, "authentic": "", "said": "",
}  # fmt: skip
_handled, _moves, _boards = t.handled.c, t.moves.c, t.boards.c
_outbox, _users = t.outbox.c, t.users.c

_LAST_RECEIVED = select(func.max(_handled.at))
_FIND = (
    select(*fields(t.handled, Handled))
    .where(
        or_(
            and_(_handled.mail == p("mail"), _handled.mail != ""),
            and_(_handled.message == p("message"), _handled.message != ""),
            and_(_handled.userid == p("userid"), _handled.userid != ""),
            _handled.commands.like(p("board"), escape="\\"),
            _handled.letters.like(p("letter"), escape="\\"),
        )
    )
    .order_by(_handled.at.desc(), func.length(_handled.mail).desc(), _handled.mail.desc())
    .limit(p("count"))
)
_OUTCOMES = select(_handled.outcome, func.count()).group_by(_handled.outcome)
_AUTHORS = select(func.count(func.distinct(_handled.userid))).where(
    _handled.at >= p("since"), _handled.proved == 1, _handled.userid != ""
)
_LAST_SEEN = select(func.max(_handled.at)).where(by(t.handled, "userid"), _handled.proved == 1)
_BY_AUTHOR = (
    select(_handled.userid, func.count()).where(_handled.at >= p("since")).group_by(_handled.userid)
)
_CODES = (
    select(_handled.codes, func.count())
    .where(_handled.at >= p("since"), _handled.codes != "")
    .group_by(_handled.codes)
)
_PRUNE_HANDLED = delete(t.handled).where(
    _handled.digest.in_(
        select(_handled.digest)
        .where(or_(_handled.at < p("before"), _handled.at > p("beyond")))
        .limit(p("most"))
    )
)

# Whole seconds: SQLite and PostgreSQL round a quotient of other numbers differently.
_SECONDS: Any = literal_column(str(int(DAY)), BigInteger)


def _day(at: ColumnElement[Any]) -> Any:
    """Return the number of whole days from ``since`` to a time."""
    return (cast(at, BigInteger) - p("since")) // _SECONDS


def _by_day(at: ColumnElement[Any], *counted: ColumnElement[Any]) -> Any:
    """Return a query for the rows from ``since`` on, by day: their number, and the other counts."""
    day = _day(at)
    return select(day, func.count(), *counted).where(at >= p("since")).group_by(day)


_by_program = _moves.userid.in_([quoted(userid) for userid in programs()])
_author = case(((_handled.proved == 1) & (_handled.userid != ""), _handled.userid))
_MAILS_BY_DAY = _by_day(_handled.at, func.count(func.distinct(_author)))
_MOVES = _by_day(_moves.at, func.count(case((_by_program, 1))))
_LETTERS_BY_DAY = _by_day(_outbox.made, func.count(case((_outbox.state == "dead", 1))))
_BEGUN = _by_day(_boards.made)
_ENDED = _by_day(_boards.since).where(_boards.to_move == "")
_JOINED = _by_day(_users.made).where(_users.state != "bot")


class Mails(Subject):
    """Mails that were handled, and the fate of each."""

    def handle(self, digest: bytes, at: float, again_after: float | None) -> bool:
        """Mark a mail as handled, at the end of the transaction.

        Return False if it was handled before; a mark older than ``again_after`` does not count.
        """
        if self._db.waiting(t.handled, digest):
            return False
        before = self._db.value(_handled.at, digest=digest)
        if before is not None:
            if again_after is None or before >= again_after:
                return False
            self._db.drop(t.handled, digest=digest)
        # If another daemon has handled it meanwhile, the insertion fails, and so does the transaction.
        self._db.later(t.handled, digest, {"digest": digest, "at": at, **_UNDESCRIBED})
        return True

    def last_received(self) -> float:
        """Return the time when the newest mail came in; 0 if none is known."""
        self._db.write()
        return float(self._db.row(_LAST_RECEIVED)[0] or 0.0)

    def describe(self, digest: bytes, mail: Handled) -> None:
        """Note the fate of a mail in its mark, except the time when it came."""
        values = mail._asdict()
        del values["at"]
        values |= {
            "commands": "".join([f"{each} ;" for each in mail.commands]),
            "codes": " ".join(mail.codes),
            "letters": "".join([f" {each} " for each in mail.letters]),
            "said": "\n".join(mail.said),
        }
        if row := self._db.waiting(t.handled, digest):
            self._db.later(t.handled, digest, {**row, **values})
        else:
            self._db.change(t.handled, {"digest": digest}, **values)

    def find(
        self,
        mail: str = "",
        message: str = "",
        userid: str = "",
        board: int = 0,
        letter: int = 0,
        count: int = 20,
    ) -> list[Handled]:
        """Return the newest mails with that id, hash of a Message-ID, account, board or letter."""
        self._db.write()
        rows = self._db.run(
            _FIND,
            mail=mail,
            message=message,
            userid=userid,
            board=f"% {board} %",
            letter=f"% {letter} %",
            count=count,
        )
        return [
            row._replace(
                commands=tuple(str(row.commands).split(" ;")[:-1]),
                codes=tuple(str(row.codes).split()),
                letters=tuple(int(number) for number in str(row.letters).split()),
                said=tuple(str(row.said).splitlines()),
            )
            for row in (Handled(*values) for values in rows)
        ]

    def outcomes(self) -> dict[str, int]:
        """Count the mails of the last 30 days by outcome."""
        self._db.write()
        counts: dict[str, int] = {}
        for outcome, count in self._db.run(_OUTCOMES):
            name = outcome.partition(" ")[0]
            counts[name] = counts.get(name, 0) + count
        return counts

    def authors(self, since: float) -> int:
        """Count the players who have proved since the time ``since`` to be the author of a mail."""
        self._db.write()
        return self._db.number(_AUTHORS, since=since)

    def last_seen(self, userid: str) -> float | None:
        """Return the time of the last mail that was proved to be of that account; None if none is known."""
        self._db.write()
        at: float | None = self._db.row(_LAST_SEEN, userid=userid)[0]
        return at

    def by_author(self, since: float) -> dict[str, int]:
        """Count the mails that came from ``since`` on, by userid; it is empty for those of no account."""
        self._db.write()
        return dict(self._db.rows(_BY_AUTHOR, since=since))

    def reasons(self, since: int) -> Mapping[str, int]:
        """Count the refusals and ignored mails from ``since`` on, by their codes."""
        self._db.write()
        reasons: Counter[str] = Counter()
        for codes, count in self._db.run(_CODES, since=since):
            for code in str(codes).split():
                reasons[code] += int(count)
        return reasons

    def by_day(self, since: int) -> Mapping[str, Mapping[int, int]]:
        """Count mails and what they caused: return {day: number} by the name of each count.

        A day is 24 hours long, and the first one begins at ``since``, a whole second. One with none is
        left out.
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

    def prune(self, now: float) -> bool:
        """Forget some marks of mails that are older than 30 days; return True if there may be more."""
        days = 30 * DAY
        done = self._db.changed(_PRUNE_HANDLED, before=now - days, beyond=now + days, most=PRUNED)
        return done == PRUNED
