"""The one writer: jobs from many threads, run in one, many to a commit."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from .errors import Passing
from .store import Store, Tx

T = TypeVar("T")
GROUP = 64  # jobs that share a commit at most
Job = Callable[[Tx], Any]


class Writer:
    """Runs jobs in order in its own thread; a job's future is done once its commit is durable.

    Jobs that wait at the same time share one transaction, each in a savepoint of its own, so that
    the disk is asked once for all of them. What a job raises is its own: the others go on.
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
        results: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            with self._store.transaction() as tx:
                for job, future in group:
                    try:
                        with tx.savepoint():
                            results.append((future, job(tx), None))
                    except Passing:
                        raise
                    except Exception as error:  # the job's own; it goes to its caller
                        results.append((future, None, error))
        except Exception as error:  # the transaction's: nobody's job has happened
            if len(group) > 1:  # alone, a job that spoils a group spoils only itself
                for entry in group:
                    self._commit([entry])
                return
            results = [(group[0][1], None, error)]
        for future, value, problem in results:
            if problem is None:
                future.set_result(value)
            else:
                future.set_exception(problem)
