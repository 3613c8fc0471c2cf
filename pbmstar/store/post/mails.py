"""Incoming messages that have had their effect, and the traffic by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from ...machine.times import DAY, Epoch, Seconds
from ...match import BOTS
from .. import schema as t
from ..statements import PRUNED, Repository, column, columns


class Handled(NamedTuple):
    """A message that has had its effect; see schema.handled."""

    at: Epoch
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


_FETCHED = 400 * DAY  # for so long a message that is copied back into the mailbox is known

# The columns of a mark until the fate of the mail is known.
_UNDESCRIBED = {
    "outcome": "applied", "mail": "", "message": "", "userid": "", "commands": "", "codes": "",
    "letters": "", "proved": 0, "authentic": "", "said": "",
}  # fmt: skip


def _day(at: str) -> str:
    """Return the SQL for the number of whole days from ``since`` to a time.

    In whole seconds: SQLite and PostgreSQL round a quotient of other numbers differently.
    """
    return f"(CAST({at} AS BIGINT) - :since) / {int(DAY)} AS day"


_PROGRAMS = ", ".join(f"'{userid}'" for userid in BOTS)
# What is counted by day: a query for each day's counts, by their names.
_BY_DAY = {
    ("mails", "active"): f"""
        SELECT {_day("at")}, count(*),
            count(DISTINCT CASE WHEN proved = 1 AND userid != '' THEN userid END)
        FROM handled WHERE at >= :since GROUP BY day
    """,
    ("moves", "bot_moves"): f"""
        SELECT {_day("at")}, count(*), count(CASE WHEN userid IN ({_PROGRAMS}) THEN 1 END)
        FROM moves WHERE at >= :since GROUP BY day
    """,
    ("letters", "refused_letters"): f"""
        SELECT {_day("made")}, count(*), count(CASE WHEN state = 'dead' THEN 1 END)
        FROM outbox WHERE made >= :since GROUP BY day
    """,
    ("begun",): f"SELECT {_day('made')}, count(*) FROM boards WHERE made >= :since GROUP BY day",
    ("ended",): f"""
        SELECT {_day("since")}, count(*) FROM boards WHERE since >= :since AND to_move = ''
        GROUP BY day
    """,
    ("joined",): f"""
        SELECT {_day("made")}, count(*) FROM users WHERE made >= :since AND state != 'bot'
        GROUP BY day
    """,
}


class Mails(Repository):
    """Messages that were handled, and the fate of each."""

    def handle(self, digest: bytes, at: Epoch, again_after: float | None) -> bool:
        """Mark a message as handled, at the end of the transaction.

        Return False if it was handled before; a mark older than ``again_after`` does not count.
        """
        if self._db.waiting(t.handled, digest):
            return False
        known = self._db.stored(t.handled, (column, t.handled.c.at, "digest"), digest=digest)
        if known:
            if again_after is None or known[0][0] >= again_after:
                return False
            self._db.drop(t.handled, digest=digest)
        # If another daemon has handled it meanwhile, the insertion fails, and so does the transaction.
        self._db.later(t.handled, digest, {"digest": digest, "at": at, **_UNDESCRIBED})
        return True

    def fetched(self, marks: Sequence[bytes]) -> set[bytes]:
        """Return the marks of messages in the mailbox that were finished with."""
        return {mark for mark in marks if self._db.value(t.fetched.c.at, mark=mark) is not None}

    def fetch(self, marks: Sequence[bytes], at: Epoch) -> bool:
        """Keep the marks of a message of the mailbox; return False if one of them was known."""
        is_new = [self._db.added(t.fetched, mark=mark, at=at) for mark in marks]
        return all(is_new)

    def last_received(self) -> Epoch:
        """Return the time when the newest mail came in; 0 if none is known."""
        return float(self._db.row("SELECT max(at) FROM handled")[0] or 0.0)

    def describe(self, digest: bytes, mail: Handled) -> None:
        """Note the fate of a message in its mark, except the time when it came."""
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
        """Return the newest messages with that id, hash of a Message-ID, account, board or letter."""
        found = self._db.all(
            Handled,
            f"""
            SELECT {columns(Handled)} FROM handled
            WHERE mail = :mail AND mail != ''
                OR message = :message AND message != ''
                OR userid = :userid AND userid != ''
                OR commands LIKE :board
                OR letters LIKE :letter
            ORDER BY at DESC, length(mail) DESC, mail DESC LIMIT :count
            """,
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
            for row in found
        ]

    def outcomes(self) -> dict[str, int]:
        """Count the messages of the last 30 days by outcome."""
        counts: dict[str, int] = {}
        for outcome, count in self._db.rows(
            "SELECT outcome, count(*) FROM handled GROUP BY outcome"
        ):
            name = outcome.partition(" ")[0]
            counts[name] = counts.get(name, 0) + count
        return counts

    def authors(self, since: Epoch) -> int:
        """Count the players who have proved since the time ``since`` to be the author of a message."""
        return self._db.number(
            "SELECT count(DISTINCT userid) FROM handled"
            " WHERE at >= :since AND proved = 1 AND userid != ''",
            since=since,
        )

    def last_seen(self, userid: str) -> Epoch | None:
        """Return the time of the last mail that was proved to be of that account; None if none is known."""
        (at,) = self._db.row(
            "SELECT max(at) FROM handled WHERE userid = :userid AND proved = 1", userid=userid
        )
        return cast(float | None, at)

    def by_author(self, since: Epoch) -> dict[str, int]:
        """Count the messages that came from ``since`` on, by userid; empty for messages of no account."""
        rows = self._db.rows(
            "SELECT userid, count(*) FROM handled WHERE at >= :since GROUP BY userid", since=since
        )
        return dict(rows)

    def reasons(self, since: int) -> Mapping[str, int]:
        """Count the refusals and ignored messages from ``since`` on, by their codes."""
        reasons: Counter[str] = Counter()
        for codes, count in self._db.rows(
            "SELECT codes, count(*) FROM handled WHERE at >= :since AND codes != '' GROUP BY codes",
            since=since,
        ):
            for code in str(codes).split():
                reasons[code] += int(count)
        return reasons

    def by_day(self, since: int) -> Mapping[str, Mapping[int, int]]:
        """Count messages and what they caused: return {day: number} by the name of each count.

        A day is 24 hours long, and the first one begins at ``since``, a whole second. One with none is
        left out.
        """
        counts: dict[str, dict[int, int]] = {}
        for names, statement in _BY_DAY.items():
            rows = self._db.rows(statement, since=since)
            for place, name in enumerate(names, 1):
                counts[name] = {int(row[0]): int(row[place]) for row in rows if row[place]}
        return counts

    def prune(self, now: Epoch) -> bool:
        """Forget some marks of old messages; return True if there may be more."""
        return any(
            [
                self._forget("handled", "digest", now, 30 * DAY),
                self._forget("fetched", "mark", now, _FETCHED),
            ]
        )

    def _forget(self, table: str, key: str, now: Epoch, days: Seconds) -> bool:
        """Forget some rows of a table that are older; return True if there may be more."""
        done = self._db.changed(
            f"""
            DELETE FROM {table} WHERE {key} IN
                (SELECT {key} FROM {table} WHERE at < :before OR at > :beyond LIMIT :most)
            """,
            before=now - days,
            beyond=now + days,
            most=PRUNED,
        )
        return done == PRUNED
