"""The daemon's thread for the mailbox: a pass over it whenever something comes, at least every few minutes.

While the line is up, it waits by IDLE, or looks once a minute where there is none. After a trouble it comes
back after ever longer pauses. One node of several reads, and another one when that is silent.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ..config import Config
from ..delivery.dispatch import Submit
from ..errors import TemporaryFailure
from ..games.spelling import plural
from ..intake.fate import Receipt
from ..intake.take import Intake
from ..machine.files import ExclusiveLoop
from ..machine.times import Epoch, Monotonic, Seconds
from ..service.admin.metrics import Metrics
from ..service.incoming.mail import Service
from .connection import MailboxLine, account_of
from .reader import Fetched, Reader

RENEWED = 240.0  # seconds of IDLE: some networks forget a silent line after five minutes
POLL = 60.0  # seconds between two looks at a server without IDLE
PAUSES = (2.0, 300.0)  # first and longest pause after a trouble
LONG = 300.0  # seconds without the mailbox after which the operator is told
_AGAIN = (
    2.0  # seconds until the intake gets a message that it wanted later; twice as long each time
)
PEER = "mailbox"


def lock_of(spool: Path) -> Path:
    """Return the file whose lock a process holds while it reads the mailbox."""
    return spool / "mailbox.lock"


class Hearing(NamedTuple):
    """The state of the mailbox.

    trouble  why it is not read; empty while it is
    since    the monotonic time since which this is so
    waiting  messages that had no effect yet
    unmoved  why messages with a fate stay in the inbox; empty if they do not
    """

    trouble: str
    since: Monotonic
    waiting: int = 0
    unmoved: str = ""


class Listening:
    """A worker of the daemon, like a courier: ``start`` it, and ``stop`` it in the end."""

    def __init__(
        self,
        config: Config,
        service: Service,
        intake: Intake,
        submit: Submit,
        is_ours: Callable[[], bool],
        metrics: Metrics,
    ) -> None:
        """Make it on the loop of the intake. Raises BadInput for a mailbox that cannot be.

        ``is_ours`` returns True while this node reads the mailbox, not another one.
        """
        self._connection = MailboxLine(account_of(config), config.auth)
        self._intake, self._loop = intake, asyncio.get_running_loop()
        self._is_ours, self._metrics = is_ours, metrics
        self._reader = Reader(config, self._connection, service, self._take, submit)
        self._shift = ExclusiveLoop(
            "mailbox", lock_of(config.spool), self._begin, "mailbox", PAUSES, 0.0
        )
        self._state = Hearing("not read yet", time.monotonic())
        self._junk_due, self._later, self._waits = (
            0.0,
            0.0,
            False,
        )  # waits: by IDLE, and may be cut off
        self.start, self.wake = self._shift.start, self._shift.wake
        self.host = self._connection.account.host

    def figures(self) -> tuple[int, Seconds]:
        """Return how many messages must wait, and for how long the mailbox has not been read."""
        state = self._state
        return state.waiting, time.monotonic() - state.since if state.trouble else 0.0

    def told(self, now: Epoch) -> tuple[str, bool]:
        """Return the state in words, and True if the mailbox has not been read for LONG. Any thread may ask.

        ``now``: seconds since 1970. A node that leaves the mailbox to another one says nothing.
        """
        state, ago = self._state, time.monotonic() - self._state.since
        if state.trouble:
            since = datetime.fromtimestamp(now - ago, UTC).isoformat(timespec="seconds")
            return f"not read since {since}: {state.trouble}", ago > LONG
        if not self._is_ours():
            return "", False
        waiting = f"{plural(state.waiting, 'message')} of it must wait" if state.waiting else ""
        return "; ".join(filter(None, ("it is read", waiting, state.unmoved))), False

    def stop(self, patience: Seconds = 10.0) -> bool:
        """End after the chunk under way; after ``patience`` seconds cut the line.

        Return False if the thread goes on even then.
        """
        self._shift.stop()
        if self._waits:
            self._connection.abort()
        is_ended = self._shift.ended(patience)
        if not is_ended:
            self._connection.abort()
            is_ended = self._shift.ended(1.0)
        return is_ended

    @contextmanager
    def _begin(self) -> Iterator[Callable[[], bool]]:
        try:
            yield self._step
        finally:
            self._connection.close()

    def _step(self) -> bool:
        if not self._is_ours():
            self._connection.close()
            self._set("")
            return False
        try:
            self._connection.open()
            self._pass()
        except TemporaryFailure as error:
            if not self._shift.stopped.is_set():
                self._set(str(error))
                self._metrics.count("pbmstar_mailbox_troubles_total")
            raise
        return True

    def _pass(self) -> None:
        begun = self._reader.handled
        if time.monotonic() >= self._junk_due:
            self._reader.look_into_junk()
            self._junk_due = time.monotonic() + RENEWED
        before = -1
        while self._reader.handled != before and not self._shift.stopped.is_set():
            before = self._reader.handled  # IDLE says nothing of what came while we worked
            self._reader.run_once(self._shift.stopped.is_set)
        waiting = self._reader.waiting
        self._metrics.count("pbmstar_mailbox_messages_total", more=self._reader.handled - begun)
        self._set("", waiting, self._reader.trouble)
        self._later = min(max(2 * self._later, _AGAIN), POLL) if waiting else 0.0
        self._wait(self._later or RENEWED)

    def _wait(self, seconds: Seconds) -> None:
        self._waits = True
        try:
            if not self._shift.stopped.is_set() and not self._connection.wait(seconds):
                self._shift.stopped.wait(min(seconds, POLL))
        except TemporaryFailure:
            if not self._shift.stopped.is_set():
                raise
        finally:
            self._waits = False

    def _set(self, trouble: str, waiting: int = 0, unmoved: str = "") -> None:
        before = self._state
        since = before.since if bool(before.trouble) == bool(trouble) else time.monotonic()
        self._state = Hearing(trouble, since, waiting, unmoved)

    def _take(self, messages: Sequence[Fetched]) -> Sequence[Receipt]:
        mails = [(message.envelope, message.raw) for message in messages]
        taking = self._intake.take_each(PEER, mails)
        return asyncio.run_coroutine_threadsafe(taking, self._loop).result()
