"""What the tests of delivery share: letters, and an outbox that keeps them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from harness.quick import opened

from pbmstar.delivery.courier import at_once
from pbmstar.delivery.dispatch import Delivery
from pbmstar.delivery.relay import Letter, Relay, RelayDown, Verdict
from pbmstar.store import PLAYERS, KeptLetter, NewLetter, Tx

NOW = time.time()  # one for all, so that two letters of one number are equal
LATER = Verdict("later", "451 4.2.0 not now")
GREY = Verdict("later", "450 4.2.0 greylisted", recipient=True)
DEAD = Verdict("dead", "550 5.1.1 no such user")
A, B, C, D = (f"{name}@x.example" for name in "abcd")


def text(number: int, body: str = "a board\r\n") -> bytes:
    """A letter's bytes."""
    return f"From: star@pbm.example\r\nMessage-ID: <m{number}@pbm.example>\r\n\r\n{body}".encode()


def letter(number: int, address: str = "", body: str = "a board\r\n") -> Letter:
    """A letter on its way."""
    to, ident = address or f"p{number}@home.example", f"<m{number}@pbm.example>"
    return Letter(number, ident, to, "star@pbm.example", text(number, body))


def send(relay: Relay, *letters: Letter) -> list[tuple[int, Verdict]]:
    """Open the relay and send; the verdicts by the letters' numbers. Raises RelayDown."""
    relay.open()
    return [(sent.id, verdict) for sent, verdict in relay.send(iter(letters))]


class Outbox:
    """A store used for its outbox; the clock stands unless it is moved."""

    def __init__(self, url: str) -> None:
        self.url, self.store, self.now, self.count = url, opened(url), NOW, 0
        self.submit = at_once(self.store)
        self.refused: list[int] = []  # letters that were given up
        self.undrawn: list[int] = []  # letters that went without their picture

    def close(self) -> None:
        self.store.close()

    def add(self, *addresses: str, lane: int = PLAYERS) -> list[int]:
        """A new letter to each; a letter's number in the outbox is that in its Message-ID."""
        added = []
        with self.store.transaction() as tx:
            for address in addresses:
                self.count += 1
                one = letter(self.count, address)
                new = NewLetter(one.message_id, "u", address, one.sender, one.content, self.now)
                added.append(tx.outbox.add(new._replace(lane=lane)))
        return added

    def trouble(self, _tx: Tx, letter: KeptLetter, what: str) -> None:
        """What ``Delivery`` wants."""
        (self.undrawn if what == "picture" else self.refused).append(letter.id)

    def delivery(self, relay: Relay, owner: str = "me") -> Delivery:
        return Delivery(self.submit, relay, owner, self.trouble, lambda: self.now)

    def waiting(self) -> dict[int, tuple[str, int, str]]:
        """State, seconds until due, and trouble of each letter that is not sent."""
        with self.store.transaction() as tx:
            found = tx.outbox.unsent()
        return {
            each.id: (each.state, round(max(each.due - self.now, 0)), each.trouble)
            for each in found
        }

    def make_due(self) -> None:
        """Let no letter wait because its process was killed."""
        for number in self.waiting():
            with self.store.transaction() as tx:
                tx.outbox.revive(number, self.now)

    def tries(self) -> dict[int, int]:
        """How often each letter that is not sent was tried."""
        with self.store.transaction() as tx:
            return {each.id: each.tries for each in tx.outbox.unsent()}


class Scripted:
    """A relay that says what it is told: a verdict, "down", or "cut" while a letter is under way."""

    def __init__(self, script: Callable[[Letter], Verdict | str | None]) -> None:
        self.script = script
        self.tried: list[int] = []
        self.taken: list[int] = []
        self.opened, self.is_down = 0, False

    def open(self) -> None:
        self.opened += 1
        if self.is_down:
            raise RelayDown("nobody answers")

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        for each in letters:
            self.tried.append(each.id)
            answer = self.script(each) or Verdict("sent")
            if isinstance(answer, str):
                self.is_down = answer == "down"
                raise RelayDown("the line was cut", each)
            if answer.kind == "sent":
                self.taken.append(each.id)
            yield each, answer

    def close(self) -> None:
        """Nothing is open."""

    abort = close


def answers(script: dict[int, Any]) -> Scripted:
    """A relay that says this of the letters of these numbers, and takes all others."""
    return Scripted(lambda letter: script.get(letter.id))


def takes_all() -> Scripted:
    return answers({})
