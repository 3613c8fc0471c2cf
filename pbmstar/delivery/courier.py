"""The daemon's thread for delivery: a pass after each commit, and one now and then for others' letters."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ..errors import Passing
from ..store import PLAYERS
from .dispatch import Delivery, Submit, Trouble
from .once import locked
from .relay import Relay

MOMENT = 0.05  # seconds from a commit to its letters: those of several mails go together
POLL = 2.0  # seconds between looks for letters of other processes
PAUSES = (2.0, 300.0)  # first and longest pause while relay or database is down
_CUTS = 5  # tries to cut the line, a second each: a relay that is being opened has none yet
IDLE = 30.0  # seconds without letters after which the relay's connection is closed

log = logging.getLogger("pbmstar")


class Courier:
    """A thread that delivers a lane of a spool, while no other process does."""

    def __init__(
        self,
        spool: Path,
        submit: Submit,
        relay: Relay,
        trouble: Trouble,
        clock: Callable[[], float] = time.time,
        lane: int = PLAYERS,
    ) -> None:
        self._lane, self._trouble = lane, trouble
        self._let_go = threading.Event()
        self._spool, self._submit, self._relay, self._clock = spool, submit, relay, clock
        self._stopped, self._woken = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"courier {lane}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Have the thread look for letters. Any thread may call this; it returns at once."""
        self._woken.set()

    def let_go(self) -> None:
        """Stop sending until ``go_on``: other nodes may send the claimed letters. Any thread may call it."""
        self._let_go.set()
        self._relay.abort()

    def go_on(self) -> None:
        """Send again. Any thread may call this."""
        self._let_go.clear()

    def stop(self, patience: float = 10.0) -> bool:
        """Finish the letter under way, mark it, and end; after ``patience`` seconds cut the line.

        Return False if the thread does not end even then. The next process then sends the letter again.
        """
        self._stopped.set()
        self._woken.set()
        if self._thread.ident is None:
            return True
        self._thread.join(patience)
        for _ in range(_CUTS):
            if self._thread.is_alive():
                self._relay.abort()
                self._thread.join(1.0)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                self._take_turn()
                self._stopped.wait(POLL)
        finally:
            self._relay.close()

    def _must_pause(self) -> bool:
        return self._stopped.is_set() or self._let_go.is_set()

    def _take_turn(self) -> None:
        try:
            with locked(self._spool, self._lane) as owner:
                if owner is not None:
                    lanes = (self._lane,)
                    self._work(
                        Delivery(
                            self._submit, self._relay, owner, self._trouble, self._clock, lanes
                        )
                    )
        except OSError as error:  # the spool: we can only wait
            log.warning("delivery", extra={"facts": {"trouble": _named(error)}})

    def _work(self, delivery: Delivery) -> None:
        """Make pass after pass until the daemon stops."""
        pause, busy = 0.0, time.monotonic()
        while not self._stopped.is_set():
            self._woken.clear()
            trouble = ""
            try:
                done = delivery.run_once(self._must_pause)
                trouble = done.trouble
                if done.sent:
                    busy, pause = time.monotonic(), 0.0
            except Passing as error:
                trouble = str(error)
            except Exception:  # the edge of this thread: a fault of ours must not end deliveries
                log.exception("delivery")
                trouble = "a fault of pbmstar"
            if trouble:
                pause = min(max(2 * pause, PAUSES[0]), PAUSES[1])
                log.warning("delivery", extra={"facts": {"trouble": trouble, "pause": pause}})
                self._stopped.wait(pause)
                continue
            pause = 0.0
            if self._woken.wait(POLL):
                self._stopped.wait(MOMENT)
            elif time.monotonic() - busy > IDLE:
                self._relay.close()


def _named(error: OSError) -> str:
    """Return the text of the error with the name of its file in the spool."""
    name = f"{Path(error.filename).name}: " if error.filename else ""
    return f"{name}{error.strerror}"
