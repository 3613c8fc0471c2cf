"""The outbox -> the relay: each letter at least once, in order, always the same bytes.

Letters are claimed and sent; verdicts are brought to the store by the dozen, and at least once a second.
After a kill in between, the next process of the same spool gets the claimed letters back. It sends those
without a verdict again, under the same Message-IDs.
"""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeVar

from ..config import RelayLimit
from ..errors import TemporaryFailure
from ..games.spelling import plural
from ..machine.times import DAY, HOUR, MINUTE, Epoch, Monotonic
from ..store import LANES, PLAYERS, KeptLetter, Tx
from .relay import Letter, Relay, RelayDown, Verdict

T = TypeVar("T")
BATCH = 256  # letters claimed by one transaction: between two batches the relay has nothing to do
TOGETHER = 64  # verdicts that are brought to the store though the batch has not ended ...
WAIT = 1.0  # ... and seconds after which fewer are
LEASE = 600.0  # seconds for which no other node gets the claimed letters of a living node ...
_BUSY = LEASE / 4  # ... and after which we begin none of them any more: one letter may take minutes
_DELAYS = (MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR)  # until a refused letter is tried again
_AGE = 5 * DAY  # a letter of this age is given up, if it was tried after each of these delays
_CUTS = 3  # tries after which a letter that cuts the line must let the others go first
_ADDRESS = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")  # no blank, no < or >: one word of SMTP

_EVENTS = {"later": "deferred", "dead": "refused"}  # the event of a verdict in the log

log = logging.getLogger("pbmstar")


def lock_of(spool: Path, lane: int = PLAYERS) -> Path:
    """Return the file whose lock a process holds while it delivers a lane; a daemon holds it all the time."""
    return spool / f"deliver{lane or ''}.lock"


class Submit(Protocol):
    """A function that runs a job in a transaction, perhaps in another thread, and returns its future.

    The future has the job's result once that is durable. It raises TemporaryFailure if the job has perhaps
    not happened. A job may run more than once.
    """

    def __call__(self, job: Callable[[Tx], T], /) -> Future[T]: ...


class Trouble(Protocol):
    """A function that acts on a letter's trouble, in the transaction of its verdict.

    ``what`` is "letter" or "recipient" if the relay refuses that one, and the letter is given up. It is
    "picture" if the letter was sent without its picture.
    """

    def __call__(
        self, tx: Tx, letter: KeptLetter, what: Literal["letter", "recipient", "picture"], /
    ) -> None: ...


class Pass(NamedTuple):
    """The result of one pass over the outbox.

    trouble  the reason, if it ended before all due letters had been tried
    busy     True if another process delivers from this spool, and nothing was done
    """

    sent: int = 0
    later: int = 0
    dead: int = 0
    trouble: str = ""
    busy: bool = False

    def followed_by(self, other: Pass) -> Pass:
        sent, later, dead = (a + b for a, b in zip(self[:3], other[:3], strict=True))
        return Pass(sent, later, dead, self.trouble or other.trouble)

    def __str__(self) -> str:
        if self.busy:
            return "Another process delivers from this spool."
        sent = f"{plural(self.sent, 'letter').capitalize()} sent"
        counts = f"{sent}, {self.later} to be tried again, {self.dead} refused."
        return f"{counts} Stopped: {self.trouble}." if self.trouble else counts


class VerdictRow(NamedTuple):
    """A verdict on its way to the store. ``due``: the next try, if there is one."""

    letter: KeptLetter
    verdict: Verdict
    due: Epoch


class StoreRoundTrip(NamedTuple):
    """A transaction under way. Times are by the monotonic clock.

    future  the letters that it claims
    brings  the verdicts that it brings
    cut     the letters on which the line was cut
    begun   its time
    claims  True if it claims letters
    """

    future: Future[list[KeptLetter]]
    brings: list[VerdictRow]
    cut: set[int]
    begun: Monotonic
    claims: bool


