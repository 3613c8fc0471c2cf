"""What the tests of delivery share: letters, and an outbox that keeps them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from typing import TypeVar

from pbmstar.delivery.outbox import Delivery
from pbmstar.delivery.relay import Relay, RelayDown, Verdict
from pbmstar.store import Letter, Store, Tx

T = TypeVar("T")
NOW = time.time()  # one for all, so that two letters of one number are equal


def text(number: int, body: str = "a board\r\n", written: float | None = None) -> bytes:
    """A letter's bytes."""
    date = formatdate(NOW if written is None else written)
    head = f"From: star@pbm.example\r\nDate: {date}\r\nMessage-ID: <m{number}@pbm.example>\r\n\r\n"
    return (head + body).encode()


def letter(number: int, address: str = "", body: str = "a board\r\n", tries: int = 1) -> Letter:
    """A claimed letter."""
    to = address or f"p{number}@home.example"
    return Letter(
        number, f"<m{number}@pbm.example>", to, "star@pbm.example", text(number, body), tries, NOW
    )


def send(relay: Relay, *letters: Letter) -> list[tuple[int, Verdict]]:
    """Open the relay and send; the verdicts by the letters' numbers. Raises RelayDown."""
    relay.open()
    return [(sent.id, verdict) for sent, verdict in relay.send(iter(letters))]


class Outbox:
    """A store used for its outbox; the clock stands unless it is moved."""

    def __init__(self, url: str) -> None:
        self.store = Store(url)
        self.now = NOW
        self.count = 0
        self.refused: list[int] = []  # letters that the relay takes to no such recipient

    def close(self) -> None:
        self.store.close()

    def transact(self, job: Callable[[Tx], T], /) -> T:
        """What ``Delivery`` wants."""
        with self.store.transaction() as tx:
            return job(tx)

    def add(
        self, address: str = "", body: str = "a board\r\n", written: float | None = None
    ) -> int:
        """A new letter; its number in the outbox is that in its Message-ID."""
        self.count += 1
        number, content = self.count, text(self.count, body, written or self.now)
        to = address or f"p{number}@home.example"
        with self.store.transaction() as tx:
            return tx.add_letter(
                f"<m{number}@pbm.example>", "u", to, "star@pbm.example", content, self.now
            )

    def refuse(self, _tx: Tx, letter: Letter) -> None:
        """What ``Delivery`` wants."""
        self.refused.append(letter.id)

    def delivery(self, relay: Relay, owner: str = "me") -> Delivery:
        return Delivery(self.transact, relay, owner, self.refuse, lambda: self.now)

    def waiting(self) -> dict[int, tuple[str, float, str]]:
        """State, seconds until due, and trouble of each letter that is not sent."""
        with self.store.transaction() as tx:
            found = tx.letters()
        return {each.id: (each.state, round(each.due - self.now), each.trouble) for each in found}

    def tries(self) -> dict[int, int]:
        """How often each letter that is not sent was tried."""
        with self.store.transaction() as tx:
            return {each.id: each.tries for each in tx.letters()}


class Scripted:
    """A relay that says what it is told: a verdict, "down", or "cut" while a letter is under way."""

    def __init__(self, script: Callable[[Letter], Verdict | str | None]) -> None:
        self.script = script
        self.tried: list[int] = []
        self.taken: list[int] = []
        self.opened = 0
        self.is_down = False

    def open(self) -> None:
        self.opened += 1
        if self.is_down:
            raise RelayDown("nobody answers")

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        for each in letters:
            self.tried.append(each.id)
            told = self.script(each) or Verdict("sent")
            if isinstance(told, str):
                self.is_down = told == "down"
                raise RelayDown("the line was cut", each)
            if told.kind == "sent":
                self.taken.append(each.id)
            yield each, told

    def close(self) -> None:
        pass

    def abort(self) -> None:
        pass
