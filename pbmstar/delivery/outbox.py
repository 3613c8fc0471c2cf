"""The outbox -> the relay: each letter at least once, in order, always the same bytes.

A letter is claimed, sent, and marked. Killed in between, the next process of the same spool gets
back what was claimed and sends it again, under the Message-ID that it has had from the beginning.
"""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from typing import NamedTuple, Protocol, TypeVar

from ..errors import Passing
from ..store import Letter, Tx
from .relay import Relay, RelayDown, Verdict

T = TypeVar("T")
BATCH = 256  # letters claimed and marked by one transaction
LEASE = 300.0  # seconds for which nobody else gets a claimed letter ...
_BUSY = LEASE / 2  # ... and after which we begin no further one of them
_DELAYS = (60.0, 300.0, 900.0, 3600.0, 14400.0)  # until a refused letter is tried again
_AGE = 5 * 86400.0  # of a letter that is given up
_CUTS = 3  # tries after which a letter on which the line is cut has to let the others go first
_ADDRESS = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")  # no blank, no < or >: one word of SMTP

log = logging.getLogger("pbmstar")


class Submit(Protocol):
    """Has a job run in a transaction, perhaps by another thread; returns its future.

    What the job returns is the result once that is durable. The future raises Passing if the job may
    not have happened. A job may be run more than once.
    """

    def __call__(self, job: Callable[[Tx], T], /) -> Future[T]: ...


class Trouble(Protocol):
    """What follows when all is not well with a letter, in the transaction of its mark.

    ``what``: the relay does not take the "letter", or its "recipient", and it is given up; or it was
    sent without its "picture".
    """

    def __call__(self, tx: Tx, letter: Letter, what: str, /) -> None: ...


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
        counts = f"{self.sent} letters sent, {self.later} to be tried again, {self.dead} refused"
        return f"{counts}; stopped: {self.trouble}" if self.trouble else counts


class Exchange(NamedTuple):
    """A transaction with the store under way: the letters it claims, and what it was to mark."""

    future: Future[list[Letter]]
    marks: list[tuple[Letter, Verdict, float]]
    cut: set[int]
    begun: float  # by the monotonic clock


class Batch(NamedTuple):
    """Claimed letters. ``until``: no other of them is begun after that, by the monotonic clock."""

    letters: list[Letter]
    until: float


