"""The one writer: a thread that runs the jobs of all others in order, many of them in one commit."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

from ..errors import CommitUnknown, TemporaryFailure, as_future_error
from ..machine.times import Seconds
from . import Store, Tx

T = TypeVar("T")
log = logging.getLogger("pbmstar")
GROUP = 64  # the most jobs in a commit
STUCK = 5.0  # seconds after which the oldest work shows that the writer hangs
MOMENT = 0.005  # the most seconds that a commit waits for further messages
Job = Callable[[Tx], Any]
_Promise = Future[Any] | asyncio.Future[Any]
_Entry = tuple[Job, _Promise, float]  # and the monotonic time of its submission
_Settled = tuple[_Promise, Exception | None, Any]  # with its error or its result


class Writer:
    """A thread that runs jobs in order; a job's future is done once its commit is durable.

    Jobs that wait at the same time share one transaction: one sync of the disk serves all of them.
    If one of them raises, the transaction is undone, and each job runs again alone and gets only its
    own error. So a job may run more than once, but it takes effect at most once.

    Each future is settled, even after an error of the writer: nobody waits forever.

    If a job or a commit raises CommitUnknown, nothing more is written: all later jobs raise the same.
    """

    def __init__(
        self,
        store: Store,
        on_broken: Callable[[CommitUnknown], object] = lambda _error: None,
        on_commit: Callable[[int], object] = lambda _jobs: None,
    ) -> None:
        """Make it. Its thread calls ``on_broken`` once, before the first job raises CommitUnknown; it calls
        ``on_commit`` for each group, with the number of its jobs.
        """
        self._store, self._on_broken, self._on_commit = store, on_broken, on_commit
        self._broken: CommitUnknown | None = None
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()  # None: ``close``
        self._closed = False
        self._since: float | None = None  # the oldest work under way
        # The end of the process does not wait for it: jobs without a commit have not happened.
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[Tx], T]) -> Future[T]:
        """Run the job; its future raises the job's error, or TemporaryFailure if the commit fails."""
        future: Future[T] = Future()
        self._put((job, future, monotonic()))
        return future

    async def run(self, job: Callable[[Tx], T]) -> T:
        """Submit the job and await its result. The loop is woken once for all jobs of a commit."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put((job, future, monotonic()))
        return await future

    def is_stuck(self) -> bool:
        """Return True if the oldest work is older than STUCK. Any thread may ask."""
        since = self._since
        return since is not None and monotonic() - since > STUCK

    def close(self, patience: Seconds | None = None) -> bool:
        """Finish the submitted jobs, then stop; jobs that are submitted later raise TemporaryFailure.

        Return False if that takes longer than ``patience`` seconds. Then a job is still at work, and
        those after it raise TemporaryFailure.
        """
        self._queue.put(None)
        self._thread.join(patience)
        self._closed = True
        self._refuse()
        return not self._thread.is_alive()

    def _put(self, entry: _Entry) -> None:
        self._queue.put(entry)
        if self._closed:  # if not, ``close`` sees this entry in the queue
            self._refuse()

    def _refuse(self) -> None:
        """Settle the jobs that came too late."""
        with suppress(queue.Empty):
            while True:
                if (entry := self._queue.get_nowait()) is not None:
                    _settle_all([(entry[1], TemporaryFailure("this process ends"), None)])
        self._queue.put(None)  # a job that is still at work may have kept the thread from its end

    def _run(self) -> None:
        mails, closed = 1, False
        while not closed and (first := self._queue.get()) is not None:
            group = [first]
            closed = self._fill(group, mails)
            mails = _mails(group)
            try:
                self._on_commit(len(group))
                self._commit(group)
            except BaseException as error:  # of our callbacks: the jobs' own errors are settled
                log.exception("writer")
                _settle_all([(promise, as_future_error(error), None) for _, promise, _ in group])
            self._since = None

    def _fill(self, group: list[_Entry], mails: int) -> bool:
        """Add waiting jobs to the group; True once ``close`` was called.

        If the last group had ``mails`` messages, wait up to MOMENT for as many again: peers that were
        answered together write again together. One commit for all of them costs less than one for the
        first and another for the rest. A single peer never waits.
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
        begun, self._since = False, group[0][2]
        if self._broken is not None:
            _settle_all([(promise, self._broken, None) for _, promise, _ in group])
            return
        try:
            with self._store.transaction() as tx:
                begun = True
                results = [job(tx) for job, _, _ in group]
        # The edge of this thread: the error goes to the caller that waits.
        except BaseException as error:
            if isinstance(error, CommitUnknown):
                self._broken, begun = error, False
                self._on_broken(error)
            if begun and len(group) > 1:
                for entry in group:
                    self._commit([entry])
                return
            # Either the job ran alone and failed, or no job can use the database now.
            _settle_all([(promise, as_future_error(error), None) for _, promise, _ in group])
            return
        _settle_all(
            [(entry[1], None, result) for entry, result in zip(group, results, strict=True)]
        )


def _mails(group: Sequence[_Entry]) -> int:
    """Count the jobs that are messages: an event loop waits for their futures."""
    return sum(isinstance(promise, asyncio.Future) for _, promise, _ in group)


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
            with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
                loop.call_soon_threadsafe(_settle, own)


def _settle(settled: Sequence[_Settled]) -> None:
    for promise, error, result in settled:
        if promise.done():
            continue
        if error is not None:
            promise.set_exception(error)
        else:
            promise.set_result(result)
