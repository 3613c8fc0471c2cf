"""Delivery from a spool, by one process at a time: a thread of the daemon, or a single pass without one."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import TypeVar

from ..config import Config, RelayLimit
from ..machine.files import ExclusiveLoop, take_turns
from ..machine.times import Epoch, Monotonic, Seconds
from ..service.letters import alerts
from ..store import LANES, PLAYERS, Store, Tx
from .configured import relay_of
from .dispatch import Delivery, Pass, Submit, Trouble, lock_of
from .relay import Relay, RelayDown

T = TypeVar("T")
MOMENT = 0.05  # seconds from a commit to its letters, so that the letters of several messages go together
PAUSES = (2.0, 300.0)  # first and longest pause while relay or database is down
_CUTS = 5  # tries to cut the line, a second each: a relay that is being opened has none yet
IDLE = 30.0  # seconds without letters after which the relay's connection is closed


class Courier:
    """A thread that delivers a lane of a spool, while no other process does: a pass after each commit.

    ``start`` it, and ``wake`` it if there may be letters; it finds the letters of other processes by itself.
    """

    def __init__(  # noqa: PLR0913 - its parts, and what it keeps to
        self,
        spool: Path,
        submit: Submit,
        relay: Relay,
        trouble: Trouble,
        clock: Callable[[], Epoch] = time.time,
        lane: int = PLAYERS,
        limits: Sequence[RelayLimit] = (),
    ) -> None:
        self._limits = limits
        self._spool, self._submit, self._relay = spool, submit, relay
        self._trouble, self._clock, self._lane = trouble, clock, lane
        # Letters are ours until then, by the monotonic clock; lapsed: they may have been others' since.
        self._ours_until, self._lapsed = inf, False
        self._shift = ExclusiveLoop(
            f"courier {lane}", lock_of(spool, lane), self._begin, "delivery", PAUSES, MOMENT
        )
        self._busy = 0.0  # the last letter, by the monotonic clock
        self.start, self.wake = self._shift.start, self._shift.wake

    def let_go(self) -> None:
        """Stop sending until ``go_on``: other nodes may send the claimed letters. Any thread may call it."""
        self._ours_until, self._lapsed = -inf, True
        self._relay.abort()

    def go_on(self, until: Monotonic) -> None:
        """Send until that time of the monotonic clock. Any thread may call this.

        If the last such time is over, other processes may have the letters in hand by now: a process that was
        stopped does not see its time go by. They are given back first.
        """
        self._lapsed |= time.monotonic() > self._ours_until
        self._ours_until = until

    def stop(self, patience: Seconds = 10.0) -> bool:
        """Finish the letter under way, mark it, and end; after ``patience`` seconds cut the line.

        Return False if the thread does not end even then. The next process then sends the letter again.
        """
        self._shift.stop()
        is_ended = self._shift.ended(patience)
        for _ in range(_CUTS):
            if not is_ended:
                self._relay.abort()
                is_ended = self._shift.ended(1.0)
        return is_ended

    @contextmanager
    def _begin(self) -> Iterator[Callable[[], bool]]:
        owner = owner_of(node_of(self._spool), self._lane)
        delivery = Delivery(
            self._submit,
            self._relay,
            owner,
            self._trouble,
            self._clock,
            (self._lane,),
            self._limits,
        )
        self._busy = time.monotonic()
        try:
            yield partial(self._pass, delivery)
        finally:
            self._relay.close()

    def _pass(self, delivery: Delivery) -> bool:
        self._lapsed = False
        done = delivery.run_once(self._must_pause)
        if done.sent:
            self._busy, self._shift.pause = time.monotonic(), 0.0
        if done.trouble:
            raise RelayDown(done.trouble)
        if time.monotonic() - self._busy > IDLE:
            self._relay.close()
        return False

    def _must_pause(self) -> bool:
        is_over = time.monotonic() > self._ours_until
        return self._shift.stopped.is_set() or self._lapsed or is_over


def at_once(store: Store) -> Submit:
    """Return a Submit that runs each job before it returns."""

    def submit(job: Callable[[Tx], T]) -> Future[T]:
        future: Future[T] = Future()
        try:
            with store.transaction() as tx:
                result = job(tx)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        return future

    return submit


def deliver_once(config: Config, store: Store, trouble: Trouble) -> Pass:
    """Send all due letters, unless another process does. Raises BadInput, TemporaryFailure."""
    done = Pass()
    for lane in LANES:
        last = _deliver_lane(config, store, trouble, lane)
        if last.busy:
            return last if lane == PLAYERS else done
        done = done.followed_by(last)
    return done


def _deliver_lane(config: Config, store: Store, trouble: Trouble, lane: int) -> Pass:
    spool, relay, submit = config.spool, relay_of(config), at_once(store)
    done, head, node = Pass(busy=True), 0, node_of(spool)

    def begin(tx: Tx) -> None:
        alerts.look(tx, config, time.time())
        tx.ledger.leave(node)  # of a killed daemon: no node may take over the letters that we claim

    def deliver() -> None:
        nonlocal done
        try:
            submit(begin).result()
            owner, limits = owner_of(node, lane), config.relay_limit
            delivery = Delivery(submit, relay, owner, trouble, lanes=(lane,), limits=limits)
            done = done.followed_by(delivery.run_once())
        finally:
            relay.close()

    def is_left() -> bool:
        nonlocal head
        before, head = head, submit(lambda tx: tx.outbox.next_due(time.time(), lane)).result()
        return not done.trouble and head not in (0, before)

    take_turns(lock_of(spool, lane), deliver, is_left)
    return done


def node_of(spool: Path) -> str:
    """Return the id of a spool. Its processes claim letters and turns in this name.

    It belongs to the spool, not to the process: so the next process can give back the claims of a killed
    one at once.
    """
    file = spool / "owner"
    try:
        known = file.read_text().strip()
    except FileNotFoundError:
        known = ""
    if known:
        return known
    mine = spool / f"owner.{secrets.token_hex(8)}"
    with open(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as part:
        part.write(mine.suffix[1:])
        part.flush()
        os.fsync(part.fileno())
    with suppress(FileExistsError):  # another process was faster
        os.link(mine, file)
    mine.unlink()
    return file.read_text().strip()


def owner_of(node: str, lane: int) -> str:
    """Return the owner in whose name a node claims the letters of a lane."""
    return f"{node}.{lane}" if lane else node
