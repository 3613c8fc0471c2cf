"""Incoming mails that have had their effect."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import and_, delete, func, or_, select, update

from ...match.terms import DAY
from .. import schema as t
from ..statements import PRUNED, Subject, add, every, p


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


# The columns of a mark until the fate of the mail is known.
_UNDESCRIBED = {
    "outcome": "applied", "mail": "", "message": "", "userid": "", "commands": "", "codes": "",
    "letters": "", "proved": 0, "authentic": "",
}  # fmt: skip
_handled = t.handled.c

# If another daemon has handled the same mail meanwhile, this statement fails, and so does the transaction.
_ADD_HANDLED = add(t.handled)
_DROP_HANDLED = delete(t.handled).where(_handled.digest == p("digest"))
_HANDLED_AT = select(_handled.at).where(_handled.digest == p("digest"))
_LAST_RECEIVED = select(func.max(_handled.at))
_DESCRIBE = (
    update(t.handled)
    .where(_handled.digest == p("which"))
    .values(**every(t.handled, "digest", "at"))
)
_FIND = (
    select(*(_handled[name] for name in Handled._fields))
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
_LAST_SEEN = select(func.max(_handled.at)).where(
    _handled.userid == p("userid"), _handled.proved == 1
)
_PRUNE_HANDLED = delete(t.handled).where(
    _handled.digest.in_(
        select(_handled.digest)
        .where(or_(_handled.at < p("before"), _handled.at > p("beyond")))
        .limit(p("most"))
    )
)


class Mails(Subject):
    """Mails that were handled, and the fate of each."""

    def handle(self, digest: bytes, at: float, again_after: float | None) -> bool:
        """Mark a mail as handled, at the end of the transaction.

        Return False if it was handled before; a mark older than ``again_after`` does not count.
        """
        if self._db.waiting(_ADD_HANDLED, digest):
            return False
        if row := self._db.row(_HANDLED_AT, digest=digest):
            if again_after is None or row[0] >= again_after:
                return False
            self._db.do(_DROP_HANDLED, digest=digest)
        self._db.later(_ADD_HANDLED, digest, {"digest": digest, "at": at, **_UNDESCRIBED})
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
        }
        if row := self._db.waiting(_ADD_HANDLED, digest):
            self._db.later(_ADD_HANDLED, digest, {**row, **values})
        else:
            self._db.do(_DESCRIBE, which=digest, **values)

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

    def prune(self, now: float) -> bool:
        """Forget some marks of mails that are older than 30 days; return True if there may be more."""
        days = 30 * DAY
        done = self._db.changed(_PRUNE_HANDLED, before=now - days, beyond=now + days, most=PRUNED)
        return done == PRUNED
