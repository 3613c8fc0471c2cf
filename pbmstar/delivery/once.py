"""Delivery from a spool, by one process at a time, and a single pass without a daemon."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from ..config import Config
from ..machine.locks import hold, take_turns
from ..service.letters import alerts
from ..store import LANES, PLAYERS, Store, Tx
from .configured import relay_of
from .dispatch import Delivery, Pass, Submit, Trouble

T = TypeVar("T")


@contextmanager
def locked(spool: Path, lane: int = PLAYERS) -> Iterator[str | None]:
    """Hold the lock of a lane of the spool; yield the owner for claims, or None if another process has it.

    The lock ends with the process.
    """
    with hold(_lock(spool, lane)) as is_ours:
        yield owner_of(node_of(spool), lane) if is_ours else None


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
    """Send all due letters, unless another process does. Raises BadInput, Passing."""
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
            delivery = Delivery(submit, relay, owner_of(node, lane), trouble, lanes=(lane,))
            done = done.followed_by(delivery.run_once())
        finally:
            relay.close()

    def is_left() -> bool:
        nonlocal head
        before, head = head, submit(lambda tx: tx.outbox.next_due(time.time(), lane)).result()
        return not done.trouble and head not in (0, before)

    take_turns(_lock(spool, lane), deliver, is_left)
    return done


def _lock(spool: Path, lane: int) -> Path:
    return spool / f"deliver{lane or ''}.lock"


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
