"""Letters: they are written down, claimed, and sent or refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, cast

from ...config import RelayLimit
from ...machine.times import DAY, Epoch, Seconds
from .. import schema as t
from ..statements import PRUNED, Connection, Repository, columns

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
    made: Epoch
    userid: str = ""


class NewLetter(NamedTuple):
    """A letter for the outbox; without ``due`` it is due at once, whatever the clock of any node says.

    ``waits``: 1 if others go first while the relay takes only some.
    """

    message_id: str
    userid: str
    address: str
    sender: str
    content: bytes
    made: Epoch
    due: Epoch | None = None
    lane: int = PLAYERS
    waits: int = 0


class Reservation(NamedTuple):
    """The number of a letter that this transaction may still write, see ``Outbox.reserve``."""

    number: int


class WaitingLetter(NamedTuple):
    """A letter of the outbox, in the form for the operator."""

    id: int
    message_id: str
    userid: str
    address: str
    state: str
    due: Epoch
    tries: int
    made: Epoch
    sent: Epoch | None
    trouble: str


_LETTERS = f"SELECT {columns(KeptLetter)} FROM outbox JOIN contents ON letter = id"
# No letter that was tried waits for a day, and none is made in the future.
_DUE = """state = 'new' AND lane = :lane
    AND (due <= :now OR due > :beyond AND (tries > 0 OR made > :beyond))"""
_UNSENT = "(state = 'new' OR state = 'dead')"


class Outbox(Repository):
    """Letters to be sent.

    New letters are written together: at the end of the transaction, or before anything looks at the
    outbox.
    """

    def __init__(self, db: Connection) -> None:
        super().__init__(db)
        self._numbers = self._sqlite_numbers() if db.is_sqlite else self._sequence()
        self._spare: deque[int] = deque()  # numbers for the next letters
        self._reserved: dict[
            int, bool
        ] = {}  # the numbers reserved here; True once a letter has one

    def _sqlite_numbers(self) -> Iterator[int]:
        """Yield numbers for new letters. Nobody else writes until the end of this transaction."""
        row = self._db.row("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
        yield from count(int(row[0]) + 1 if row else 1)

    def _sequence(self) -> Iterator[int]:
        """Yield numbers for new letters, from ever larger blocks of the sequence: few queries are enough."""
        size = 2  # letters of one move
        while True:
            yield from self._db.column(
                "SELECT nextval(pg_get_serial_sequence('outbox', 'id'))"
                " FROM generate_series(1, :count)",
                count=size,
            )
            size *= 2

    def _next(self) -> int:
        return self._spare.popleft() if self._spare else next(self._numbers)

    def reserve(self, before: int = 0) -> Reservation:
        """Reserve the number of a letter of this transaction that comes after ``before`` others.

        ``add`` takes the reservation. It may stay open: then no letter ever gets that number.
        """
        others = [self._next() for _ in range(before)]
        number = self._next()
        self._spare.extendleft(reversed(others))
        self._reserved[number] = False
        return Reservation(number)

    def reservation(self, number: int | None) -> Reservation | None:
        """Return the reservation of a number; None if it is not reserved here, or a letter has it already."""
        if number is None or self._reserved.get(number, True):
            return None
        return Reservation(number)

    def is_of_now(self, number: int) -> bool:
        """Return True if a number was reserved in this transaction: its letter cannot have been sent."""
        return number in self._reserved

    def add(self, letter: NewLetter, reserved: Reservation | None = None) -> int:
        """Put a letter into the outbox, under its reserved number if it has one; return its number."""
        number = reserved.number if reserved else self._next()
        if reserved:
            self._reserved[number] = True
        values = letter._asdict()
        content = {"letter": number, "content": values.pop("content")}
        values |= {"id": number, "state": "new", "trouble": "", "owner": "", "tries": 0}
        if letter.due is None:
            values["due"] = 0.0
        self._db.later(t.outbox, number, values)
        self._db.later(t.contents, number, content)
        return number

    def room(self, limits: Sequence[RelayLimit], now: Epoch, lanes: Sequence[int]) -> int:
        """Return how many letters may go to the relay now, by its limits, if there are any.

        Letters to strangers go while no other letter is due.
        """
        if PLAYERS not in lanes and self.next_due(now, PLAYERS):
            return 0
        in_hand = self._db.number("SELECT count(*) FROM outbox WHERE state = 'new' AND owner != ''")
        return min(
            limit.letters
            - in_hand
            - self._db.number(
                "SELECT count(*) FROM outbox WHERE sent > :since", since=now - limit.seconds
            )
            for limit in limits
        )

    def claim(
        self,
        owner: str,
        now: Epoch,
        until: Epoch,
        count: int,
        lanes: Sequence[int] = LANES,
        limits: Sequence[RelayLimit] = (),
    ) -> list[KeptLetter]:
        """Claim at most ``count`` due letters, lane by lane; no other owner gets them before ``until``.

        Each counts as tried. A letter is due, too, if its time is so late that a wrong clock has set it.
        A reader gets letters in their order though several nodes claim at one time. With limits of the relay
        those that wait come last.
        """
        if limits:
            count = max(0, min(count, self.room(limits, now, lanes)))
        order = "waits, id" if limits else "id"
        rows: list[Any] = []
        for lane in lanes:
            values = {"lane": lane, "now": now, "beyond": now + DAY, "count": count - len(rows)}
            if self._db.is_sqlite:
                rows += self._db.rows(
                    f"{_LETTERS} WHERE {_DUE} ORDER BY {order} LIMIT :count", **values
                )
            else:
                # A letter waits while another node has an older letter to the same reader in hand.
                due = self._db.rows(
                    f"""
                    {_LETTERS}
                    WHERE {_DUE} AND NOT EXISTS (
                        SELECT * FROM outbox AS older
                        WHERE older.state = 'new' AND older.lane = outbox.lane
                            AND older.address = outbox.address AND older.id < outbox.id
                            AND older.owner NOT IN ('', :owner)
                    )
                    ORDER BY {order} LIMIT :count
                    FOR UPDATE OF outbox SKIP LOCKED
                    """,
                    owner=owner,
                    **values,
                )
                rows += self._in_order(due, owner, lane, now)
        letters = [KeptLetter(*row)._replace(tries=row[5] + 1) for row in rows]
        self._db.run_each(
            "UPDATE outbox SET due = :until, owner = :owner, tries = tries + 1 WHERE id = :id",
            [{"id": letter.id, "until": until, "owner": owner} for letter in letters],
        )
        return letters

    def _in_order(self, rows: Sequence[Any], owner: str, lane: int, now: Epoch) -> list[Any]:
        """Return the rows without letters that would overtake an older letter to the same reader.

        Another node may claim the older one just now: its row was locked, and not yet claimed.
        """
        if not rows:
            return []
        ahead = self._db.rows(
            """
            SELECT address, id FROM outbox
            WHERE state = 'new' AND lane = :lane AND address = ANY(:addresses) AND id < :last
                AND (due <= :now OR owner NOT IN ('', :owner))
            ORDER BY id
            """,
            lane=lane,
            addresses=sorted({row[2] for row in rows}),
            last=max(row[0] for row in rows),
            now=now,
            owner=owner,
        )
        ours = {number for number, *_ in rows}
        held: dict[str, int] = {}
        for address, number in ahead:
            if number not in ours:
                held.setdefault(address, number)
        return [row for row in rows if row[0] < held.get(row[2], row[0] + 1)]

    def release(self, owner: str) -> None:
        """Give back the letters that this owner has claimed and not tried: they are due at once."""
        self._db.do(
            "UPDATE outbox SET due = 0, owner = '', tries = tries - 1"
            " WHERE state = 'new' AND owner = :owner",
            owner=owner,
        )

    def set_sent(
        self, letters: Sequence[int], at: Epoch, queued: Mapping[int, str] | None = None
    ) -> None:
        """Note that the relay has taken these letters; drop texts and addresses.

        ``queued`` names the ids that the relay gave them, if they are known.
        """
        ids = {letter: QUEUED + name for letter, name in (queued or {}).items() if name}
        self._db.run_each(
            "UPDATE outbox SET state = 'sent', address = '', owner = '', sent = :sent, trouble = :trouble"
            " WHERE id = :id",
            [{"id": letter, "sent": at, "trouble": ids.get(letter, "")} for letter in letters],
        )
        self._db.run_each(
            "DELETE FROM contents WHERE letter = :letter",
            [{"letter": letter} for letter in letters],
        )

    def set_tried(self, letter: int) -> None:
        """Count a letter as tried: it was under way when the relay went away."""
        self._db.do("UPDATE outbox SET tries = tries + 1 WHERE id = :id", id=letter)

    def set_dead(self, letter: int, why: str, tries: int) -> None:
        """Give up a letter that the relay has refused for good, at the try with the number ``tries``."""
        self._db.change(t.outbox, {"id": letter}, state="dead", owner="", trouble=why, tries=tries)

    def retry(self, letter: int, due: Epoch, why: str, tries: int) -> None:
        """Try a letter again at ``due``, after ``tries`` tries."""
        self._db.change(t.outbox, {"id": letter}, due=due, owner="", trouble=why, tries=tries)

    def recover(self, owner: str, now: Epoch) -> None:
        """Give back the letters that a killed process of this owner had claimed.

        A letter is due at once the first times, because a server may be killed for other reasons, too. It
        is due ever later if this happens to it again and again: so it holds up no other letter.
        """
        self._db.do(
            """
            UPDATE outbox
            SET owner = '', due = CASE
                WHEN tries < 10 THEN 0
                WHEN tries < 15 THEN :now + 60
                WHEN tries < 20 THEN :now + 600
                ELSE :now + 3600
            END
            WHERE state = 'new' AND owner = :owner
            """,
            owner=owner,
            now=now,
        )

    def unsent(self) -> list[WaitingLetter]:
        """Return the letters that have not been sent."""
        return self._db.all(
            WaitingLetter,
            f"SELECT {columns(WaitingLetter)} FROM outbox WHERE {_UNSENT} ORDER BY id",
        )

    def sent_again(self, userid: str) -> list[int]:
        """Return the numbers of a reader's last letters that were sent by more than one try."""
        last = self._db.column(
            "SELECT id FROM outbox WHERE userid = :userid AND state = 'sent' AND tries > 1"
            " ORDER BY id DESC LIMIT 20",
            userid=userid,
        )
        return last[::-1]

    def status(self, letter: int) -> WaitingLetter | None:
        """Return the letter of that number, in any state; None if there is none, or it is forgotten."""
        return self._db.find(WaitingLetter, t.outbox, id=letter)

    def content(self, letter: int) -> bytes | None:
        """Return the content of a letter; None once it is sent or dropped."""
        content = self._db.value(t.contents.c.content, letter=letter)
        return None if content is None else bytes(content)

    def states(self) -> dict[str, int]:
        """Count the letters by state."""
        return dict(self._db.rows("SELECT state, count(*) FROM outbox GROUP BY state"))

    def drop(self, letter: int) -> bool:
        """Drop a waiting or dead letter and its text. Return False if there is no such letter."""
        dropped = self._db.changed(
            f"UPDATE outbox SET state = 'dropped', owner = '' WHERE {_UNSENT} AND id = :id",
            id=letter,
        )
        if dropped:
            self._db.drop(t.contents, letter=letter)
        return dropped > 0

    def drop_for(self, userid: str, address: str) -> None:
        """Drop all letters to an account that were not sent and would go to that address."""
        theirs = f"{_UNSENT} AND userid = :userid AND address = :address"
        self._db.do(
            f"DELETE FROM contents WHERE letter IN (SELECT id FROM outbox WHERE {theirs})",
            userid=userid,
            address=address,
        )
        self._db.do(
            "UPDATE outbox SET state = 'dropped', owner = '', address = '', trouble = ''"
            f" WHERE {theirs}",
            userid=userid,
            address=address,
        )

    def revive(self, letter: int, at: Epoch) -> bool:
        """Make a waiting or dead letter due at once.

        Return False if there is no such letter, if its text is gone, or if it is under way just now.
        """
        revived = self._db.changed(
            f"""
            UPDATE outbox SET state = 'new', due = :at, owner = ''
            WHERE {_UNSENT} AND id = :id AND (owner = '' OR due <= :at)
                AND id IN (SELECT letter FROM contents)
            """,
            id=letter,
            at=at,
        )
        return revived > 0

    def next_due(self, now: Epoch, lane: int) -> int:
        """Return the number of the letter of a lane that goes next; 0 if none is due."""
        return self._db.number(
            "SELECT min(id) FROM outbox WHERE state = 'new' AND lane = :lane AND due <= :now",
            lane=lane,
            now=now,
        )

    def in_hand(self, node: str) -> int:
        """Count the letters that a node has claimed, without a verdict."""
        return self._db.number(
            "SELECT count(*) FROM outbox"
            " WHERE state = 'new' AND (owner = :node OR owner LIKE :others)",
            node=node,
            others=f"{node}.%",
        )

    def oldest_waiting(self) -> Epoch | None:
        """Return the time since which the oldest letter waits, or None; mail to the operator is left out.

        A letter with a later ``due`` that was not tried yet waits since that time.
        """
        (since,) = self._db.row(
            "SELECT min(CASE WHEN tries = 0 AND due > made THEN due ELSE made END)"
            " FROM outbox WHERE state = 'new' AND sender != ''"
        )
        return cast(float | None, since)

    def waiting_for(self, userid: str) -> list[int]:
        """Return the numbers of the waiting letters to an account."""
        return self._db.column(
            "SELECT id FROM outbox WHERE state = 'new' AND userid = :userid ORDER BY id",
            userid=userid,
        )

    def letter(self, number: int) -> KeptLetter | None:
        """Return a letter that is not sent, with its text; None if there is none."""
        return self._db.one(KeptLetter, f"{_LETTERS} WHERE id = :id AND state != 'sent'", id=number)

    def readdress(self, letter: int, address: str, sender: str, content: bytes) -> None:
        """Send a letter to another address, in another envelope."""
        self._db.change(t.outbox, {"id": letter}, address=address, sender=sender)
        self._db.change(t.contents, {"letter": letter}, content=content)

    def last_written(self) -> Epoch:
        """Return the time when the newest letter was written; 0 if there is none."""
        return float(self._db.row("SELECT max(made) FROM outbox")[0] or 0.0)

    def held_for(self, userid: str) -> list[tuple[int, bytes]]:
        """Return the letters to an account that are held back and not yet begun, the newest first.

        Each is its number and its content. Nobody can claim them before this transaction ends. A letter that
        a killed process gave back is due at once. It may have arrived, so it must stay as it is.
        """
        rows = self._db.rows(
            """
            SELECT id, content FROM outbox JOIN contents ON letter = id
            WHERE state = 'new' AND owner = '' AND tries = 0 AND due > made AND userid = :userid
            ORDER BY id DESC
            FOR UPDATE OF outbox SKIP LOCKED
            """,
            userid=userid,
        )
        return [(number, bytes(content)) for number, content in rows]

    def delay(self, letter: int, due: Epoch) -> None:
        """Send an unclaimed letter no earlier than ``due``."""
        self._db.change(t.outbox, {"id": letter}, due=due)

    def replace(self, letter: int, content: bytes, due: Epoch) -> None:
        """Give an unclaimed letter another content, and send it at ``due``."""
        self._db.change(t.contents, {"letter": letter}, content=content)
        self._db.change(t.outbox, {"id": letter}, due=due)

    def named(self, name: str) -> list[int]:
        """Return the numbers of the letters with a Message-ID, or with an id in the relay's queue."""
        message = name if name.startswith("<") else f"<{name}>"
        return self._db.column(
            "SELECT id FROM outbox"
            " WHERE message_id = :message OR state = 'sent' AND trouble = :queued ORDER BY id",
            message=message,
            queued=QUEUED + name,
        )

    def by_reader(self, since: Epoch) -> dict[str, int]:
        """Count the letters written from ``since`` on, by userid; it is empty for those to no account."""
        rows = self._db.rows(
            "SELECT userid, count(*) FROM outbox WHERE made >= :since GROUP BY userid", since=since
        )
        return dict(rows)

    def prune(self, now: Epoch, texts: Seconds, rows: Seconds) -> bool:
        """Forget sent letters after 30 days, texts of dead ones at the age ``texts``, their rows at ``rows``.

        One call forgets some of them. Return True if there may be more.
        """
        ages = {"sent": 30 * DAY, "dead": rows, "dropped": rows}
        dead = self._db.changed(
            """
            DELETE FROM contents WHERE letter IN (
                SELECT letter FROM contents JOIN outbox ON id = letter
                WHERE state = 'dead' AND made < :before LIMIT :most
            )
            """,
            before=now - min(texts, rows),
            most=PRUNED,
        )
        done = [dead]
        for state, age in ages.items():
            # Not the rows with a text that is still there.
            forgotten = self._db.changed(
                """
                DELETE FROM outbox WHERE id IN (
                    SELECT id FROM outbox
                    WHERE state = :state AND made < :before AND id NOT IN (SELECT letter FROM contents)
                    LIMIT :most
                )
                """,
                state=state,
                before=now - age,
                most=PRUNED,
            )
            done.append(forgotten)
        return PRUNED in done
