"""One pass over the outgoing mail without a daemon."""

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
    """One pass over the outgoing mail, unless another process is at it. Raises BadInput, Passing."""
    relay = relay_of(config)

    with turn(config.spool) as owner:
        if owner is None:
            return Pass(busy=True)
        try:
            submit = at_once(store)
            submit(lambda tx: alerts.look(tx, config, time.time())).result()
            return Delivery(submit, relay, owner, trouble).run_once()
        finally:
            relay.close()
