"""Letters: written down to be sent, claimed, sent, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, cast

from sqlalchemy import delete, func, insert, literal_column, or_, select, text, update

from . import tables as t
from .rows import Letter, Waiting
from .statements import PRUNED, Connection, Statements, every, p

DAY = 86400.0
_outbox = t.outbox.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_new = _outbox.state == literal_column("'new'")
_unsent = or_(_outbox.state == "new", _outbox.state == "dead")

_ADD_LETTER = insert(t.outbox).values(**every(t.outbox, "sent"))
_ADD_CONTENT = insert(t.contents).values(**every(t.contents))
_LAST_NUMBER = text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
_NEXT_NUMBERS = text(
    "SELECT nextval(pg_get_serial_sequence('outbox', 'id')) FROM generate_series(1, :count)"
)
_DROP_CONTENT = delete(t.contents).where(t.contents.c.letter == p("letter"))
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
_DUE = (
    select(*_letter)
    .join(t.contents, t.contents.c.letter == _outbox.id)
    .where(_new, or_(_outbox.due <= p("now"), _outbox.due > p("beyond")))
    .order_by(_outbox.id)
    .limit(p("count"))
    .with_for_update(skip_locked=True, of=t.outbox)
)
_CLAIM = (
    update(t.outbox).where(_outbox.id == p("letter")).values(due=p("until"), owner=p("claimer"))
)
_UNSENT = select(_outbox.id).where(_new, _outbox.userid == p("userid")).order_by(_outbox.id)
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
_WAITING = select(*(_outbox[name] for name in Waiting._fields)).where(_unsent).order_by(_outbox.id)
_ONE = select(*(_outbox[name] for name in Waiting._fields)).where(_outbox.id == p("letter"))
_CONTENT = select(t.contents.c.content).where(t.contents.c.letter == p("letter"))
_STATES = select(_outbox.state, func.count()).group_by(_outbox.state)
_DROP = update(t.outbox).where(_unsent, _outbox.id == p("letter")).values(state="dropped", owner="")
_REVIVE = (
    update(t.outbox)
    .where(
        _unsent,
        _outbox.id == p("letter"),
        _outbox.id.in_(select(t.contents.c.letter)),
    )
    .values(state="new", due=p("at"), owner="")
)
# Rows of one state; a row whose text is still there is not among them.
_PRUNE_LETTERS = delete(t.outbox).where(
    _outbox.id.in_(
        select(_outbox.id)
        .where(
            _outbox.state == p("kind"),
            _outbox.made < p("before"),
            _outbox.id.not_in(select(t.contents.c.letter)),
        )
        .limit(p("most"))
    )
)
_PRUNE_CONTENTS = delete(t.contents).where(
    t.contents.c.letter.in_(
        select(t.contents.c.letter)
        .join(t.outbox, _outbox.id == t.contents.c.letter)
        .where(_outbox.state == "dead", _outbox.made < p("before"))
        .limit(p("most"))
    )
)
_OLDEST = select(func.min(_outbox.made)).where(_new, _outbox.sender != "")
_FIRST_DUE = select(func.min(_outbox.id)).where(_new, _outbox.due <= p("now"))
_NEWEST = select(func.max(_outbox.made))


class Outbox(Connection):
    """The part of a transaction that knows letters.

    New letters are written together: at the end of the transaction, or before anything looks at the
    outbox.
    """

    def __init__(
        self,
        connection: Any,
        statements: Statements,
        passing: tuple[type[Exception], ...],
        pipeline: Any = None,
    ) -> None:
        super().__init__(connection, statements, passing, pipeline)
        self._numbers = self._sqlite_numbers() if statements.is_sqlite else self._sequence()
        self._new: list[tuple[dict[str, Any], dict[str, Any]]] = []  # rows of outbox, contents
        self.reserved: set[int] = set()  # letters that are written in this transaction, if ever

    def _sqlite_numbers(self) -> Iterator[int]:
        """Numbers for new letters. Nobody else writes till the end of this transaction."""
        row = self._row(_LAST_NUMBER)
        yield from count(int(row[0]) + 1 if row else 1)

    def _sequence(self) -> Iterator[int]:
        """Numbers for new letters: ever larger blocks of the sequence, so that few questions do."""
        size = 2  # letters of one move
        while True:
            yield from [number for (number,) in self._run(_NEXT_NUMBERS, count=size).fetchall()]
            size *= 2

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What happens in the block happens whole or, if it raises, not at all."""
        before = self._new[:]
        try:
            with super().savepoint():
                yield
        except BaseException:
            self._new = before  # also what was written in the block: that is undone
            raise

    def write_letters(self) -> None:
        """Write the new letters to the database."""
        if self._new:
            letters, contents = zip(*self._new, strict=True)
            self._run_each(_ADD_LETTER, letters)
            self._run_each(_ADD_CONTENT, contents)
            self._new = []

    def reserve_letter(self) -> int:
        """A number for a letter that is written later in this transaction."""
        number = next(self._numbers)
        self.reserved.add(number)
        return number

    def add_letter(
        self,
        message_id: str,
        userid: str,
        address: str,
        sender: str,
        content: bytes,
        at: float,
        number: int | None = None,
    ) -> int:
        """Put a letter into the outbox, under its reserved number if it has one; returns that."""
        letter = number or next(self._numbers)
        values = {"id": letter, "message_id": message_id, "userid": userid, "address": address}
        values |= {"sender": sender, "state": "new", "due": at, "owner": "", "tries": 0}
        values |= {"made": at, "trouble": ""}
        self._new.append((values, {"letter": letter, "content": content}))
        return letter

    def claim(self, owner: str, now: float, until: float, count: int) -> list[Letter]:
        """At most ``count`` due letters, in order; no one else gets them before ``until``.

        No letter waits for a day: one that should is of a clock that was wrong, and due.
        """
        self.write_letters()
        rows = self._run(_DUE, now=now, beyond=now + DAY, count=count).fetchall()
        letters = [Letter(*row)._replace(tries=row[5] + 1) for row in rows]
        claims = [{"letter": letter.id, "until": until, "claimer": owner} for letter in letters]
        self._run_each(_CLAIM, claims)
        return letters

    def release(self, owner: str) -> None:
        """Give back what an earlier process of this owner had claimed and not sent."""
        self._do(_RELEASE, claimer=owner)

    def sent(self, letters: Sequence[int], at: float) -> None:
        """The relay has taken these letters; their texts are no longer kept."""
        self._run_each(_SENT, [{"letter": letter, "at": at} for letter in letters])
        self._run_each(_DROP_CONTENT, [{"letter": letter} for letter in letters])

    def tried(self, letter: int) -> None:
        """The letter was under way when the relay went away: one more try, of which no more is known."""
        self._do(_TRIED, letter=letter)

    def retry(self, letter: int, due: float, why: str, tries: int) -> None:
        """Try the letter again at ``due``; so many tries it has had."""
        self._do(_RETRY, letter=letter, due_at=due, why=why, count=tries)

    def dead(self, letter: int, why: str, tries: int) -> None:
        """The letter was refused for good, at that try."""
        self._do(_DEAD, letter=letter, why=why, count=tries)

    def letters(self) -> list[Waiting]:
        """The letters that have not been sent."""
        self.write_letters()
        return [Waiting(*row) for row in self._run(_WAITING)]

    def letter(self, letter: int) -> Waiting | None:
        """The letter of that number, whatever its state; None if there is none, or none any more."""
        self.write_letters()
        row = self._row(_ONE, letter=letter)
        return Waiting(*row) if row else None

    def content(self, letter: int) -> bytes | None:
        """What the letter says; None once it is sent or dropped."""
        row = self._row(_CONTENT, letter=letter)
        return bytes(row[0]) if row else None

    def letter_states(self) -> dict[str, int]:
        """How many letters there are in each state."""
        return {str(state): int(count) for state, count in self._run(_STATES)}

    def drop_letter(self, letter: int) -> bool:
        """Never send a waiting or dead letter, and forget its text. False if there is none such."""
        dropped = bool(self._changed(_DROP, letter=letter))
        if dropped:
            self._do(_DROP_CONTENT, letter=letter)
        return dropped

    def revive(self, letter: int, at: float) -> bool:
        """Make a waiting or dead letter due at once. False if there is none, or its text is gone."""
        self.write_letters()
        return bool(self._changed(_REVIVE, letter=letter, at=at))

    def first_due(self, now: float) -> int:
        """The number of the letter that should go next; 0 if none is due."""
        self.write_letters()
        return int(self._row(_FIRST_DUE, now=now)[0] or 0)

    def oldest_letter(self) -> float | None:
        """When the oldest letter that waits was written; mail to the operator is not looked at."""
        return cast(float | None, self._row(_OLDEST)[0])

    def unsent(self, userid: str) -> list[int]:
        """The letters to an account that wait."""
        return [number for (number,) in self._run(_UNSENT, userid=userid)]

    def unsent_letter(self, number: int) -> Letter | None:
        """A letter that waits or was refused for good, with its text; None if there is none."""
        row = self._row(_UNCLAIMED, letter=number)
        return Letter(*row) if row else None

    def readdress(self, letter: int, address: str, sender: str, content: bytes) -> None:
        """Send a letter to another address, in another envelope."""
        self._do(_READDRESS, which=letter, address=address, sender=sender)
        self._do(_SET_CONTENT, which=letter, content=content)

    def newest(self) -> float:
        """When the newest letter was written; 0 if there is none."""
        self.write_letters()
        return float(self._row(_NEWEST)[0] or 0.0)

    def prune_letters(self, now: float, texts: float, rows: float) -> bool:
        """Forget sent letters after 30 days; of those given up the texts and the rows at these ages.

        Some at a time; True if there may be more.
        """
        ages = {"sent": 30 * DAY, "dead": rows, "dropped": rows}
        done = [self._changed(_PRUNE_CONTENTS, before=now - min(texts, rows), most=PRUNED)]
        for kind, age in ages.items():
            done.append(self._changed(_PRUNE_LETTERS, kind=kind, before=now - age, most=PRUNED))
        return PRUNED in done