class Batch(NamedTuple):
    """Claimed letters.

    letters  by their numbers, in order
    until    no letter of the batch is begun after this time of the monotonic clock
    judged   those that have a verdict
    """

    letters: dict[int, KeptLetter]
    until: Epoch
    judged: set[int]

    def rest(self, without: KeptLetter | None) -> list[KeptLetter]:
        """Return the letters that have no verdict, in order, except the letter ``without``."""
        number = without.id if without else None
        letters = self.letters.values()
        return [each for each in letters if each.id not in self.judged and each.id != number]


class RecipientPause(NamedTuple):
    """A recipient that is not tried before ``until``.

    letters  those that were deferred until then. If one of them comes earlier, somebody made it due by hand,
             and the recipient must be tried at once: the refused letter may be gone by then.
    """

    until: Epoch
    letters: set[int]


class OutboxLedger:
    """The store's side of a delivery: it claims letters, and brings back the verdicts on them.

    Both happen in exchanges, one transaction each; at most one is under way. An exchange that failed may
    have happened even so. The next one then brings the same verdicts again.

    give_back  True if the next exchange must give back all claimed letters that have no verdict
    counts     letters by verdict, of those verdicts that the store knows
    """

    def __init__(
        self,
        submit: Submit,
        owner: str,
        trouble: Trouble,
        clock: Callable[[], Epoch],
        lanes: Sequence[int],
        limits: Sequence[RelayLimit],
    ) -> None:
        self._submit, self._owner, self._trouble, self._clock = submit, owner, trouble, clock
        self.lanes, self._limits = lanes, limits
        self.give_back = False
        self.counts: Counter[str] = Counter()
        self._waiting: list[VerdictRow] = []  # the store does not know these, nor ...
        self._cut: set[int] = set()  # ... the letters under way when the relay went
        self._under_way: StoreRoundTrip | None = None
        self._recover = True  # the first exchange gives back the claims of a killed process
        self._begun = -WAIT  # the last exchange, by the monotonic clock

    def take(self, letter: KeptLetter, verdict: Verdict, due: Epoch) -> None:
        """Take a verdict for the next exchange."""
        self._waiting.append(VerdictRow(letter, verdict, due))
        self._cut.discard(letter.id)
        if verdict.kind != "sent":
            code = re.match(r"[245][0-9][0-9](?: [245]\.\d+\.\d+)?", verdict.why)
            facts = {
                "letter": letter.id,
                "message_id": letter.message_id,
                "code": code[0]
                if code
                else "",  # the rest of the relay's words may name the address
                "tries": letter.tries,
            }
            log.info(_EVENTS[verdict.kind], extra={"facts": facts})

    def take_cut(self, letter: KeptLetter | None) -> None:
        """Take the letter, if there is one, that was under way when the relay went away."""
        self.give_back = True
        if letter is not None:
            self._cut.add(letter.id)

    def exchange(self, claim: bool) -> Batch:
        """Bring verdicts, give back letters if necessary, and claim a batch. Raises TemporaryFailure."""
        with suppress(TemporaryFailure):
            self.end()
        self._begin(claim)
        return self.end()

    def claim_ahead(self) -> None:
        """Begin an exchange that claims the next batch; ``end`` returns it."""
        self._end_bringing()
        self._begin(claim=True)

    def bring_soon(self) -> None:
        """Begin an exchange within a batch, if many verdicts or the oldest one have waited for it.

        It does nothing while an exchange is under way.
        """
        exchange = self._under_way
        if exchange is not None and exchange.future.done():
            self._end_bringing()
        is_due = len(self._waiting) >= TOGETHER or time.monotonic() - self._begun >= WAIT
        if self._under_way is None and is_due:
            self._begin(claim=False, within=True)

    def end(self) -> Batch:
        """Wait for the exchange under way; return its batch, empty if there is none.

        Raises TemporaryFailure.
        """
        exchange, self._under_way = self._under_way, None
        if exchange is None:
            return Batch({}, 0.0, set())
        try:
            letters = exchange.future.result()
        except BaseException:  # it may have happened or not: bring them again, give back all
            self._waiting, self._cut = exchange.brings + self._waiting, exchange.cut | self._cut
            self.give_back = True
            raise
        self._recover = False
        self.counts.update(each.verdict.kind for each in exchange.brings)
        if sent := [each.letter.id for each in exchange.brings if each.verdict.kind == "sent"]:
            log.info("sent", extra={"facts": {"letters": sent}})
        claimed = {letter.id: letter for letter in letters}
        return Batch(claimed, exchange.begun + _BUSY, set())

    def _end_bringing(self) -> None:
        """End an exchange that claims nothing; if it failed, the next one brings its verdicts."""
        if self._under_way is not None and not self._under_way.claims:
            with suppress(TemporaryFailure):
                self.end()

    def _begin(self, claim: bool, within: bool = False) -> None:
        """Begin an exchange; ``end`` must follow. ``within`` a batch it gives back no letters."""
        brings, now, recover = self._waiting, self._clock(), self._recover
        give_back = self.give_back and not within
        cut = self._cut - {each.letter.id for each in brings}

        def job(tx: Tx) -> list[KeptLetter]:
            queued = {
                each.letter.id: each.verdict.why for each in brings if each.verdict.kind == "sent"
            }
            tx.outbox.set_sent(list(queued), now, queued)
            for each in brings:
                self._put(tx, each)
            if recover:
                tx.outbox.recover(self._owner, now)
            if give_back:
                for number in cut:
                    tx.outbox.set_tried(number)
                tx.outbox.release(self._owner)
            if not claim:
                return []
            return tx.outbox.claim(self._owner, now, now + LEASE, BATCH, self.lanes, self._limits)

        self._under_way = StoreRoundTrip(self._submit(job), brings, cut, time.monotonic(), claim)
        self._waiting, self._begun = [], time.monotonic()
        if give_back:
            self._cut, self.give_back = set(), False

    def _put(self, tx: Tx, brought: VerdictRow) -> None:
        """Bring one verdict to the store, and its trouble if there is one."""
        letter, verdict, due = brought
        if verdict.kind == "sent":
            if verdict.undrawn:
                self._trouble(tx, letter, "picture")
        elif verdict.kind == "later":
            tx.outbox.retry(letter.id, due, verdict.why, letter.tries)
        else:
            tx.outbox.set_dead(letter.id, verdict.why, letter.tries)
            self._trouble(tx, letter, "recipient" if verdict.recipient else "letter")


