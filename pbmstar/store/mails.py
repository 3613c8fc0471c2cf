"""Mails that came in, letters that go out, and what was done by hand."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import case, delete, func, insert, literal_column, select, update

from . import tables as t
from .rows import Letter, Waiting
from .statements import Connection, every, p, upsert

DAY = 86400.0
_handled, _outbox, _counts = t.handled.c, t.outbox.c, t.counts.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_new = _outbox.state == literal_column("'new'")

_HANDLED = (
    upsert(t.handled)
    .values(**every(t.handled))
    .on_conflict_do_nothing(index_elements=["digest"])
    .returning(_handled.at)
)
_HANDLED_AT = select(_handled.at).where(_handled.digest == p("digest"))
_HANDLED_AGAIN = update(t.handled).where(_handled.digest == p("which")).values(at=p("at"))
_SET_OUTCOME = update(t.handled).where(_handled.digest == p("which")).values(outcome=p("outcome"))
_PRUNE_HANDLED = delete(t.handled).where(_handled.at < p("before"))
_ADD_LETTER = insert(t.outbox).values(**every(t.outbox, "id", "sent")).returning(_outbox.id)
_ADD_CONTENT = insert(t.contents).values(**every(t.contents))
_DROP_CONTENT = delete(t.contents).where(t.contents.c.letter == p("letter"))
_CLAIM = (
    update(t.outbox)
    .where(
        _outbox.id.in_(
            select(_outbox.id)
            .where(_new, _outbox.due <= p("now"))
            .order_by(_outbox.id)
            .limit(p("count"))
            .with_for_update(skip_locked=True)
        )
    )
    .values(due=p("until"), owner=p("claimer"))
)
_CLAIMED = (
    select(
        _outbox.id,
        _outbox.message_id,
        _outbox.address,
        _outbox.sender,
        t.contents.c.content,
        _outbox.tries + 1,
    )
    .join(t.contents, t.contents.c.letter == _outbox.id)
    .where(_new, _outbox.due == p("until"), _outbox.owner == p("claimer"))
    .order_by(_outbox.id)
)
_RELEASE = (
    update(t.outbox).where(_new, _outbox.owner == p("claimer")).values(due=_outbox.made, owner="")
)
_SENT = (
    update(t.outbox)
    .where(_outbox.id == p("letter"))
    .values(state="sent", sent=p("at"), owner="", trouble="", tries=_outbox.tries + 1)
)
_TRIED = update(t.outbox).where(_outbox.id == p("letter")).values(tries=_outbox.tries + 1)
_RETRY = (
    update(t.outbox)
    .where(_outbox.id == p("letter"))
    .values(due=p("due_at"), owner="", trouble=p("why"), tries=p("count"))
)
_DEAD = (
    update(t.outbox)
    .where(_outbox.id == p("letter"))
    .values(state="dead", owner="", trouble=p("why"), tries=p("count"))
)
_WAITING = (
    select(*(_outbox[name] for name in Waiting._fields))
    .where(_outbox.state != "sent")
    .order_by(_outbox.id)
)
_REVIVE = (
    update(t.outbox)
    .where(_outbox.state != "sent", _outbox.id == p("letter"))
    .values(state="new", due=p("at"), owner="")
)
_LETTER = select(_outbox.state, _outbox.sent).where(_outbox.id == p("letter"))
_PRUNE_LETTERS = delete(t.outbox).where(_outbox.state == "sent", _outbox.made < p("before"))
_new_count = upsert(t.counts).values(what=p("what"), since=p("now"), count=1)
_fresh = _counts.since <= p("before")
_COUNT = _new_count.on_conflict_do_update(
    index_elements=["what"],
    set_={
        "count": case((_fresh, 1), else_=_counts.count + 1),
        "since": case((_fresh, p("now")), else_=_counts.since),
    },
).returning(_counts.count)
_COUNTED = select(_counts.count).where(_counts.what == p("what"), _counts.since > p("before"))
_PRUNE_COUNTS = delete(t.counts).where(_counts.since < p("before"))
_NEWEST = select(func.max(_outbox.made))
_ADD_AUDIT = insert(t.audit).values(**every(t.audit, "id"))
_AUDIT = select(t.audit).order_by(t.audit.c.id)


class Mails(Connection):
    """The part of a transaction that knows mails, letters, rates, and what was done by hand."""

    def handle(self, digest: bytes, at: float, again_after: float | None) -> bool:
        """Mark a mail as handled. False if it was before; with ``again_after`` an older mark is none."""
        if self._row(_HANDLED, digest=digest, at=at, outcome="applied"):
            return True
        if again_after is not None and self._row(_HANDLED_AT, digest=digest)[0] < again_after:
            self._run(_HANDLED_AGAIN, which=digest, at=at)
            return True
        return False

    def set_outcome(self, digest: bytes, outcome: str) -> None:
        """Note what became of a mail."""
        self._run(_SET_OUTCOME, which=digest, outcome=outcome)

    def add_letter(
        self, message_id: str, userid: str, address: str, sender: str, content: bytes, at: float
    ) -> int:
        """Put a letter into the outbox; returns its number."""
        values = {
            "message_id": message_id,
            "userid": userid,
            "address": address,
            "sender": sender,
            "state": "new",
            "due": at,
            "owner": "",
            "tries": 0,
            "made": at,
            "trouble": "",
        }
        letter = int(self._row(_ADD_LETTER, **values)[0])
        self._run(_ADD_CONTENT, letter=letter, content=content)
        return letter

    def claim(self, owner: str, now: float, until: float, count: int) -> list[Letter]:
        """At most ``count`` due letters, in order; no one else gets them before ``until``."""
        self._run(_CLAIM, now=now, until=until, claimer=owner, count=count)
        rows = self._run(_CLAIMED, until=until, claimer=owner)
        return [Letter(*row) for row in rows]

    def release(self, owner: str) -> None:
        """Give back what an earlier process of this owner had claimed and not sent."""
        self._run(_RELEASE, claimer=owner)

    def sent(self, letters: Sequence[int], at: float) -> None:
        """The relay has taken these letters; their texts are no longer kept."""
        self._run_each(_SENT, [{"letter": letter, "at": at} for letter in letters])
        self._run_each(_DROP_CONTENT, [{"letter": letter} for letter in letters])

    def tried(self, letter: int) -> None:
        """The letter was under way when the relay went away: one more try, of which no more is known."""
        self._run(_TRIED, letter=letter)

    def retry(self, letter: int, due: float, why: str, tries: int) -> None:
        """Try the letter again at ``due``; so many tries it has had."""
        self._run(_RETRY, letter=letter, due_at=due, why=why, count=tries)

    def dead(self, letter: int, why: str, tries: int) -> None:
        """The letter was refused for good, at that try."""
        self._run(_DEAD, letter=letter, why=why, count=tries)

    def letters(self) -> list[Waiting]:
        """The letters that have not been sent."""
        return [Waiting(*row) for row in self._run(_WAITING)]

    def revive(self, letter: int, at: float) -> bool:
        """Make a waiting or dead letter due at once. False if there is none of that number."""
        return bool(self._run(_REVIVE, letter=letter, at=at).rowcount)

    def letter_sent(self, letter: int) -> float | None:
        """When a letter was sent; 0 if it is so long ago that it is forgotten; None if it was not."""
        row = self._row(_LETTER, letter=letter)
        return 0.0 if row is None else row[1] if row[0] == "sent" else None

    def newest(self) -> float:
        """When the newest letter was written; 0 if there is none."""
        return float(self._row(_NEWEST)[0] or 0.0)

    # -- how often something happened

    def count(self, what: str, now: float, window: float) -> int:
        """Count one more of ``what``; returns how many there were in the window that is running."""
        row = self._row(_COUNT, what=what, now=now, before=now - window)
        return int(row[0])

    def counted(self, what: str, now: float, window: float) -> int:
        """How many there are in the window that is running, without one more."""
        row = self._row(_COUNTED, what=what, before=now - window)
        return int(row[0]) if row else 0

    # -- by hand

    def add_audit(self, at: float, actor: str, act: str) -> None:
        """Note who did what by hand."""
        self._run(_ADD_AUDIT, at=at, actor=actor, act=act)

    def audit(self) -> list[tuple[int, float, str, str]]:
        """All that was noted."""
        return list(self._run(_AUDIT))

    def prune_mails(self, now: float) -> None:
        """Forget marks of mails and sent letters after 30 days, counts after 2."""
        self._run(_PRUNE_HANDLED, before=now - 30 * DAY)
        self._run(_PRUNE_LETTERS, before=now - 30 * DAY)
        self._run(_PRUNE_COUNTS, before=now - 2 * DAY)
