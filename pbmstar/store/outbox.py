"""Letters: written down to be sent, claimed, sent, or refused."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, literal_column, or_, select, update

from . import tables as t
from .rows import Letter, Waiting
from .statements import Connection, every, p

DAY = 86400.0
_outbox = t.outbox.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_new = _outbox.state == literal_column("'new'")

_ADD_LETTER = insert(t.outbox).values(**every(t.outbox, "id", "sent")).returning(_outbox.id)
_ADD_CONTENT = insert(t.contents).values(**every(t.contents))
_DROP_CONTENT = delete(t.contents).where(t.contents.c.letter == p("letter"))
_CLAIM = (
    update(t.outbox)
    .where(
        _outbox.id.in_(
            select(_outbox.id)
            .where(_new, or_(_outbox.due <= p("now"), _outbox.due > p("beyond")))
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
        _outbox.made,
        _outbox.userid,
    )
    .join(t.contents, t.contents.c.letter == _outbox.id)
    .where(_new, _outbox.due == p("until"), _outbox.owner == p("claimer"))
    .order_by(_outbox.id)
)
_UNSENT = select(_outbox.id).where(_new, _outbox.userid == p("userid")).order_by(_outbox.id)
_letter = (
    _outbox.id,
    _outbox.message_id,
    _outbox.address,
    _outbox.sender,
    t.contents.c.content,
    _outbox.tries,
    _outbox.made,
    _outbox.userid,
)
_UNCLAIMED = (
    select(*_letter)
    .join(t.contents, t.contents.c.letter == _outbox.id)
    .where(_outbox.id == p("letter"), _outbox.state != "sent")
)
_READDRESS = (
    update(t.outbox)
    .where(_outbox.id == p("which"))
    .values(address=p("address"), sender=p("sender"))
)
_SET_CONTENT = (
    update(t.contents).where(t.contents.c.letter == p("which")).values(content=p("content"))
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
    .where(
        _outbox.state != "sent",
        _outbox.id == p("letter"),
        _outbox.id.in_(select(t.contents.c.letter)),
    )
    .values(state="new", due=p("at"), owner="")
)
_LETTER = select(_outbox.state, _outbox.sent).where(_outbox.id == p("letter"))
_PRUNE_LETTERS = delete(t.outbox).where(_outbox.state == p("kind"), _outbox.made < p("before"))
_PRUNE_CONTENTS = delete(t.contents).where(
    t.contents.c.letter.in_(
        select(_outbox.id).where(_outbox.state == "dead", _outbox.made < p("before"))
    )
)
_NEWEST = select(func.max(_outbox.made))


class Outbox(Connection):
    """The part of a transaction that knows letters."""

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
        """At most ``count`` due letters, in order; no one else gets them before ``until``.

        No letter waits for a day: one that should is of a clock that was wrong, and due.
        """
        self._run(_CLAIM, now=now, beyond=now + DAY, until=until, claimer=owner, count=count)
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
        """Make a waiting or dead letter due at once. False if there is none, or its text is gone."""
        return bool(self._run(_REVIVE, letter=letter, at=at).rowcount)

    def letter_sent(self, letter: int) -> float | None:
        """When a letter was sent; 0 if it is so long ago that it is forgotten; None if it was not."""
        row = self._row(_LETTER, letter=letter)
        return 0.0 if row is None else row[1] if row[0] == "sent" else None

    def is_waiting(self, letter: int) -> bool:
        """Whether a letter is still to be sent."""
        row = self._row(_LETTER, letter=letter)
        return row is not None and row[0] == "new"

    def unsent(self, userid: str) -> list[int]:
        """The letters to an account that wait."""
        return [number for (number,) in self._run(_UNSENT, userid=userid)]

    def letter(self, number: int) -> Letter | None:
        """A letter that waits or was refused for good, with its text; None if there is none."""
        row = self._row(_UNCLAIMED, letter=number)
        return Letter(*row) if row else None

    def readdress(self, letter: int, address: str, sender: str, content: bytes) -> None:
        """Send a letter to another address, in another envelope."""
        self._run(_READDRESS, which=letter, address=address, sender=sender)
        self._run(_SET_CONTENT, which=letter, content=content)

    def newest(self) -> float:
        """When the newest letter was written; 0 if there is none."""
        return float(self._row(_NEWEST)[0] or 0.0)

    def prune_letters(self, now: float, texts: float, rows: float) -> None:
        """Forget sent letters after 30 days; of dead ones the texts and the rows, at these ages."""
        self._run(_PRUNE_CONTENTS, before=now - min(texts, rows))
        self._run(_PRUNE_LETTERS, kind="dead", before=now - rows)
        self._run(_PRUNE_LETTERS, kind="sent", before=now - 30 * DAY)
