"""The one writer: jobs from many threads, run in one, many to a commit."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from .store import Store, Tx

T = TypeVar("T")
GROUP = 64  # jobs that share a commit at most
Job = Callable[[Tx], Any]


class Writer:
    """Runs jobs in order in its own thread; a job's future is done once its commit is durable.

    Jobs that wait at the same time share one transaction, so that the disk is asked once for all
    of them. If one of them raises, the transaction is undone and each is run again alone: what a
    job raises is its own. So a job may run more than once, but is kept at most once.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[tuple[Job, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer")
        self._thread.start()

    def submit(self, job: Callable[[Tx], T]) -> Future[T]:
        """Have the job run. Its future raises what the job raises, or Passing if the commit fails."""
        future: Future[T] = Future()
        self._queue.put((job, future))
        return future

    def close(self) -> None:
        """Finish what was submitted, then stop. Nothing may be submitted after."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            group, last = [first], False
            while len(group) < GROUP and not self._queue.empty():
                entry = self._queue.get()
                if entry is None:
                    last = True
                    break
                group.append(entry)
            self._commit(group)
            if last:
                return

    def _commit(self, group: list[tuple[Job, Future[Any]]]) -> None:
        begun = False
        try:
            with self._store.transaction() as tx:
                begun = True
                results = [job(tx) for job, _ in group]
        except Exception as error:  # the edge of this thread: it goes to whose job it was
            if begun and len(group) > 1:
                for entry in group:
                    self._commit([entry])
                return
            for _, future in group:  # one alone, or a database that nobody could have used now
                future.set_exception(error)
            return
        for (_, future), result in zip(group, results, strict=True):
            future.set_result(result)
