"""Answer the turns of bots: take a turn from the store, let a process think, play its answer.

Nothing is lost at a restart, because the boards on which a bot must move are the queue. A daemon claims
a turn in the database, so only one of several thinks about it. An answer counts only if the turn has not
changed.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from .. import games
from ..bots import budget, warm
from ..bots.engine.levels import NUMBERS, SOON
from ..bots.rows import Bots
from ..delivery.courier import at_once, node_of
from ..delivery.dispatch import Submit
from ..errors import Refusal
from ..games.placement import Placement
from ..machine.child import Child, ChildDown, ChildLate
from ..machine.files import ExclusiveLoop, take_turns
from ..machine.times import Seconds
from ..service.admin.metrics import Metrics
from ..service.verbs import reviews
from ..service.verbs.reviews import ReviewJob
from ..service.work.context import Context
from ..service.work.work import Work
from ..store import Store, Tx
from . import answers
from .answers import Question

IDLE, PLAIN, GENTLE = "--idle", "--interpreted", "--gentle"
_REVIEW = 60.0  # seconds after which a review is late
FIRST = 7.0  # seconds after which the first answer of a process is late: it must load compiled code
SHORT = 8.0  # seconds that an answer takes interpreted, at most, if it does not wait while numba compiles
MOMENT = 0.02  # seconds, at least, between two looks at the store
PATIENCE = 240.0  # seconds that an answer may take
PAUSE = 5.0  # seconds to wait after a trouble of the database
COMMAND = (sys.executable, "-m", "pbmstar.bots.engine", IDLE)
WEAKEST = NUMBERS[0]
_RACES = 8  # turns that other nodes may claim before us while we look for one

T = TypeVar("T")
log = logging.getLogger("pbmstar")


def compiler(spool: Path, command: Sequence[str] = COMMAND) -> Child:
    """Return a process that compiles for a spool (see ``warm``), and leaves others the processor."""
    words = [word for word in command if word != IDLE]
    return Child([*words, GENTLE], _environment(warm.folder(spool)))


def _environment(cache: Path) -> dict[str, str]:
    """Return the environment of a process that thinks."""
    return {"NUMBA_CACHE_DIR": str(cache)}


def _is_short(request: Mapping[str, Any]) -> bool:
    """Return True if the move that is asked for is found soon without numba, too."""
    game = games.load(request["game"], request["options"])
    return isinstance(game, Placement) and budget.interpreted(request["level"], game) <= SHORT


class EngineProcess:
    """The engine processes of one thread. Other threads may only call ``stop``.

    One process gives way to all others of the machine. Another does not, and takes over a late answer:
    without privileges a process cannot raise its own priority again. Both give the same answer, because
    the same seed grows the same tree, compiled or not.
    """

    def __init__(
        self, command: Sequence[str], cache: Path, compiled: threading.Event | None = None
    ) -> None:
        """Make it. ``cache`` is numba's folder for compiled code; ``compiled`` tells that it is filled."""
        environment = _environment(cache)
        urgent = [word for word in command if word != IDLE]
        self._child = Child(command, environment)
        self._urgent = Child(urgent, environment)
        self._plain = Child([*urgent, PLAIN], environment)
        self._cold = PLAIN not in command
        self._compiled = compiled

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request. Raises ChildDown."""
        if self._compiled and not self._compiled.is_set():
            if "level" in request and _is_short(request):
                return self._once(self._plain, request)
            self._compiled.wait(PATIENCE)
        soon = SOON.get(request.get("level", 0), _REVIEW)
        if self._cold:
            self._cold, soon = False, FIRST
        try:
            return self._child.ask(request, min(soon, PATIENCE))
        except ChildLate:
            return self._once(self._urgent, request)

    def ask_plainly(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer of a process without numba, in case numba is the trouble. Raises ChildDown."""
        return self._once(self._plain, request)

    def stop(self) -> None:
        """End every wait for an answer, now and later, with ChildDown. Any thread may call this."""
        for child in (self._child, self._urgent, self._plain):
            child.stop()

    def close(self) -> None:
        for child in (self._child, self._urgent, self._plain):
            child.close()

    def _once(self, child: Child, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask a process that is seldom needed, then end it."""
        try:
            return child.ask(request, PATIENCE)
        finally:
            child.close()


class WorkerSlot(NamedTuple):
    """A thread and its process: the levels that it takes, words for its command, and if it takes reviews.

    Weak bots have a desk of their own, so they never wait for strong ones.
    """

    name: str
    levels: Collection[int]
    words: tuple[str, ...] = ()
    reviews: bool = True


WEAK = WorkerSlot("weak", budget.WEAK, reviews=False)


def desks(count: int) -> list[WorkerSlot]:
    """Return the desks of ``count`` processes for strong bots, and one for weak bots; none if it is 0."""
    strong = [WorkerSlot(str(number), budget.STRONG) for number in range(count)]
    return [WEAK, *strong] if count else []


class BotWorker:
    """The threads that answer, each with a process, while no other daemon of the spool does."""

    def __init__(
        self,
        context: Context,
        submit: Submit,
        wake: Callable[[], object],
        metrics: Metrics | None = None,
        command: Sequence[str] = (),
    ) -> None:
        """Take ``submit``, see delivery, and ``wake``, to be called after each answer and review.

        ``wake`` tells that there are letters to send. ``metrics`` counts the answers.
        """
        self._context, self._submit, self._wake = context, submit, wake
        self._metrics = metrics or Metrics()
        self._command = command or COMMAND
        self._spool: Path = context.config.spool
        self._node = node_of(self._spool)
        self._stopped, self._guard = threading.Event(), threading.Lock()
        self._minds: set[EngineProcess] = set()
        self._compiler = compiler(self._spool, self._command)
        self._compiled = threading.Event()
        self._compiled.set()
        self._shifts = [
            ExclusiveLoop(
                f"thinker {desk.name}",
                self._lock(desk),
                partial(self._begin, desk),
                "bots",
                (PAUSE, PAUSE),
                MOMENT,
            )
            for desk in desks(context.config.bots)
        ]

    def start(self) -> None:
        if self._shifts and budget.is_compiled():
            self._compiled.clear()
            threading.Thread(target=self._compile, name="compiler", daemon=True).start()
        for shift in self._shifts:
            shift.start()

    def wake(self) -> None:
        """Make the threads look for turns. Any thread may call this; it returns at once."""
        for shift in self._shifts:
            shift.wake()

    def stop(self, patience: Seconds = 5.0) -> bool:
        """End the threads; the next daemon begins again with the turns that they are thinking about.

        Return False if a thread has not ended after ``patience`` seconds.
        """
        until = time.monotonic() + patience
        self._stopped.set()
        self._compiler.stop()
        self._compiled.set()
        for shift in self._shifts:
            shift.stop()
        with self._guard:
            for mind in self._minds:
                mind.stop()
        return all(shift.ended(max(0.0, until - time.monotonic())) for shift in self._shifts)

    def _compile(self) -> None:
        """Fill numba's folder before the first question."""
        try:
            warm.warm(self._spool, self._compiler)
        except ChildDown as error:  # then the first question compiles
            log.warning("bots", extra={"facts": {"trouble": str(error)}})
        finally:
            self._compiled.set()

    def run_once(self) -> int:
        """Answer all due turns and reviews in this thread, unless another process does; return the number."""
        return sum(self._answer_all(desk) for desk in desks(1) if self._is_due(desk))

    def _answer_all(self, desk: WorkerSlot) -> int:
        count = 0

        def work() -> None:
            nonlocal count
            with self.mind(desk) as mind:
                while self.answer_one(desk, mind):
                    count += 1

        take_turns(self._lock(desk), work, lambda: self._is_due(desk))
        return count

    def _lock(self, desk: WorkerSlot) -> Path:
        return self._spool / f"think.{desk.name}.lock"

    @contextmanager
    def mind(self, desk: WorkerSlot) -> Iterator[EngineProcess]:
        """Yield a process of the engine; it ends with the block, or when the worker is stopped."""
        mind = EngineProcess(
            [*self._command, *desk.words], warm.folder(self._spool), self._compiled
        )
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

    @contextmanager
    def _begin(self, desk: WorkerSlot) -> Iterator[Callable[[], bool]]:
        with self.mind(desk) as mind:
            yield partial(self.answer_one, desk, mind)

    def answer_one(self, desk: WorkerSlot, mind: EngineProcess) -> bool:
        """Answer the next turn, or review a game if none is due. Return False if there is nothing to do."""
        due = self._claim(desk)
        if isinstance(due, Question):
            self._answer(due, mind)
        elif due is not None:
            self._review(due, mind)
        return due is not None

    def _claim(self, desk: WorkerSlot) -> Question | ReviewJob | None:
        """Drop the last claim of a desk, and claim the next turn or review for it; None if none is due.

        The holder of the desk's lock must drop the claim of a process that was killed there.
        """
        owner = f"{self._node}.{desk.name}"

        def claim(work: Work) -> Question | ReviewJob | None:
            work.tx.of(Bots).drop_thought(owner)
            for _ in range(_RACES):
                due = self._look(work, desk)
                if due is None:
                    break
                board = due.turn.board if isinstance(due, Question) else due.board
                if work.tx.of(Bots).think(owner, board, work.now):
                    return due
            return None

        return self._do(claim)

    def _look(self, work: Work, desk: WorkerSlot) -> Question | ReviewJob | None:
        """Return a due turn of a desk that nobody has claimed; else a review, if the desk takes reviews."""
        busy = work.tx.of(Bots).thought_about(work.now)
        due = answers.next_question(work, busy, desk.levels)
        return due or (reviews.next_study(work, busy) if desk.reviews else None)

    def _is_due(self, desk: WorkerSlot) -> bool:
        return self._do(lambda work: self._look(work, desk)) is not None

    def _review(self, study: ReviewJob, mind: EngineProcess) -> None:
        """Review a finished game; ask twice if need be, then log the failure."""
        reply, trouble = None, ""
        for _ in range(2):
            try:
                reply = mind.ask(study.request)
                break
            except ChildDown as error:
                trouble = str(error)
        if self._stopped.is_set():
            return
        if reply is None:
            log.error("bots", extra={"facts": {"board": study.board, "trouble": trouble}})
        self._do(lambda work: reviews.finish(work, study, reply))
        self._wake()

    def _answer(self, question: Question, mind: EngineProcess) -> None:
        """Ask the bot, twice if need be; then the weakest bot, without numba; then make a move by rule."""
        crashes, spent = 0, 0.0
        if question.request is not None:
            weak = {**question.request, "level": WEAKEST}
            asked = (
                (mind.ask, question.request),
                (mind.ask, question.request),
                (mind.ask_plainly, weak),
            )
            for ask, request in asked:
                begun = time.monotonic()
                try:
                    reply = ask(request)
                    spent += reply.get("seconds", 0.0)
                    self._play(question, reply, crashes, spent)
                except ChildDown as error:
                    trouble = str(error)
                    spent += (
                        time.monotonic() - begun
                    )  # all of it counts: the share of work is unknown
                except (Refusal, KeyError, TypeError, ValueError) as error:
                    trouble = str(error) or type(error).__name__
                else:
                    return
                if self._stopped.is_set():
                    return
                crashes += 1
                facts = {"board": question.turn.board, "trouble": trouble, "crashes": crashes}
                log.error("bots", extra={"facts": facts})
        self._play(question, None, crashes, spent)

    def _play(
        self, question: Question, reply: Mapping[str, Any] | None, crashes: int, spent: Seconds
    ) -> None:
        turn = question.turn
        self._metrics.count("pbmstar_bot_thought_seconds_total", turn.bot, more=spent)
        if self._do(lambda work: answers.answer(work, question, reply, crashes, spent)):
            self._metrics.count("pbmstar_bot_answers_total", turn.bot)
            waited = max(0.0, self._context.clock() - turn.since)
            self._metrics.observe("pbmstar_bot_wait_seconds", waited)
            self._wake()

    def _do(self, act: Callable[[Work], T]) -> T:
        """Return the result of ``act`` in a transaction, once that is durable."""

        def job(tx: Tx) -> T:
            return act(Work(self._context, tx, self._context.clock()))

        return self._submit(job).result()


def answer(context: Context, store: Store) -> bool:
    """Answer all due turns, unless another process does, for servers without a daemon.

    Return True if there may be letters to send. Raises TemporaryFailure.
    """
    is_on = bool(context.config.bots)
    return is_on and bool(BotWorker(context, at_once(store), lambda: None).run_once())
