"""The one writer: a thread that runs jobs from all others in order, many of them in one commit."""

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
MOMENT = 0.005  # seconds that a commit waits for further mails at most
Job = Callable[[Tx], Any]
_Promise = Future[Any] | asyncio.Future[Any]
_Entry = tuple[Job, _Promise]
_Settled = tuple[_Promise, Exception | None, Any]  # with the error or the result that it gets


class Writer:
    """Runs jobs in order in its own thread; a job's future is done once its commit is durable.

    Jobs that wait at the same time share one transaction, so that the disk is asked once for all
    of them. If one of them raises, the transaction is undone and each is run again alone, so that
    each gets only its own error. A job may thus run more than once, but takes effect at most once.

    If the disk fails to confirm a commit, nothing more is written: all later jobs raise Broken.
    """

    def __init__(
        self,
        store: Store,
        on_broken: Callable[[], object] = lambda: None,
        on_commit: Callable[[int], object] = lambda _jobs: None,
    ) -> None:
        """Both are called from the writer's thread: ``on_broken`` once, before the first job raises
        Broken; ``on_commit`` for each group, with the number of its jobs.
        """
        self._store, self._on_broken, self._on_commit = store, on_broken, on_commit
        self._broken: Broken | None = None
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()  # None: ``close``
        self._thread = threading.Thread(target=self._run, name="writer")
        self._thread.start()

    def submit(self, job: Callable[[Tx], T]) -> Future[T]:
        """Run the job; its future raises what the job raises, or Passing if the commit fails."""
        future: Future[T] = Future()
        self._queue.put((job, future))
        return future

    async def run(self, job: Callable[[Tx], T]) -> T:
        """Like ``submit``, awaited. The loop is woken once for all jobs of a commit."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put((job, future))
        return await future

    def close(self) -> None:
        """Finish what was submitted, then stop. Nothing may be submitted after."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        mails, closed = 1, False
        while not closed and (first := self._queue.get()) is not None:
            group = [first]
            closed = self._fill(group, mails)
            mails = _mails(group)
            self._on_commit(len(group))
            self._commit(group)

    def _fill(self, group: list[_Entry], mails: int) -> bool:
        """Add waiting jobs to the group; True once ``close`` was called.

        If the last group held n ``mails``, wait up to MOMENT for n again: peers that were answered
        together write again together, and one commit for all of them costs less than one for the
        first and another for the rest. A peer alone never waits.
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
        """Run the jobs of the group in one transaction, and settle their futures."""
        begun = False
        if self._broken is not None:
            _settle_all([(promise, self._broken, None) for _, promise in group])
            return
        try:
            with self._store.transaction() as tx:
                begun = True
                results = [job(tx) for job, _ in group]
        except Exception as error:  # the edge of this thread: the error goes to whoever waits
            if isinstance(error, Broken):
                self._broken, begun = error, False
                self._on_broken()
            if begun and len(group) > 1:
                for entry in group:
                    self._commit([entry])
                return
            # The error of a job that ran alone, or of a database that no job could have used now.
            _settle_all([(promise, error, None) for _, promise in group])
            return
        _settle_all(
            [(promise, None, result) for (_, promise), result in zip(group, results, strict=True)]
        )


def _mails(group: Sequence[_Entry]) -> int:
    """How many of the jobs are mails: an event loop waits for those."""
    return sum(isinstance(promise, asyncio.Future) for _, promise in group)


def _settle_all(settled: Sequence[_Settled]) -> None:
    """Give each future its error or result, here or on the event loop that waits for it."""
    by_loop = defaultdict(list)
    for each in settled:
        promise = each[0]
        by_loop[promise.get_loop() if isinstance(promise, asyncio.Future) else None].append(each)
    for loop, own in by_loop.items():
        if loop is None:
            _settle(own)
        else:
            loop.call_soon_threadsafe(_settle, own)


def _settle(settled: Sequence[_Settled]) -> None:
    for promise, error, result in settled:
        if promise.cancelled():
            continue
        if error is not None:
            promise.set_exception(error)
        else:
            promise.set_result(result)
