"""Letters: they are written down, claimed, and sent or refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, cast

from sqlalchemy import (
    and_,
    any_,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    text,
    update,
)

from ...match.terms import DAY
from .. import schema as t
from ..statements import PRUNED, Connection, Subject, by, change, drop, fields, p, quoted

PLAYERS, STRANGERS = 0, 1  # the lanes of letters: to accounts and the operator; to all others
LANES = (PLAYERS, STRANGERS)
QUEUED = "queued as "  # and the id that the relay gave a letter


class KeptLetter(NamedTuple):
    """A letter with its content, a recipe or a whole mail. If claimed, ``tries`` counts the coming try."""

    id: int
    message_id: str
    address: str
    sender: str
    content: bytes
    tries: int
    made: float
    userid: str = ""


class NewLetter(NamedTuple):
    """A letter for the outbox; without ``due`` it is due at once, whatever the clock of any node says."""

    message_id: str
    userid: str
    address: str
    sender: str
    content: bytes
    made: float
    due: float | None = None
    lane: int = PLAYERS


class WaitingLetter(NamedTuple):
    """A letter of the outbox, in the form for the operator."""

    id: int
    message_id: str
    userid: str
    address: str
    state: str
    due: float
    tries: int
    made: float
    sent: float | None
    trouble: str


_outbox, _contents = t.outbox.c, t.contents.c

_LAST_NUMBER = text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
_NEXT_NUMBERS = text(
    "SELECT nextval(pg_get_serial_sequence('outbox', 'id')) FROM generate_series(1, :count)"
)
_CLAIM = (
    update(t.outbox)
    .where(by(t.outbox, "id"))
    .values(due=p("until"), owner=p("claimer"), tries=_outbox.tries + 1)
)
_waits = _outbox.state == quoted("new")
_letters = select(
    *((_contents if name == "content" else _outbox)[name] for name in KeptLetter._fields)
).join(t.contents, _contents.letter == _outbox.id)
_DUE = (
    _letters.where(
        _waits,
        by(t.outbox, "lane"),
        or_(
            _outbox.due <= p("now"),
            # No letter that was tried waits for a day, and none is made in the future.
            and_(_outbox.due > p("beyond"), or_(_outbox.tries > 0, _outbox.made > p("beyond"))),
        ),
    )
    .order_by(_outbox.id)
    .limit(p("count"))
    .with_for_update(skip_locked=True, of=t.outbox)
)
# A letter waits while another node has an older letter to the same reader in hand.
_older = t.outbox.alias()
_DUE_HERE = _DUE.where(
    ~exists().where(
        _older.c.state == quoted("new"),
        _older.c.lane == _outbox.lane,
        _older.c.address == _outbox.address,
        _older.c.id < _outbox.id,
        _older.c.owner.not_in(("", p("claimer"))),
    )
)
_AHEAD = (
    select(_outbox.address, _outbox.id)
    .where(
        _waits,
        by(t.outbox, "lane"),
        _outbox.address == any_(p("addresses")),
        _outbox.id < p("last"),
        or_(_outbox.due <= p("now"), _outbox.owner.not_in(("", p("claimer")))),
    )
    .order_by(_outbox.id)
)
_claimed = and_(_waits, _outbox.owner == p("claimer"))
_RELEASE = update(t.outbox).where(_claimed).values(due=0.0, owner="", tries=_outbox.tries - 1)
_MARK_SENT = change(t.outbox, ("id",), "sent", "trouble").values(state="sent", address="", owner="")
_DROP_CONTENT = drop(t.contents, "letter")
_MARK_TRIED = update(t.outbox).where(by(t.outbox, "id")).values(tries=_outbox.tries + 1)
# The delay depends on the number of claims: a letter that ends its process again and again holds up no
# other letter.
_RECOVER = (
    update(t.outbox)
    .where(_claimed)
    .values(
        due=case(
            (_outbox.tries < 10, 0.0),  # a server may be killed for other reasons, too
            (_outbox.tries < 15, p("at") + 60.0),
            (_outbox.tries < 20, p("at") + 600.0),
            else_=p("at") + 3600.0,
        ),
        owner="",
    )
)
_unsent = or_(_outbox.state == "new", _outbox.state == "dead")
_UNSENT = select(*fields(t.outbox, WaitingLetter)).where(_unsent).order_by(_outbox.id)
_SENT_AGAIN = (
    select(_outbox.id)
    .where(by(t.outbox, "userid"), _outbox.state == quoted("sent"), _outbox.tries > 1)
    .order_by(_outbox.id.desc())
    .limit(20)
)
_STATES = select(_outbox.state, func.count()).group_by(_outbox.state)
_DROP = update(t.outbox).where(_unsent, by(t.outbox, "id")).values(state="dropped", owner="")
_unsent_to = and_(_unsent, by(t.outbox, "userid"), _outbox.address == p("to"))
_DROP_CONTENT_TO = delete(t.contents).where(
    _contents.letter.in_(select(_outbox.id).where(_unsent_to))
)
_DROP_TO = (
    update(t.outbox).where(_unsent_to).values(state="dropped", owner="", address="", trouble="")
)
_REVIVE = (
    update(t.outbox)
    .where(
        _unsent,
        by(t.outbox, "id"),
        or_(_outbox.owner == "", _outbox.due <= p("at")),  # it is not on its way just now
        _outbox.id.in_(select(_contents.letter)),
    )
    .values(state="new", due=p("at"), owner="")
)
_NEXT_DUE = select(func.min(_outbox.id)).where(
    _waits, by(t.outbox, "lane"), _outbox.due <= p("now")
)
_IN_HAND = select(func.count()).where(
    _waits, or_(_outbox.owner == p("claimer"), _outbox.owner.like(p("others")))
)
# A letter with a later ``due`` that was not tried yet waits since that time.
_waits_since = case(
    (and_(_outbox.tries == 0, _outbox.due > _outbox.made), _outbox.due), else_=_outbox.made
)
_OLDEST_WAITING = select(func.min(_waits_since)).where(_waits, _outbox.sender != "")
_WAITING_FOR = select(_outbox.id).where(_waits, by(t.outbox, "userid")).order_by(_outbox.id)
_LETTER = _letters.where(by(t.outbox, "id"), _outbox.state != "sent")
_LAST_WRITTEN = select(func.max(_outbox.made))
_NAMED = (
    select(_outbox.id)
    .where(
        or_(
            by(t.outbox, "message_id"),
            and_(_outbox.state == quoted("sent"), by(t.outbox, "trouble")),
        )
    )
    .order_by(_outbox.id)
)
_BY_READER = (
    select(_outbox.userid, func.count()).where(_outbox.made >= p("since")).group_by(_outbox.userid)
)
# The letters that nobody has begun to send. A letter that a killed process gave back is due at
# once. It may have arrived, so it must stay as it is.
_held = and_(_waits, _outbox.owner == "", _outbox.tries == 0, _outbox.due > _outbox.made)
_HELD = (
    select(_outbox.id, _contents.content)
    .join(t.contents, _contents.letter == _outbox.id)
    .where(_held, by(t.outbox, "userid"))
    .order_by(_outbox.id.desc())
    .with_for_update(skip_locked=True, of=t.outbox)
)
_PRUNE_CONTENTS = delete(t.contents).where(
    _contents.letter.in_(
        select(_contents.letter)
        .join(t.outbox, _outbox.id == _contents.letter)
        .where(_outbox.state == "dead", _outbox.made < p("before"))
        .limit(p("most"))
    )
)
# Rows of one state, except those with a text that is still there.
_PRUNE = delete(t.outbox).where(
    _outbox.id.in_(
        select(_outbox.id)
        .where(
            _outbox.state == p("kind"),
            _outbox.made < p("before"),
            _outbox.id.not_in(select(_contents.letter)),
        )
        .limit(p("most"))
    )
)


class Outbox(Subject):
    """Letters to be sent.

    New letters are written together: at the end of the transaction, or before anything looks at the
    outbox.
    """

    def __init__(self, db: Connection) -> None:
        super().__init__(db)
        self._numbers = self._sqlite_numbers() if db.is_sqlite else self._sequence()
        self._spare: deque[int] = deque()  # numbers for the next letters
        self.reserved: set[int] = set()  # letters that only this transaction can write
        self.open: set[int] = set()  # the reserved letters that are not written yet

    def _sqlite_numbers(self) -> Iterator[int]:
        """Yield numbers for new letters. Nobody else writes until the end of this transaction."""
        row = self._db.row(_LAST_NUMBER)
        yield from count(int(row[0]) + 1 if row else 1)

    def _sequence(self) -> Iterator[int]:
        """Yield numbers for new letters, from ever larger blocks of the sequence: few queries are enough."""
        size = 2  # letters of one move
        while True:
            yield from self._db.column(_NEXT_NUMBERS, count=size)
            size *= 2

    def write(self) -> None:
        """Write the new letters, and other rows that wait, to the database."""
        self._db.write()

    def _next(self) -> int:
        return self._spare.popleft() if self._spare else next(self._numbers)

    def reserve(self, before: int = 0) -> int:
        """Reserve a number for a letter of this transaction that comes behind ``before`` others."""
        others = [self._next() for _ in range(before)]
        number = self._next()
        self._spare.extendleft(reversed(others))
        self.reserved.add(number)
        self.open.add(number)
        return number

    def add(self, letter: NewLetter, number: int | None = None) -> int:
        """Put a letter into the outbox, under its reserved number if it has one; return its number."""
        number = number or self._next()
        self.open.discard(number)
        values = letter._asdict()
        content = {"letter": number, "content": values.pop("content")}
        values |= {"id": number, "state": "new", "trouble": "", "owner": "", "tries": 0}
        if letter.due is None:
            values["due"] = 0.0
        self._db.later(t.outbox, number, values)
        self._db.later(t.contents, number, content)
        return number

    def claim(
        self, owner: str, now: float, until: float, count: int, lanes: Sequence[int] = LANES
    ) -> list[KeptLetter]:
        """Claim at most ``count`` due letters, lane by lane; no other owner gets them before ``until``.

        Each counts as tried. A letter is due, too, if its time is so late that a wrong clock has set it.
        A reader gets letters in their order though several nodes claim at one time.
        """
        self._db.write()
        rows: list[Any] = []
        for lane in lanes:
            values = {"lane": lane, "now": now, "beyond": now + DAY, "count": count - len(rows)}
            if self._db.is_sqlite:
                rows += self._db.rows(_DUE, **values)
            else:
                due = self._db.rows(_DUE_HERE, claimer=owner, **values)
                rows += self._in_order(due, owner, lane, now)
        letters = [KeptLetter(*row)._replace(tries=row[5] + 1) for row in rows]
        claims = [{"id": letter.id, "until": until, "claimer": owner} for letter in letters]
        self._db.run_each(_CLAIM, claims)
        return letters

    def _in_order(self, rows: Sequence[Any], owner: str, lane: int, now: float) -> list[Any]:
        """Return the rows without letters that would overtake an older letter to the same reader.

        Another node may claim the older one just now: its row was locked, and not yet marked as claimed.
        """
        if not rows:
            return []
        values = {"addresses": sorted({row[2] for row in rows}), "last": rows[-1][0]}
        ahead = self._db.rows(_AHEAD, claimer=owner, lane=lane, now=now, **values)
        ours = {number for number, *_ in rows}
        held: dict[str, int] = {}
        for address, number in ahead:
            if number not in ours:
                held.setdefault(address, number)
        return [row for row in rows if row[0] < held.get(row[2], row[0] + 1)]

    def release(self, owner: str) -> None:
        """Give back the letters that this owner has claimed and not tried: they are due at once."""
        self._db.do(_RELEASE, claimer=owner)

    def mark_sent(
        self, letters: Sequence[int], at: float, queued: Mapping[int, str] | None = None
    ) -> None:
        """Note that the relay has taken these letters; drop texts and addresses.

        ``queued`` names the ids that the relay gave them, if they are known.
        """
        ids = {letter: QUEUED + name for letter, name in (queued or {}).items() if name}
        rows = [{"id": letter, "sent": at, "trouble": ids.get(letter, "")} for letter in letters]
        self._db.run_each(_MARK_SENT, rows)
        self._db.run_each(_DROP_CONTENT, [{"letter": letter} for letter in letters])

    def mark_tried(self, letter: int) -> None:
        """Count a letter as tried: it was under way when the relay went away."""
        self._db.do(_MARK_TRIED, id=letter)

    def mark_dead(self, letter: int, why: str, tries: int) -> None:
        """Give up a letter that the relay has refused for good, at the try with the number ``tries``."""
        self._db.change(t.outbox, {"id": letter}, state="dead", owner="", trouble=why, tries=tries)

    def retry(self, letter: int, due: float, why: str, tries: int) -> None:
        """Try a letter again at ``due``, after ``tries`` tries."""
        self._db.change(t.outbox, {"id": letter}, due=due, owner="", trouble=why, tries=tries)

    def recover(self, owner: str, now: float) -> None:
        """Give back the letters that a killed process of this owner had claimed.

        A letter is due at once the first times, and ever later if this happens to it again and again.
        """
        self._db.do(_RECOVER, claimer=owner, at=now)

    def unsent(self) -> list[WaitingLetter]:
        """Return the letters that have not been sent."""
        self._db.write()
        return self._db.all(WaitingLetter, _UNSENT)

    def sent_again(self, userid: str) -> list[int]:
        """Return the numbers of a reader's last letters that were sent by more than one try."""
        self._db.write()
        return self._db.column(_SENT_AGAIN, userid=userid)[::-1]

    def status(self, letter: int) -> WaitingLetter | None:
        """Return the letter of that number, in any state; None if there is none, or it is forgotten."""
        self._db.write()
        return self._db.find(WaitingLetter, t.outbox, id=letter)

    def content(self, letter: int) -> bytes | None:
        """Return the content of a letter; None once it is sent or dropped."""
        content = self._db.value(_contents.content, letter=letter)
        return None if content is None else bytes(content)

    def states(self) -> dict[str, int]:
        """Count the letters by state."""
        return dict(self._db.rows(_STATES))

    def drop(self, letter: int) -> bool:
        """Drop a waiting or dead letter and its text. Return False if there is no such letter."""
        dropped = bool(self._db.changed(_DROP, id=letter))
        if dropped:
            self._db.drop(t.contents, letter=letter)
        return dropped

    def drop_for(self, userid: str, address: str) -> None:
        """Drop all letters to an account that were not sent and would go to that address."""
        self._db.write()
        self._db.do(_DROP_CONTENT_TO, userid=userid, to=address)
        self._db.do(_DROP_TO, userid=userid, to=address)

    def revive(self, letter: int, at: float) -> bool:
        """Make a waiting or dead letter due at once.

        Return False if there is no such letter, if its text is gone, or if it is under way just now.
        """
        self._db.write()
        return bool(self._db.changed(_REVIVE, id=letter, at=at))

    def next_due(self, now: float, lane: int) -> int:
        """Return the number of the letter of a lane that goes next; 0 if none is due."""
        self._db.write()
        return self._db.number(_NEXT_DUE, lane=lane, now=now)

    def in_hand(self, node: str) -> int:
        """Count the letters that a node has claimed and not marked."""
        self._db.write()
        return self._db.number(_IN_HAND, claimer=node, others=f"{node}.%")

    def oldest_waiting(self) -> float | None:
        """Return the time since which the oldest letter waits, or None; mail to the operator is left out."""
        return cast(float | None, self._db.row(_OLDEST_WAITING)[0])

    def waiting_for(self, userid: str) -> list[int]:
        """Return the numbers of the waiting letters to an account."""
        return self._db.column(_WAITING_FOR, userid=userid)

    def letter(self, number: int) -> KeptLetter | None:
        """Return a letter that is not sent, with its text; None if there is none."""
        return self._db.one(KeptLetter, _LETTER, id=number)

    def readdress(self, letter: int, address: str, sender: str, content: bytes) -> None:
        """Send a letter to another address, in another envelope."""
        self._db.change(t.outbox, {"id": letter}, address=address, sender=sender)
        self._db.change(t.contents, {"letter": letter}, content=content)

    def last_written(self) -> float:
        """Return the time when the newest letter was written; 0 if there is none."""
        self._db.write()
        return float(self._db.row(_LAST_WRITTEN)[0] or 0.0)

    def held_for(self, userid: str) -> list[tuple[int, bytes]]:
        """Return the letters to an account that are held back and not yet begun, the newest first.

        Each is its number and its content. Nobody can claim them before this transaction ends.
        """
        self._db.write()
        return [(number, bytes(content)) for number, content in self._db.run(_HELD, userid=userid)]

    def delay(self, letter: int, due: float) -> None:
        """Send an unclaimed letter no earlier than ``due``."""
        self._db.write()
        self._db.change(t.outbox, {"id": letter}, due=due)

    def replace(self, letter: int, content: bytes, due: float) -> None:
        """Give an unclaimed letter another content, and send it at ``due``."""
        self._db.change(t.contents, {"letter": letter}, content=content)
        self._db.change(t.outbox, {"id": letter}, due=due)

    def named(self, name: str) -> list[int]:
        """Return the numbers of the letters with a Message-ID, or with an id in the relay's queue."""
        self._db.write()
        message = name if name.startswith("<") else f"<{name}>"
        return self._db.column(_NAMED, message_id=message, trouble=QUEUED + name)

    def by_reader(self, since: float) -> dict[str, int]:
        """Count the letters written from ``since`` on, by userid; it is empty for those to no account."""
        self._db.write()
        return dict(self._db.rows(_BY_READER, since=since))

    def prune(self, now: float, texts: float, rows: float) -> bool:
        """Forget sent letters after 30 days, texts of dead ones at the age ``texts``, their rows at ``rows``.

        One call forgets some of them. Return True if there may be more.
        """
        ages = {"sent": 30 * DAY, "dead": rows, "dropped": rows}
        done = [self._db.changed(_PRUNE_CONTENTS, before=now - min(texts, rows), most=PRUNED)]
        for kind, age in ages.items():
            done.append(self._db.changed(_PRUNE, kind=kind, before=now - age, most=PRUNED))
        return PRUNED in done