class Delivery:
    """A sender of the due letters. One thread uses it, in one process of an ``owner`` at a time.

    The life of a batch: it is claimed. Its letters go to the relay, in order, and their verdicts go to the
    ledger, which brings them to the store by the dozen. At its last letter the next batch is claimed ahead.
    If the relay goes away, or the time of the batch is up, the rest is given back. So at most two batches
    are claimed.
    """

    def __init__(  # noqa: PLR0913 - its parts, and what it keeps to
        self,
        submit: Submit,
        relay: Relay,
        owner: str,
        trouble: Trouble,
        clock: Callable[[], Epoch] = time.time,
        lanes: Sequence[int] = LANES,
        limits: Sequence[RelayLimit] = (),
    ) -> None:
        """Make it. It calls ``trouble`` for each letter with one, and sends only letters of ``lanes``.

        Letters beyond the ``limits`` of the relay wait.
        """
        self._relay, self._clock = relay, clock
        self._ledger = OutboxLedger(submit, owner, trouble, clock, lanes, limits)
        self._held: dict[str, RecipientPause] = {}
        self._doubtful = False  # the last pass found the relay down

    def run_once(self, stopped: Callable[[], bool] = lambda: False) -> Pass:
        """Send until no letter is due, the relay is down, or ``stopped()``.

        Raises TemporaryFailure for a trouble of the database; the next pass then brings the verdicts so far.
        """
        ledger = self._ledger
        ledger.counts.clear()
        self._held = {who: held for who, held in self._held.items() if held.until > self._clock()}
        trouble = ""
        try:
            if self._doubtful:  # before anything is claimed: no letter is to blame
                self._relay.open()
            batch = ledger.exchange(claim=not stopped())
            while batch.letters:
                try:
                    trouble = self._send(batch, stopped)
                    following = ledger.end()
                except BaseException:  # even if we are interrupted, sent letters stay sent
                    ledger.give_back = True
                    ledger.exchange(claim=False)
                    raise
                if following.letters and not ledger.give_back and not stopped():
                    batch = following
                    continue
                # If none was due a moment ago, letters that came since then wait for the next pass.
                ledger.give_back = again = ledger.give_back or bool(following.letters)
                batch = ledger.exchange(claim=again and not trouble and not stopped())
        except RelayDown as error:
            trouble = str(error)
        self._doubtful = bool(trouble)
        counts = ledger.counts
        return Pass(counts["sent"], counts["later"], counts["dead"], trouble)

    def _send(self, batch: Batch, stopped: Callable[[], bool]) -> str:
        """Send all of a batch that the relay takes; return the relay's trouble, or an empty text.

        A relay that goes away after some letters is asked again at once: some relays take only a few on one
        line. If it goes away whenever one certain letter comes, this letter must wait, provided that others
        are taken.
        """
        suspect: KeptLetter | None = None
        trouble = ""
        while True:
            progress = False
            try:
                self._relay.open()
                rest = batch.rest(without=suspect)
                for letter, verdict in self._relay.send(self._willing(batch, rest, stopped)):
                    self._judge(batch, batch.letters[letter.id], verdict)
                    self._ledger.bring_soon()
                    progress = True
                    if suspect is not None:
                        self._take(batch, suspect, Verdict("later", trouble), self._later(suspect))
                        suspect = None
            except RelayDown as error:
                trouble = str(error)
                cut = batch.letters[error.letter.id] if error.letter else None
                self._ledger.take_cut(cut)
                if not progress and suspect is None and cut is not None:
                    suspect = cut if cut.tries >= _CUTS else None
                    progress = suspect is not None
                if error.is_full or not progress or stopped():
                    return trouble
            else:
                return trouble if suspect else ""

    def _willing(
        self, batch: Batch, letters: list[KeptLetter], stopped: Callable[[], bool]
    ) -> Iterator[Letter]:
        """Yield the letters to send now, each when its turn comes; judge or leave the others."""
        ledger = self._ledger
        for place, letter in enumerate(letters, 1):
            if stopped() or time.monotonic() > batch.until:
                ledger.give_back = True
                return
            if place == len(letters) and not ledger.give_back:
                ledger.claim_ahead()
            held = self._held.get(letter.address)
            if held is not None and letter.id in held.letters:
                del self._held[letter.address]
                yield _on_its_way(letter)
            elif held is not None and held.until > self._clock():
                held.letters.add(letter.id)
                untried = letter._replace(tries=letter.tries - 1)
                waits = Verdict("later", "waits behind an earlier letter")
                self._take(batch, untried, waits, held.until)
            elif not _ADDRESS.fullmatch(letter.address) or not (
                letter.sender == "" or _ADDRESS.fullmatch(letter.sender)
            ):
                self._judge(batch, letter, Verdict("dead", "not an address that can be sent to"))
            else:
                yield _on_its_way(letter)

    def _judge(self, batch: Batch, letter: KeptLetter, verdict: Verdict) -> None:
        """Take a verdict. A verdict on a recipient holds for the later letters to that recipient, too.

        A letter that cannot be written is given up after one try for each delay, whatever its age: the
        reason is in itself. Until then another node, or a corrected template, may write it.
        """
        due = self._later(letter)
        is_old = verdict.unwritten or self._clock() - letter.made > _AGE
        if verdict.kind == "later" and is_old and letter.tries > len(_DELAYS):
            after = f"{letter.tries} tries" if verdict.unwritten else "five days"
            verdict = Verdict("dead", f"given up after {after}: {verdict.why}", verdict.recipient)
        if verdict.kind == "later" and verdict.recipient:
            self._held[letter.address] = RecipientPause(due, {letter.id})
        self._take(batch, letter, verdict, due)

    def _take(self, batch: Batch, letter: KeptLetter, verdict: Verdict, due: Epoch) -> None:
        self._ledger.take(letter, verdict, due)
        batch.judged.add(letter.id)

    def _later(self, letter: KeptLetter) -> Epoch:
        return self._clock() + _DELAYS[max(0, min(letter.tries, len(_DELAYS)) - 1)]


def _on_its_way(letter: KeptLetter) -> Letter:
    """Return what the relay needs of a letter."""
    return Letter(letter.id, letter.message_id, letter.address, letter.sender, letter.content)
