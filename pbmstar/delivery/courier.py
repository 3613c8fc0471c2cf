"""The daemon's thread that delivers: a pass after each commit, and one now and then for others' letters."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ..errors import Passing
from .outbox import Delivery, Submit, Trouble
from .relay import Relay
from .turn import turn

MOMENT = 0.05  # seconds from a commit to its letters: those of several mails go together
POLL = 2.0  # seconds until letters of other processes are noticed
PAUSES = (2.0, 300.0)  # first and longest pause while relay or database are down
IDLE = 30.0  # seconds without letters after which the relay's connection is closed

log = logging.getLogger("pbmstar")


class Courier:
    """Delivers from a spool in a thread of its own, whenever it is this process's turn."""

    def __init__(
        self,
        spool: Path,
        submit: Submit,
        relay: Relay,
        trouble: Trouble,
        clock: Callable[[], float] = time.time,
        poll: float = POLL,
        pauses: tuple[float, float] = PAUSES,
    ) -> None:
        """``trouble``: see Delivery."""
        self._spool, self._submit, self._relay, self._clock = spool, submit, relay, clock
        self._poll, self._pauses, self._trouble = poll, pauses, trouble
        self._stopped, self._woken = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="courier")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """There may be new letters. Returns at once, may be called from any thread."""
        self._woken.set()

    def stop(self, patience: float = 30.0) -> None:
        """Finish the letter under way, mark it, and end; after ``patience`` seconds cut the line."""
        self._stopped.set()
        self._woken.set()
        if self._thread.ident is None:
            return
        self._thread.join(patience)
        while self._thread.is_alive():
            self._relay.abort()
            self._thread.join(1.0)

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                self._take_turn()
                self._stopped.wait(self._poll)
        finally:
            self._relay.close()

    def _take_turn(self) -> None:
        try:
            with turn(self._spool) as owner:
                if owner is not None:
                    delivery = Delivery(
                        self._submit, self._relay, owner, self._trouble, self._clock
                    )
                    self._work(delivery)
        except OSError as error:  # the spool: there is nothing to do but wait
            log.warning("delivery", extra={"facts": {"trouble": _named(error)}})

    def _work(self, delivery: Delivery) -> None:
        """Pass after pass until the daemon stops."""
        pause, busy = 0.0, time.monotonic()
        while not self._stopped.is_set():
            self._woken.clear()
            trouble = ""
            try:
                done = delivery.run_once(self._stopped.is_set)
                trouble = done.trouble
                if done.sent:
                    busy, pause = time.monotonic(), 0.0
            except Passing as error:
                trouble = str(error)
            except Exception:  # the edge of this thread: a fault of ours must not end deliveries
                log.exception("delivery")
                trouble = "a fault of pbmstar"
            if trouble:
                pause = min(max(2 * pause, self._pauses[0]), self._pauses[1])
                log.warning("delivery", extra={"facts": {"trouble": trouble, "pause": pause}})
                self._stopped.wait(pause)
                continue
            pause = 0.0
            if self._woken.wait(self._poll):
                self._stopped.wait(MOMENT)
            elif time.monotonic() - busy > IDLE:
                self._relay.close()


def _named(error: OSError) -> str:
    """What is wrong, and with which file of the spool."""
    name = f"{Path(error.filename).name}: " if error.filename else ""
    return f"{name}{error.strerror}"
