"""The outbox -> the relay: each letter at least once, in order, always the same bytes.

A letter is claimed, sent, and marked. Killed in between, the next process of the same spool gets
back what was claimed and sends it again, under the Message-ID that it has had from the beginning.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from . import relays
from .config import Config
from .errors import Passing
from .relays import Relay, RelayDown, Verdict
from .store import Letter, Store, Tx

T = TypeVar("T")
BATCH = 64  # letters claimed and marked by one transaction
LEASE = 300.0  # seconds for which nobody else gets a claimed letter ...
_BUSY = LEASE / 2  # ... and after which we begin no further one of them
_DELAYS = (60.0, 300.0, 900.0, 3600.0, 14400.0)  # until a refused letter is tried again
_AGE = 5 * 86400.0  # of a letter that is given up
_CUTS = 3  # tries after which a letter on which the line is cut has to let the others go first
POLL = 2.0  # seconds until letters of other processes are noticed
_PAUSES = (2.0, 300.0)  # first and longest pause while the relay is down
_DATE = re.compile(rb"^Date:[ \t]*([^\r\n]+)", re.I | re.M)
_ADDRESS = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")  # no blank, no < or >: one word of SMTP

log = logging.getLogger("pbmstar")


class Transact(Protocol):
    """Runs a job in a transaction; what it returns is returned when that is durable.

    Raises Passing, and then the job may not have happened. A job may be run more than once.
    """

    def __call__(self, job: Callable[[Tx], T], /) -> T: ...


class Pass(NamedTuple):
    """What one pass over the outbox has done.

    trouble  why it ended before all that was due had been tried, empty if it did not
    busy     another process delivers from this spool, nothing was done
    """

    sent: int = 0
    later: int = 0
    dead: int = 0
    trouble: str = ""
    busy: bool = False

    def __str__(self) -> str:
        if self.busy:
            return "Another process delivers from this spool."
        told = f"{self.sent} letters sent, {self.later} to be tried again, {self.dead} refused"
        return f"{told}; stopped: {self.trouble}" if self.trouble else told


class Delivery:
    """Sends what is due. To be used by one thread, and by one process of an ``owner`` at a time."""

    def __init__(
        self,
        transact: Transact,
        relay: Relay,
        owner: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._transact, self._relay, self._owner, self._clock = transact, relay, owner, clock
        self._marks: list[tuple[Letter, Verdict, float]] = []  # verdicts not yet in the store
        self._held: dict[str, float] = {}  # recipients that are not tried before then
        self._give_back = True  # what an earlier process, or a pass that failed, has claimed
        self._doubtful = False  # the last pass found the relay down

    def run_once(self, stopped: Callable[[], bool] = lambda: False) -> Pass:
        """Send until nothing is due, the relay is down, or ``stopped()``.

        Raises Passing for a trouble of the database; what had been sent is marked by the next pass.
        """
        self._held = {who: due for who, due in self._held.items() if due > self._clock()}
        counts = {"sent": 0, "later": 0, "dead": 0}
        trouble = ""
        try:
            if self._doubtful:  # before anything is claimed: these letters are not to blame
                self._relay.open()
                self._doubtful = False
            batch = self._exchange(not stopped())
            while batch:
                trouble = self._send(batch, stopped)
                for _, verdict, _ in self._marks:
                    counts[verdict.kind] += 1
                batch = self._exchange(not trouble and not stopped())
        except RelayDown as error:
            trouble = str(error)
        self._doubtful = bool(trouble)
        return Pass(**counts, trouble=trouble)

    def _exchange(self, more: bool) -> list[Letter]:
        """Mark what is known, give back what was not tried, claim the next batch: one transaction."""
        marks, give_back, now = self._marks, self._give_back, self._clock()

        def job(tx: Tx) -> list[Letter]:
            for letter, verdict, due in marks:
                if verdict.kind == "sent":
                    tx.sent(letter.id, now)
                elif verdict.kind == "later":
                    tx.retry(letter.id, due, verdict.why)
                else:
                    tx.dead(letter.id, verdict.why)
            if give_back:
                tx.release(self._owner)
            return tx.claim(self._owner, now, now + LEASE, BATCH) if more else []

        batch = self._transact(job)
        self._marks, self._give_back = [], False
        return batch

    def _send(self, batch: list[Letter], stopped: Callable[[], bool]) -> str:
        """Send a batch as far as possible; returns what is wrong with the relay, or an empty text."""
        willing = self._willing(batch, stopped, time.monotonic() + _BUSY)
        while True:
            progress = 0
            try:
                self._relay.open()
                for letter, verdict in self._relay.send(willing):
                    self._note(letter, verdict)
                    progress += 1
            except RelayDown as error:
                self._give_back = True
                if error.letter is not None and error.letter.tries >= _CUTS:
                    self._note(error.letter, Verdict("later", str(error)))
                elif progress:  # a relay may well take so many letters on one line and no more
                    return self._again(batch, stopped) if not stopped() else ""
                else:
                    return str(error)
            else:
                return ""

    def _again(self, batch: list[Letter], stopped: Callable[[], bool]) -> str:
        known = {letter.id for letter, _, _ in self._marks}
        return self._send([letter for letter in batch if letter.id not in known], stopped)

    def _willing(
        self, batch: list[Letter], stopped: Callable[[], bool], until: float
    ) -> Iterator[Letter]:
        """The letters to send now, drawn when their turn comes; the others are noted or left."""
        for letter in batch:
            if stopped() or time.monotonic() > until:
                self._give_back = True
                return
            due = self._held.get(letter.address)
            if due is not None:
                self._marks.append((letter, Verdict("later", "behind an earlier letter"), due))
            elif not (
                _ADDRESS.fullmatch(letter.address)
                and (letter.sender == "" or _ADDRESS.fullmatch(letter.sender))
            ):
                self._note(letter, Verdict("dead", "no address that can be sent to"))
            else:
                yield letter

    def _note(self, letter: Letter, verdict: Verdict) -> None:
        """Keep a verdict until it is marked; one on a recipient holds for later letters too."""
        now = self._clock()
        due = now + _DELAYS[min(letter.tries, len(_DELAYS)) - 1]
        if verdict.kind == "later" and now - _made(letter, now) > _AGE:
            verdict = Verdict("dead", f"given up after five days: {verdict.why}")
        if verdict.kind == "later" and verdict.recipient:
            self._held[letter.address] = due
        self._marks.append((letter, verdict, due))
