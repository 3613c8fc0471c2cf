"""What has come in, and how often something happened: what outlives a restart to be counted."""

from __future__ import annotations

from sqlalchemy import and_, case, delete, func, or_, select, update

from . import tables as t
from .rows import Handled
from .statements import PRUNED, Connection, every, p, upsert

DAY = 86400.0
_handled, _counts = t.handled.c, t.counts.c

_HANDLED = (
    upsert(t.handled)
    .values(digest=p("digest"), at=p("at"), outcome=p("outcome"))
    .on_conflict_do_nothing(index_elements=["digest"])
    .returning(_handled.at)
)
_HANDLED_AT = select(_handled.at).where(_handled.digest == p("digest"))
_HANDLED_AGAIN = update(t.handled).where(_handled.digest == p("which")).values(at=p("at"))
_NEWEST_MAIL = select(func.max(_handled.at))
_DESCRIBE = (
    update(t.handled)
    .where(_handled.digest == p("which"))
    .values(**every(t.handled, "digest", "at"))
)
_MAILS = (
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
_new_count = upsert(t.counts).values(what=p("what"), since=p("now"), count=1)
# A time beyond now + window is of a clock that was wrong: it does not count, or it would for ever.
_fresh = or_(_counts.since <= p("before"), _counts.since > p("beyond"))
_COUNT = _new_count.on_conflict_do_update(
    index_elements=["what"],
    set_={
        "count": case((_fresh, 1), else_=_counts.count + 1),
        "since": case((_fresh, p("now")), else_=_counts.since),
    },
).returning(_counts.count)
_COUNTED = select(_counts.count).where(_counts.what == p("what"), ~_fresh)
_PRUNE_COUNTS = delete(t.counts).where(_fresh)


class Counters(Connection):
    """The part of a transaction that knows which mails have had their effect, and rates."""

    def handle(self, digest: bytes, at: float, again_after: float | None) -> bool:
        """Mark a mail as handled. False if it was before; with ``again_after`` an older mark is none."""
        if self._row(_HANDLED, digest=digest, at=at, outcome="applied"):
            return True
        if again_after is not None and self._row(_HANDLED_AT, digest=digest)[0] < again_after:
            self._do(_HANDLED_AGAIN, which=digest, at=at)
            return True
        return False

    def newest_mail(self) -> float:
        """When the newest mail came in; 0 if none is known."""
        return float(self._row(_NEWEST_MAIL)[0] or 0.0)

    def describe(self, digest: bytes, mail: Handled) -> None:
        """Note what became of a mail, but for when it came."""
        values = mail._asdict()
        del values["at"]
        values |= {
            "commands": "".join(f"{each} ;" for each in mail.commands),
            "codes": " ".join(mail.codes),
            "letters": "".join(f" {each} " for each in mail.letters),
        }
        self._do(_DESCRIBE, which=digest, **values)

    def mails(
        self,
        mail: str = "",
        message: str = "",
        userid: str = "",
        board: int = 0,
        letter: int = 0,
        count: int = 20,
    ) -> list[Handled]:
        """The newest mails with that id, hash of a Message-ID, account, board or letter."""
        rows = self._run(
            _MAILS,
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
        """How many mails of the last 30 days had each outcome."""
        counts: dict[str, int] = {}
        for outcome, count in self._run(_OUTCOMES):
            name = outcome.partition(" ")[0]
            counts[name] = counts.get(name, 0) + count
        return counts

    def last_seen(self, userid: str) -> float | None:
        """When a mail last proved to be of that account; None if none did in 30 days."""
        at: float | None = self._row(_LAST_SEEN, userid=userid)[0]
        return at

    def count(self, what: str, now: float, window: float) -> int:
        """Count one more of ``what``; returns how many there were in the window that is running."""
        row = self._row(_COUNT, what=what, now=now, before=now - window, beyond=now + window)
        return int(row[0])

    def counted(self, what: str, now: float, window: float) -> int:
        """How many there are in the window that is running, without one more."""
        row = self._row(_COUNTED, what=what, before=now - window, beyond=now + window)
        return int(row[0]) if row else 0

    def prune_counters(self, now: float) -> bool:
        """Forget counts after 2 days, marks of mails after 30, some at a time; True if there may be more."""
        self._do(_PRUNE_COUNTS, before=now - 2 * DAY, beyond=now + 2 * DAY)
        days = 30 * DAY
        done = self._changed(_PRUNE_HANDLED, before=now - days, beyond=now + days, most=PRUNED)
        return done == PRUNED
