"""An hour of mixed mail with faults, or a week by its clock: ``python tests/bench/soak.py [FOLDER]``.

Moves come at a steady rate; in between come challenges to bots, questions, wrong passwords, and mails that nobody
should have to read. The daemon is killed four times and the process that delivers as often; the receiver is away for a
twentieth of the time, and as long again it puts every letter off. Whoever gets no 250 sends again, as mail servers do.
In the end each move must be in the record once, and each of its letters must have come.

``--clock`` has the people of ``tests/crash/week.py`` live through a week, of which each hour is looked at.

FOLDER (``soak``) gets ``soak.csv`` with what was sampled and ``soak.png`` with its curves.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import logging
import os
import random
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from itertools import count, pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from bench import curves, load, world  # noqa: E402
from crash.hostile import disturb, used  # noqa: E402
from crash.running import Line, asked, delivered, is_sound, server_of, world_of  # noqa: E402
from crash.week import OPERATOR, Week  # noqa: E402
from harness.office import Office  # noqa: E402
from harness.server import Server, children, until  # noqa: E402
from harness.sink import Sink, Taken  # noqa: E402

from pbmstar.service.admin.lookup import all_boards  # noqa: E402
from pbmstar.store import Store  # noqa: E402

SESSIONS = 10
COLUMNS = (
    *(
        "memory of the daemon, MiB",
        "of its other processes, MiB",
        "descriptors of the daemon",
    ),
    *("write-ahead log, MiB", "letters that wait", "moves accepted a second"),
    *("DATA to 250, median, ms", "DATA to 250, 99 of 100, ms"),
)
Sample = tuple[float, ...]  # the time, and a figure for each column


class Receiver(Sink):
    """Keeps of each letter who got it and what it was; ``says`` is its answer while it takes none."""

    def __init__(self) -> None:
        super().__init__(lambda step, _count, _letter: self.says if step == "mail" else None)
        self.says: str | None = None
        self.came: dict[str, set[bytes]] = {}  # by Message-ID

    def take(self, letter: Taken) -> None:
        self.log.clear()  # of an hour it would be too long
        digest = hashlib.sha256(letter.content).digest()
        self.came.setdefault(letter.message_id, set()).add(digest)
        letter.content = b""
        self.count += 1


class Soak:
    """The load, the faults, and what is seen meanwhile."""

    def __init__(self, server: Server, receiver: Receiver, minutes: float, rate: float) -> None:
        self.server, self.receiver, self.seconds, self.rate = server, receiver, 60 * minutes, rate
        self.begun = time.monotonic()
        self.accepted: list[int] = [0] * SESSIONS
        self.others: dict[str, int] = {}
        self.again = 0
        self.faults: list[tuple[float, str]] = []
        self.samples: list[Sample] = []
        self._latencies: list[float] = []
        self._errors: list[BaseException] = []
        self._over = threading.Event()

    @property
    def now(self) -> float:
        return time.monotonic() - self.begun

    def run(self, moves: Sequence[Sequence[bytes]]) -> None:
        """Play all moves at the rate, with faults."""
        players = [
            threading.Thread(target=self._guarded, args=(self._play, number, mails), daemon=True)
            for number, mails in enumerate(moves)
        ]
        aside = [
            threading.Thread(target=self._guarded, args=(what,), daemon=True)
            for what in (self._disturb, self._break, self._sample)
        ]
        for thread in (*players, *aside):
            thread.start()
        for thread in players:
            thread.join()
        self._over.set()
        for thread in aside:
            thread.join()
        if self._errors:
            raise self._errors[0]

    def _guarded(self, what, *words) -> None:  # type: ignore[no-untyped-def]
        try:
            what(*words)
        except BaseException as error:
            self._errors.append(error)
            self._over.set()

    # -- the load

    def _play(self, session: int, mails: Sequence[bytes]) -> None:
        line: Line | None = None
        pause = SESSIONS / self.rate
        for number, raw in enumerate(mails):
            self._over.wait(max(0.0, (number + session / SESSIONS) * pause - self.now))
            while not self._over.is_set():
                begun = time.perf_counter()
                reply = ""
                with suppress(OSError):
                    line = line or Line(self.server.port)
                    reply = line.mail(raw)
                if reply.startswith("250"):
                    self._latencies.append(time.perf_counter() - begun)
                    self.accepted[session] += 1
                    break
                assert not reply.startswith("5"), reply
                self.again += 1
                if line is not None:
                    line.close()
                    line = None
                self._over.wait(0.2)

    def _disturb(self) -> None:
        """Everything but moves, about one for each twenty of them."""
        rng, numbers = random.Random(1), count()
        while not self._over.wait(20 / self.rate):
            number = next(numbers)
            kind = ("hostile", "challenge", "list", "wrong")[number % 4]
            with suppress(OSError):
                if kind == "hostile":
                    kind = disturb(self.server.port, rng, "127.0.0.99")
                else:
                    raw = {
                        "challenge": world.challenge(number, "star challenge -size=3 bot2 p0"),
                        "list": world.challenge(number, "star list"),
                        "wrong": world.mail(1, "p0", "F6", 10**6 + number, password="wrong"),
                    }[kind]
                    with Line(self.server.port) as line:
                        kind += f" {line.mail(raw)[:3]}"
                self.others[kind] = self.others.get(kind, 0) + 1

    # -- the faults

    def _break(self) -> None:
        """All faults, each at its part of the time."""
        away, busy = "421 4.3.2 we are away", "451 4.7.1 not now"
        plan = [(part, self._kill_daemon) for part in (0.22, 0.44, 0.66, 0.82)]
        plan += [(part, self._kill_delivery) for part in (0.12, 0.38, 0.56, 0.86)]
        plan += [(0.28, lambda: self._receiver(away)), (0.33, lambda: self._receiver(None))]
        plan += [(0.72, lambda: self._receiver(busy)), (0.77, lambda: self._receiver(None))]
        for part, act in sorted(plan, key=lambda each: each[0]):
            if self._over.wait(max(0.0, part * self.seconds - self.now)):
                return
            act()

    def _kill_daemon(self) -> None:
        self.faults.append((self.now / 60, "killed"))
        self.server.kill()
        self.server.start(truly=True)

    def _kill_delivery(self) -> None:
        if child := self.server.child():
            self.faults.append((self.now / 60, "delivery"))
            os.kill(child, signal.SIGKILL)

    def _receiver(self, says: str | None) -> None:
        self.faults.append((self.now / 60, "away" if says else "back"))
        self.receiver.says = says

    # -- what is seen

    def _sample(self) -> None:
        before, last = 0, self.now
        while not self._over.wait(max(1.0, self.seconds / 360)):
            latencies, self._latencies = self._latencies or [0.0], []
            accepted, now = sum(self.accepted), self.now
            with suppress(OSError, AssertionError, IndexError):  # one of them was killed just now
                memory, descriptors = used(self.server.pid)
                below = sum(used(child)[0] for child in children(self.server.pid))
                figures = (memory / 1024, below / 1024, descriptors, *stored(self.server.database))
                speed = (accepted - before) / (now - last)
                late = (1000 * load.part(latencies, which) for which in (0.5, 0.99))
                self.samples.append((now / 60, *figures, speed, *late))
            before, last = accepted, now

    def report(self) -> None:
        """Print what came of it."""
        print(f"{sum(self.accepted)} moves accepted, {self.again} attempts put off or cut")
        print(f"other mails: {dict(sorted(self.others.items()))}")
        print(f"letters: {self.receiver.count}, different ones {len(self.receiver.came)}")
        edges = [0.0, *(time for time, what in self.faults if what == "killed"), self.seconds / 60]
        for begin, end in pairwise(edges):
            stretch = [each for each in self.samples if begin < each[0] <= end]
            if len(stretch) >= 8:
                half = len(stretch) // 2
                early, late = (
                    statistics.median(each[1] for each in part)
                    for part in (stretch[half // 2 : half], stretch[-half // 2 :])
                )
                print(
                    f"memory from minute {begin:.0f} to {end:.0f}: {early:.0f} MiB, then {late:.0f}"
                )


def stored(database: str) -> tuple[float, float]:
    """MiB in the write-ahead log of a database of SQLite, and letters that wait."""
    log = Path(database.removeprefix("sqlite:///") + "-wal")
    size = log.stat().st_size / 2**20 if log.exists() else 0.0
    with closing(Store(database, read_only=True)) as store, store.transaction(writes=False) as tx:
        return size, tx.outbox.states().get("new", 0)


def by_hours(
    folder: Path, minutes: float, rate: float
) -> tuple[list[Sample], list[tuple[float, str]]]:
    """Soak a daemon, and return samples and faults by minutes."""
    each = -(-int(60 * minutes * rate / SESSIONS) // world.CELLS)  # boards of a session
    boards = SESSIONS * each
    moves = [
        [
            raw
            for board in range(number * each + 1, (number + 1) * each + 1)
            for raw in world.mails(board, (board - 1) % 50, world.CELLS)
        ][: int(60 * minutes * rate / SESSIONS)]
        for number in range(SESSIONS)
    ]
    with Receiver() as receiver, server_of(folder, relay=receiver.url) as server:
        server.spool.mkdir(mode=0o700)
        world_of(server.database, boards)
        soak = Soak(server.start(truly=True), receiver, minutes, rate)
        soak.run(moves)
        begun = time.monotonic()
        server.says("admin", "outbox", "retry")  # what was put off may wait for an hour
        delivered(server.database)
        until(lambda: server.json("admin", "outbox", "list") == [], "an empty outbox")
        print(f"{time.monotonic() - begun:.0f} s until the last letter was out")
        assert server.stop() == 0
        is_sound(server)
        lengths = asked(
            server.database,
            lambda tx: [row.length for row in all_boards(tx) if row.board <= boards],
        )
        assert sum(lengths) == sum(soak.accepted) == sum(map(len, moves)), (
            "a move is lost or doubled"
        )
        assert all(len(texts) == 1 for texts in receiver.came.values()), "a letter came in two ways"
        assert len(receiver.came) >= 2 * sum(lengths), "a letter is lost"
        soak.report()
    return soak.samples, soak.faults


def by_clock(
    folder: Path, days: float, people: int
) -> tuple[list[Sample], list[tuple[float, str]]]:
    """Have people live through days, and return samples by hours."""
    spool = folder / "spool"
    office = Office(f"sqlite:///{spool}/pbmstar.db", spool, (), operator=OPERATOR)
    logging.disable()  # what is logged is counted
    world_ = Week(office, people, days * 24, 1)
    begun, samples, before, spent = world_.now, list[Sample](), [0], [time.process_time()]

    def look() -> None:
        memory, descriptors = used(os.getpid())
        letters, seconds = world_.counts["letters"], time.process_time()
        figures = (memory / 1024, descriptors, *stored(office.config.database))
        hour = (world_.now - begun) / 3600
        samples.append((hour, *figures, letters - before[0], seconds - spent[0]))
        before[0], spent[0] = letters, seconds

    world_.every(3600, look)
    world_.run()
    print("\n".join(world_.report()))
    print("\n".join(world_.faults()) or "no faults")
    office.close()
    return samples, []


CLOCK_COLUMNS = (
    *("memory, MiB", "descriptors", "write-ahead log, MiB", "letters that wait"),
    *("letters an hour", "processor time of an hour, s"),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("soak"))
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=20.0, help="moves a second")
    parser.add_argument("--clock", type=float, nargs="?", const=7.0, metavar="DAYS")
    parser.add_argument("--people", type=int, default=200, help="who live through --clock")
    asked_ = parser.parse_args()
    asked_.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        if asked_.clock:
            columns, unit = CLOCK_COLUMNS, "hours"
            samples, faults = by_clock(Path(made), asked_.clock, asked_.people)
        else:
            columns, unit = COLUMNS, "minutes"
            samples, faults = by_hours(Path(made), asked_.minutes, asked_.rate)
    with (asked_.folder / "soak.csv").open("w", newline="") as file:
        csv.writer(file).writerows([(unit, *columns), *samples])
    times, *values = zip(*samples, strict=True)
    named = dict(zip(columns, values, strict=True))
    curves.draw(asked_.folder / "soak.png", times, named, faults, unit)
    for name, figures in named.items():
        print(f"{name}: median {statistics.median(figures):.3g}, most {max(figures):.3g}")


if __name__ == "__main__":
    main()
