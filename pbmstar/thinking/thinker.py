"""Answers the turns of bots: takes one from the store, has a process think, plays what it says.

Nothing is lost at a restart: the queue is the boards on which a bot is to move. An answer counts only
if its turn is as it was, so several daemons on one database answer each turn exactly once.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from ..delivery.outbox import Submit
from ..errors import Passing, Refusal
from ..files import hold
from ..service import Context, bots, reviews
from ..service.bots import Question
from ..service.reviews import Study
from ..service.work import Work
from ..store import Tx
from .child import ChildDown
from .mind import Mind

POLL = 2.0  # seconds until turns that other processes brought are noticed
MOMENT = 0.02  # seconds between two looks at the store at least
PATIENCE = 240.0  # seconds that an answer may take
PAUSE = 5.0  # seconds after a trouble of the database
HOUR = 3600.0
COMMAND = (sys.executable, "-m", "pbmstar.bot", "--idle")
WEAKEST = 1

T = TypeVar("T")

log = logging.getLogger("pbmstar")


class Thinker:
    """Answers from a spool in threads of its own, a process each, while no other process does."""

    def __init__(
        self,
        context: Context,
        submit: Submit,
        wake: Callable[[], object],
        command: Sequence[str] = (),
        *,
        poll: float = POLL,
        patience: float = PATIENCE,
    ) -> None:
        """``submit``: see delivery; ``wake`` is called after each answer: there are letters to send."""
        self._context, self._submit, self._wake, self._command = (
            context,
            submit,
            wake,
            command or COMMAND,
        )
        self._poll, self._patience = poll, patience
        self._spool: Path = context.config.spool
        self._stopped, self._woken = threading.Event(), threading.Condition()
        self._calls = 0  # of ``wake``: each thread looks at the store once after each
        self._guard = threading.Lock()
        self._busy: set[int] = set()
        self._used: defaultdict[str, deque[tuple[float, float]]] = defaultdict(deque)
        self._minds: set[Mind] = set()
        self._threads = [
            threading.Thread(target=self._run, args=(place,), name=f"thinker {place}")
            for place in range(context.config.bots)
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """There may be turns. Returns at once, may be called from any thread."""
        with self._woken:
            self._calls += 1
            self._woken.notify_all()

    def stop(self) -> None:
        """End: what is being thought about is thought about again by the next process."""
        self._stopped.set()
        self.wake()
        with self._guard:
            for mind in self._minds:
                mind.stop()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def run_once(self) -> int:
        """Answer all that is due in this thread, unless another process does; returns how many.

        Whoever finds another process at it may go: that one looks again after it has let go of the lock.
        """
        count = 0
        while self._next() is not None:
            with hold(self._lock(0)) as is_ours, self._mind() as mind:
                if not is_ours:
                    return count
                while self._answer_one(mind):
                    count += 1
        return count

    def _lock(self, place: int) -> Path:
        return self._spool / f"think.{place}.lock"

    @contextmanager
    def _mind(self) -> Iterator[Mind]:
        """What thinks, ended with the block, or when the thinker is stopped."""
        mind = Mind(self._command, self._spool / "numba", self._patience)
        with self._guard:
            self._minds.add(mind)
            if self._stopped.is_set():
                mind.stop()
        try:
            yield mind
        finally:
            with self._guard:
                self._minds.discard(mind)
            mind.close()

    def _run(self, place: int) -> None:
        while not self._stopped.is_set():
            try:
                with hold(self._lock(place)) as is_ours, self._mind() as mind:
                    if is_ours:
                        self._work(mind)
            except OSError as error:  # the spool: there is nothing to do but wait
                log.warning("bots", extra={"facts": {"trouble": str(error.strerror)}})
            self._stopped.wait(self._poll)

    def _work(self, mind: Mind) -> None:
        """Answer turn after turn until the daemon stops."""
        while not self._stopped.is_set():
            with self._woken:
                calls = self._calls
            try:
                if self._answer_one(mind):
                    continue
            except Passing as error:
                log.warning("bots", extra={"facts": {"trouble": str(error)}})
                self._stopped.wait(PAUSE)
            except Exception:  # the edge of this thread: a fault of ours must not end the bots
                log.exception("bots")
                self._stopped.wait(PAUSE)
            with self._woken:
                self._woken.wait_for(lambda known=calls: self._calls != known, self._poll)  # type: ignore[misc]
            self._stopped.wait(MOMENT)

    def _answer_one(self, mind: Mind) -> bool:
        """Answer the turn that is next, or review a game if none is due. False if there is nothing to do."""
        due = self._next()
        if due is None:
            return False
        board = due.turn.board if isinstance(due, Question) else due.board
        with self._claimed(board) as is_ours:
            if not is_ours:  # another thread was faster: look again
                return True
            if isinstance(due, Question):
                self._answer_timed(due, mind)
            else:
                self._review(due, mind)
        return True

    def _next(self) -> Question | Study | None:
        """What is due next, and not thought about already."""
        with self._guard:
            busy, used = set(self._busy), self._used_lately()
        return self._do(
            lambda work: bots.next_question(work, busy, used) or reviews.next_study(work, busy)
        )

    @contextmanager
    def _claimed(self, board: int) -> Iterator[bool]:
        """Whether no other thread thinks about a board: then none does until the block ends."""
        with self._guard:
            is_ours = board not in self._busy
            self._busy.add(board)
        try:
            yield is_ours
        finally:
            if is_ours:
                with self._guard:
                    self._busy.discard(board)

    def _review(self, study: Study, mind: Mind) -> None:
        """Review a finished game, asked twice if need be; what fails then is logged."""
        found, trouble = None, ""
        for _ in range(2):
            try:
                found = mind.ask(study.request)
                break
            except ChildDown as error:
                trouble = str(error)
        if self._stopped.is_set():
            return
        if found is None:
            log.error("bots", extra={"facts": {"board": study.board, "trouble": trouble}})
        self._do(lambda work: reviews.finish(work, study, found))
        self._wake()

    def _used_lately(self) -> dict[str, float]:
        """Seconds that have been thought for each player within the last hour."""
        lately = time.monotonic() - HOUR
        for person, each in list(self._used.items()):
            while each and each[0][0] < lately:
                each.popleft()
            if not each:
                del self._used[person]
        return {person: sum(s for _, s in each) for person, each in self._used.items()}

    def _answer_timed(self, question: Question, mind: Mind) -> None:
        """Answer a turn, and note for how long its player's bots have thought."""
        begun = time.monotonic()
        try:
            self._answer(question, mind)
        finally:
            ended = time.monotonic()
            with self._guard:
                self._used[question.turn.person].append((ended, ended - begun))

    def _answer(self, question: Question, mind: Mind) -> None:
        """Ask, twice if need be; then the weakest bot, interpreted; then make a move by rule."""
        crashes = 0
        if question.request is not None:
            weak = {**question.request, "level": WEAKEST}
            asked = (
                (mind.ask, question.request),
                (mind.ask, question.request),
                (mind.ask_plainly, weak),
            )
            for ask, request in asked:
                trouble = self._try(question, ask, request, crashes)
                if not trouble or self._stopped.is_set():
                    return
                crashes += 1
                facts = {"board": question.turn.board, "trouble": trouble, "crashes": crashes}
                log.error("bots", extra={"facts": facts})
        self._play(question, None, crashes)

    def _try(
        self,
        question: Question,
        ask: Callable[[Mapping[str, Any]], dict[str, Any]],
        request: Mapping[str, Any],
        crashes: int,
    ) -> str:
        """Ask a process, and play what it says; returns what is wrong, empty if nothing is."""
        try:
            self._play(question, ask(request), crashes)
        except (ChildDown, Refusal, KeyError, TypeError, ValueError) as error:
            return str(error) or type(error).__name__
        return ""

    def _play(self, question: Question, reply: Mapping[str, Any] | None, crashes: int) -> None:
        if self._do(lambda work: bots.answer(work, question, reply, crashes)):
            self._wake()

    def _do(self, act: Callable[[Work], T]) -> T:
        """Do something in a transaction, and wait until it is durable."""

        def job(tx: Tx) -> T:
            return act(Work(self._context, tx, self._context.clock()))

        return self._submit(job).result()
