"""A simulated week of people and bots: mails go in, letters come out, the clock is an argument.

    python tests/crash/week.py --days 7 --people 200

All but the sockets is real: service, store, reminders, the process that thinks, letters as they are
written for the relay. People answer at hours of their own, are away, vanish, resign, plan, say
something, send rubbish and mails twice. The daemon is off for 40 minutes in the middle, the relay takes
nothing for two hours, the process that thinks is killed now and then. In the end every turn of a bot
has one answer, nobody waits, and everybody has been shown the boards as they stand; what is not so is
printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import heapq
import logging
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent))

from crash.afterwards import faults, matches_of
from crash.people import HOUR, PASSWORD, Person
from harness.letters import SERVER, Got
from harness.office import Office, address
from harness.server import children

from pbmstar.bots import budget
from pbmstar.bots.rows import Bots
from pbmstar.cli.shared import write_digests
from pbmstar.delivery.courier import at_once
from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.match import FORFEIT, Match
from pbmstar.service.reminders import heartbeat
from pbmstar.thinking import answers
from pbmstar.thinking.worker import COMMAND, BotWorker, desks

MINUTE = 60.0
OFF, DOWN = 40 * MINUTE, 2 * HOUR  # of the daemon, and of the relay
OPERATOR = "op@site.example"


class Week:
    """The world: a heap of what is to happen, and what has happened."""

    def __init__(
        self, office: Office, people: int, hours: float, seed: int, command: Sequence[str] = COMMAND
    ) -> None:
        self.office, self.chance, self._command = office, random.Random(seed), command
        self._events: list[tuple[float, int, Callable[[], object]]] = []
        self._serial = count()
        self.end = self.now + hours * HOUR
        self.outcomes: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.answers: Counter[tuple[int, int, int]] = Counter()  # by board, resets, length
        self.thought: defaultdict[int, list[float]] = defaultdict(list)  # seconds, by level
        self.waits: defaultdict[int, list[float]] = defaultdict(list)  # of the clock, by level
        self._waiting: dict[tuple[int, str, float], float] = {}
        self._off, self._begun = 0.0, 0.0
        self._start()
        self.userids = [f"p{number}" for number in range(people)]
        for userid in self.userids:
            office.add(userid, password=PASSWORD)
        self.people = {
            address(userid): Person(self, userid, random.Random(f"{seed} {userid}"), hours)
            for userid in self.userids
        }
        self.every(10 * MINUTE, self._beat)
        self.every(HOUR, self._remind)
        for share, act in ((0.4, self._stop), (0.6, self._break_relay)):
            self.later(share * hours * HOUR, act)
        for _ in range(5):
            self.later(self.chance.random() * hours * HOUR, self._kill)

    @property
    def now(self) -> float:
        return self.office.now

    # -- what people do and see; see people.World

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._serial), act))

    def mail(self, userid: str, subject: str, body: str = "", to: str = SERVER) -> None:
        raw = self.office.write(userid, subject, body, to)
        self._hand_in(raw, to)
        if self.chance.random() < 0.05:
            self.later(self.chance.expovariate(1 / HOUR), lambda: self._hand_in(raw, to))

    def match(self, board: int) -> Match | None:
        row = self.office.row(board)
        return row and row.match(self.office.ask("boards.record", board))

    # -- what happens

    def run(self) -> None:
        """Let the time pass; at its end people rest, and what is under way comes to its end."""
        with mock.patch.object(answers, "answer", self._counted(answers.answer)):
            while self._events and self._events[0][0] <= self.end:
                self.office.now, _, act = heapq.heappop(self._events)
                act()
            self._events.clear()
            for _ in range(4):
                self.office.now += HOUR
                self._think()
                self._remind()
        self._minds.close()

    def _start(self) -> None:
        submit = at_once(self.office.store)
        self.thinker = BotWorker(self.office.context, submit, lambda: None, command=self._command)
        self._minds = ExitStack()
        self._desks = [
            (desk, self._minds.enter_context(self.thinker.mind(desk))) for desk in desks(1)
        ]

    def _hand_in(self, raw: bytes, to: str) -> None:
        if self._off:  # whoever has the mail tries again
            self.later(
                self._off - self.now + self.chance.random() * HOUR, lambda: self._hand_in(raw, to)
            )
            return
        outcome = self.office.deliver(raw, to=to)
        self.outcomes[outcome.name] += 1
        self.counts.update(outcome.codes)
        self._look()
        self._post()
        usual = self.chance.random() < 0.9
        self.later(self.chance.expovariate(1 / 3.0 if usual else 1 / 60.0), self._think)
        self.later(16.0, self._post)

    def _post(self) -> None:
        """The relay takes what is due, and people find it in their mailboxes."""
        if self._off:
            return
        for letter in self.office.letters():
            if self.office.tray.verdict == SENT:
                self.counts["letters"] += 1
                self._receive(letter)

    def _receive(self, letter: Got) -> None:
        if letter.to == OPERATOR:
            self.counts["alerts"] += 1
        else:
            self.people[letter.to].read(letter)

    def _look(self) -> None:
        """Note which turns of bots are due, and which are not any more."""
        due = {(t.board, t.bot, t.since) for t in self.office.ask_of(Bots, "turns", 10_000)}
        for turn in self._waiting.keys() - due:
            self.waits[budget.level(turn[1])].append(self.now - self._waiting.pop(turn))
        for turn in due - self._waiting.keys():
            self._waiting[turn] = self.now

    def _think(self) -> None:
        if self._off:
            return
        self._begun = time.perf_counter()
        for desk, mind in self._desks:
            while self.thinker.answer_one(desk, mind):
                self._look()
                self._begun = time.perf_counter()
        self._look()
        self._post()

    def _counted(self, answer: Callable[..., bool]) -> Callable[..., bool]:
        def counted(work: Any, question: answers.Question, *rest: Any) -> bool:
            done = answer(work, question, *rest)
            if done:
                self.answers[question.turn.board, question.resets, question.length] += 1
                spent = time.perf_counter() - self._begun
                self.thought[budget.level(question.turn.bot)].append(spent)
            return done

        return counted

    # -- the house

    def every(self, seconds: float, act: Callable[[], object]) -> None:
        def again() -> None:
            if not self._off:
                act()
            self.later(seconds, again)

        self.later(seconds, again)

    def _beat(self) -> None:
        """What a daemon does every minute."""
        self._signs_of_life()
        write_digests(self.office.service, self.office.store)
        self._post()

    def _signs_of_life(self) -> None:
        with self.office.store.transaction() as tx:
            heartbeat.beat(tx, self.now)

    def _remind(self) -> None:
        done = self.office.run("remind")
        assert done.exit_code == 0, done.output
        kinds = ("reminders", "last warnings", "forfeits")
        numbers = (int(word) for word in done.output.split() if word.isdigit())
        self.counts.update(dict(zip(kinds, numbers, strict=False)))
        while self.office.at_work(lambda work: self.office.service.keep_house(work.tx)):
            pass
        self._think()

    def _stop(self) -> None:
        self._off = self.now + OFF
        self._minds.close()
        self.later(OFF, self._restart)

    def _restart(self) -> None:
        self._off = 0.0
        self.office.restart()
        self._start()
        self._signs_of_life()
        self._think()

    def _break_relay(self) -> None:
        """It does not answer; when it does again it puts each letter off once more."""
        tray = self.office.tray
        tray.down = "connection refused"

        def answer() -> None:
            tray.down, tray.verdict = "", Verdict("later", "451 4.3.0 try again later")

        def mend() -> None:
            tray.verdict = SENT

        self.later(DOWN, answer)
        self.later(DOWN + 5 * MINUTE, mend)

    def _kill(self) -> None:
        """The process that thinks dies; it is missed with the next turn."""
        for child in children(os.getpid(), "pbmstar.bots.engine"):
            os.kill(child, signal.SIGKILL)
            self.counts["kills"] += 1

    # -- in the end

    def faults(self) -> Iterator[str]:
        """What is not as it should be."""
        return faults(self.office, self.people, self.answers)

    def report(self) -> Iterator[str]:
        """What happened, in lines."""
        matches = matches_of(self.office)
        ended = Counter(match.position.over for match in matches)
        lost = sum(match.record[-1].move == FORFEIT for match in matches if match.record)
        yield f"mails: {', '.join(f'{n} {name}' for name, n in self.outcomes.most_common())}"
        yield f"games: {ended[True]} ended, {lost} of them on time; {ended[False]} run"
        yield f"also: {', '.join(f'{n} {name}' for name, n in self.counts.most_common())}"
        yield "level answers  thought s: median, most   waited s: median, most"
        for level, spent in sorted(self.thought.items()):
            waits = self.waits[level]
            yield (
                f"{level:5} {len(spent):7} {statistics.median(spent):18.3f} {max(spent):6.2f} "
                f"{statistics.median(waits):18.1f} {max(waits):6.0f}"
            )


def main() -> int:
    """The whole."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--days", type=float, default=7.0)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spool = Path(folder) / "spool"
        office = Office(f"sqlite:///{spool}/pbmstar.db", spool, (), operator=OPERATOR)
        logging.disable()  # what is logged is counted
        begun = time.process_time()
        world = Week(office, asked.people, asked.days * 24, asked.seed)
        world.run()
        faults = list(world.faults())
        print("\n".join(world.report()))
        print(f"{time.process_time() - begun:.0f} s of processor time, without thinking")
        print("\n".join(faults) or "no faults")
        office.close()
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
