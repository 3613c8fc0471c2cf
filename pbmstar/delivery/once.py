"""The outgoing mail without a daemon."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from ..config import Config
from ..service import alerts
from ..store import Store, Tx
from .configured import relay_of
from .outbox import Delivery, Pass, Submit, Trouble
from .turn import turn

T = TypeVar("T")


def at_once(store: Store) -> Submit:
    """Runs each job before it returns."""

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
    """Send what is due, unless another process is at it. Raises BadInput, Passing.

    Whoever finds another process at it may go: that one looks again after it has let go of the lock.
    """
    relay, submit = relay_of(config), at_once(store)
    done, head = Pass(busy=True), 0
    while True:
        with turn(config.spool) as owner:
            if owner is None:
                return done
            try:
                submit(lambda tx: alerts.look(tx, config, time.time())).result()
                last = Delivery(submit, relay, owner, trouble).run_once()
            finally:
                relay.close()
        sent, later, dead = (a + b for a, b in zip(done[:3], last[:3], strict=True))
        done = Pass(sent, later, dead, last.trouble)
        before, head = head, submit(lambda tx: tx.first_due(time.time())).result()
        if last.trouble or head in (0, before):
            return done
