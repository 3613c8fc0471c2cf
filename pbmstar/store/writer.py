"""The one writer: jobs from many threads, run in one, many to a commit."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from time import monotonic
from typing import Any, TypeVar

from ..errors import Broken
from . import Store, Tx

T = TypeVar("T")
GROUP = 64  # jobs that share a commit at most
MOMENT = 0.005  # seconds that a commit waits for mails at most
Job = Callable[[Tx], Any]
_Promise = Future[Any] | asyncio.Future[Any]
_Entry = tuple[Job, _Promise]
_Kept = tuple[_Promise, Exception | None, Any]  # what became of it: an error, or a result


class Writer:
    """Runs jobs in order in its own thread; a job's future is done once its commit is durable.

    Jobs that wait at the same time share one transaction, so that the disk is asked once for all
    of them. If one of them raises, the transaction is undone and each is run again alone: what a
    job raises is its own. So a job may run more than once, but is kept at most once.

    When the disk fails to confirm a commit no further one is tried: all jobs raise Broken from then on.
    """

    def __init__(self, store: Store, on_broken: Callable[[], object] = lambda: None) -> None:
        """``on_broken`` is called once, from the writer's thread, before the first job raises Broken."""
        self._store, self._on_broken = store, on_broken
        self._broken: Broken | None = None
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer")
        self._thread.start()

    def submit(self, job: Callable[[Tx], T]) -> Future[T]:
        """Have the job run. Its future raises what the job raises, or Passing if the commit fails."""
        future: Future[T] = Future()
        self._queue.put((job, future))
        return future

    async def run(self, job: Callable[[Tx], T]) -> T:
        """As ``submit``, awaited. The loop is woken once for all jobs of a commit."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put((job, future))
        return await future

    def close(self) -> None:
        """Finish what was submitted, then stop. Nothing may be submitted after."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        mails, ended = 1, False
        while not ended and (first := self._queue.get()) is not None:
            group = [first]
            ended = self._fill(group, mails)
            mails = _mails(group)
            self._commit(group)

    def _fill(self, group: list[_Entry], mails: int) -> bool:
        """Add what else waits; whether that is the end. Those who came together are waited for a moment.

        Peers that were answered together write again together: one commit for them all costs less
        than one for who was first and another for the rest. A peer alone never waits.
        """
        until = monotonic() + MOMENT
        while len(group) < GROUP:
            patience = until - monotonic() if _mails(group) < mails else 0.0
            try:
                entry = self._queue.get(timeout=max(patience, 0.0))
            except queue.Empty:
                return False
            if entry is None:
                return True
            group.append(entry)
        return False

    def _commit(self, group: list[_Entry]) -> None:
        begun = False
        if self._broken is not None:
            _keep_all([(promise, self._broken, None) for _, promise in group])
            return
        try:
            with self._store.transaction() as tx:
                begun = True
                results = [job(tx) for job, _ in group]
        except Exception as error:  # the edge of this thread: it goes to whose job it was
            if isinstance(error, Broken):
                self._broken, begun = error, False
                self._on_broken()
            if begun and len(group) > 1:
                for entry in group:
                    self._commit([entry])
                return
            # One alone, or a database that nobody could have used now.
            _keep_all([(promise, error, None) for _, promise in group])
            return
        _keep_all(
            [(promise, None, result) for (_, promise), result in zip(group, results, strict=True)]
        )


def _mails(group: Sequence[_Entry]) -> int:
    """How many of the jobs an event loop waits for."""
    return sum(isinstance(promise, asyncio.Future) for _, promise in group)


def _keep_all(kept: Sequence[_Kept]) -> None:
    """Tell what became of jobs: here, or on the loops that wait for them."""
    loops = defaultdict(list)
    for told in kept:
        promise = told[0]
        loops[promise.get_loop() if isinstance(promise, asyncio.Future) else None].append(told)
    for loop, own in loops.items():
        if loop is None:
            _keep(own)
        else:
            loop.call_soon_threadsafe(_keep, own)


def _keep(kept: Sequence[_Kept]) -> None:
    for promise, error, result in kept:
        if promise.cancelled():
            continue
        if error is not None:
            promise.set_exception(error)
        else:
            promise.set_result(result)