class Delivery:
    """Sends what is due. To be used by one thread, and by one process of an ``owner`` at a time.

    While the last letters of a batch are sent, the next one is claimed, and what is known of the
    others is marked. So at most two batches are claimed at a time.
    """

    def __init__(
        self,
        submit: Submit,
        relay: Relay,
        owner: str,
        trouble: Trouble,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``trouble`` is called for each letter that all is not well with."""
        self._submit, self._relay, self._owner, self._clock = submit, relay, owner, clock
        self._trouble = trouble
        self._under_way: Exchange | None = None
        self._known: set[int] = set()  # letters of this batch that there is a verdict on
        self._marks: list[tuple[Letter, Verdict, float]] = []  # verdicts not yet in the store
        self._cut: set[int] = set()  # letters under way when the relay went, not yet in the store
        # Recipients that are not tried before then, unless the letter of that number is due itself.
        self._held: dict[str, tuple[float, int]] = {}
        self._give_back = True  # what an earlier process, or a pass that broke off, has claimed
        self._doubtful = False  # the last pass found the relay down
        self._counts: Counter[str] = Counter()

    def run_once(self, stopped: Callable[[], bool] = lambda: False) -> Pass:
        """Send what is due until all is sent, the relay is down, or ``stopped()``.

        Raises Passing for a trouble of the database; what had been sent is marked by the next pass.
        """
        self._counts.clear()
        self._held = {who: held for who, held in self._held.items() if held[0] > self._clock()}
        trouble = ""
        try:
            if self._doubtful:  # before anything is claimed: no letter is to blame
                self._relay.open()
            batch = self._exchange(claim=not stopped())
            while batch.letters:
                try:
                    trouble = self._send(batch, stopped)
                    following = self._end()
                except BaseException:  # even if we are broken off, what was sent stays sent
                    self._give_back = True
                    self._exchange(claim=False)
                    raise
                if following.letters and not self._give_back and not stopped():
                    batch = following
                    continue
                # If none was due a moment ago, what came since goes together, in the next pass.
                self._give_back = again = self._give_back or bool(following.letters)
                batch = self._exchange(claim=again and not trouble and not stopped())
        except RelayDown as error:
            trouble = str(error)
        self._doubtful = bool(trouble)
        counts = self._counts
        return Pass(counts["sent"], counts["later"], counts["dead"], trouble)

    def _exchange(self, claim: bool) -> Batch:
        """Mark what is known, give back what was not tried, claim the next batch: one transaction."""
        with suppress(Passing):
            self._end()
        self._begin(claim)
        return self._end()

    def _begin(self, claim: bool) -> None:
        """Begin an exchange; ``_end`` must follow."""
        marks, give_back, now = self._marks, self._give_back, self._clock()
        sent = [letter.id for letter, verdict, _ in marks if verdict.kind == "sent"]
        cut = self._cut - {letter.id for letter, _, _ in marks}

        def job(tx: Tx) -> list[Letter]:
            tx.sent(sent, now)
            for letter, verdict, due in marks:
                if verdict.kind == "sent":
                    if verdict.undrawn:
                        self._trouble(tx, letter, "picture")
                elif verdict.kind == "later":
                    tx.retry(letter.id, due, verdict.why, letter.tries)
                else:
                    tx.dead(letter.id, verdict.why, letter.tries)
                    self._trouble(tx, letter, "recipient" if verdict.recipient else "letter")
            for number in cut:
                tx.tried(number)
            if give_back:
                tx.release(self._owner)
            return tx.claim(self._owner, now, now + LEASE, BATCH) if claim else []

        self._under_way = Exchange(self._submit(job), marks, cut, time.monotonic())
        self._marks, self._cut, self._give_back = [], set(), False

    def _end(self) -> Batch:
        """The letters claimed by the exchange under way; none if there is no such. Raises Passing."""
        exchange, self._under_way = self._under_way, None
        if exchange is None:
            return Batch([], 0.0)
        try:
            letters = exchange.future.result()
        except BaseException:  # it may have happened or not: mark again, give back all
            self._marks, self._cut = exchange.marks + self._marks, exchange.cut | self._cut
            self._give_back = True
            raise
        self._counts.update(verdict.kind for _, verdict, _ in exchange.marks)
        if sent := [letter.id for letter, verdict, _ in exchange.marks if verdict.kind == "sent"]:
            log.info("sent", extra={"facts": {"letters": sent}})
        return Batch(letters, exchange.begun + _BUSY)

    def _send(self, batch: Batch, stopped: Callable[[], bool]) -> str:
        """Send a batch as far as possible; returns what is wrong with the relay, or an empty text.

        A relay that goes away after some letters is asked again at once: some take so many on one
        line and no more. If it does so whenever one certain letter comes, this letter has to wait,
        provided that others are taken.
        """
        self._known = set()
        suspect: Letter | None = None
        trouble = ""
        while True:
            known = self._known | ({suspect.id} if suspect else set())
            rest = [letter for letter in batch.letters if letter.id not in known]
            progress = False
            try:
                self._relay.open()
                for letter, verdict in self._relay.send(self._willing(rest, stopped, batch.until)):
                    self._note(letter, verdict)
                    progress = True
                    if suspect is not None:
                        self._mark(suspect, Verdict("later", trouble), self._later(suspect))
                        suspect = None
            except RelayDown as error:
                self._give_back = True
                trouble = str(error)
                if error.letter is not None:
                    self._cut.add(error.letter.id)
                if not progress and suspect is None and error.letter is not None:
                    suspect = error.letter if error.letter.tries >= _CUTS else None
                    progress = suspect is not None
                if not progress or stopped():
                    return trouble
            else:
                return trouble if suspect else ""

    def _willing(
        self, letters: list[Letter], stopped: Callable[[], bool], until: float
    ) -> Iterator[Letter]:
        """The letters to send now, drawn when their turn comes; the others are marked or left."""
        for place, letter in enumerate(letters, 1):
            if stopped() or time.monotonic() > until:
                self._give_back = True
                return
            if place == len(letters) and not self._give_back:
                self._begin(claim=True)
            held, behind = self._held.get(letter.address, (0.0, 0))
            if letter.id <= behind:  # made due by hand: this recipient is to be tried now
                del self._held[letter.address]
                yield letter
            elif held > self._clock():
                behind_it = letter._replace(tries=letter.tries - 1)  # not tried this time
                self._mark(behind_it, Verdict("later", "waits behind an earlier letter"), held)
            elif not _ADDRESS.fullmatch(letter.address) or not (
                letter.sender == "" or _ADDRESS.fullmatch(letter.sender)
            ):
                self._note(letter, Verdict("dead", "not an address that can be sent to"))
            else:
                yield letter

    def _note(self, letter: Letter, verdict: Verdict) -> None:
        """Take a relay's verdict; one on a recipient holds for the letters behind as well."""
        due = self._later(letter)
        if verdict.kind == "later" and self._clock() - letter.made > _AGE:
            why = f"given up after five days: {verdict.why}"
            verdict = Verdict("dead", why, verdict.recipient)
        if verdict.kind == "later" and verdict.recipient:
            self._held[letter.address] = due, letter.id
        self._mark(letter, verdict, due)

    def _mark(self, letter: Letter, verdict: Verdict, due: float) -> None:
        self._marks.append((letter, verdict, due))
        self._known.add(letter.id)
        if verdict.kind != "sent":
            code = re.match(r"[245][0-9][0-9](?: [245]\.\d+\.\d+)?", verdict.why)
            facts = {
                "letter": letter.id,
                "message_id": letter.message_id,
                "verdict": verdict.kind,
                "code": code[0] if code else "",  # the rest of what was said may name the address
                "tries": letter.tries,
            }
            log.info("letter", extra={"facts": facts})

    def _later(self, letter: Letter) -> float:
        return self._clock() + _DELAYS[max(0, min(letter.tries, len(_DELAYS)) - 1)]
