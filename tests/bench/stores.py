"""The benchmark's part on stores: a move in small and large ones, the reminders of a large one.

Alone, ``python stores.py SPOOL``: a run of the reminders; prints boards, seconds, the longest
transaction in seconds, and the peak memory in KiB.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import sqlalchemy as sa
import world

from pbmstar.cli.shared import context
from pbmstar.config import load as load_config
from pbmstar.service.incoming.mail import Service
from pbmstar.service.upkeep.rounds import remind
from pbmstar.service.work.context import Computation, Context, Envelope, Precomputed
from pbmstar.store import Store, Tx, schema
from pbmstar.store.schema import reminders

Line = tuple[str, str, str]
DAY = 86400.0
GROUP = 10  # moves that share a transaction


def opened(spool: Path) -> Context:
    """What a service in that spool needs."""
    return context(
        load_config({"spool": str(spool), "address": world.ADDRESS, "limits": "off"}, {})
    )


def mover(store: Store, spool: Path, boards: int, word: str = "star") -> Callable[[int], None]:
    """A function that does the n-th group of moves: ten boards from all over the store."""
    service, results = Service(opened(spool)), Precomputed()
    envelope = Envelope("p@bench.example", (world.ADDRESS,))
    step = max(boards // 2000, 1)

    def move(n: int) -> None:
        raws = []
        for i in range(GROUP):
            board = 1 + (n // 20 * GROUP + i) * step % boards
            raws.append(world.mails(board, (board - 1) % 50, n % 20 + 1, word)[-1])
        tasks: list[Computation] | None = None
        while tasks != []:  # again once passwords that come for the first time are looked at
            with store.transaction() as tx:
                done = [
                    service.execute(tx, envelope, service.read(raw), raw, results) for raw in raws
                ]
            tasks = [each for each in done if isinstance(each, Computation)]
            results.known.update((task.key, task.compute()) for task in tasks)

    return move


def figures(folder: Path, rounds: int, boards: int) -> Iterator[Line]:
    """CPU of a move in a small and a large store, and for two games; then the reminders."""
    with ExitStack() as open_stores:
        movers = {}
        for name, count, word in (
            ("1,000 boards", 1000, "star"),
            (f"{boards:,} boards", boards, "star"),
            ("1,000 boards of *Star", 1000, "*star"),
        ):
            spool = folder / name.replace("*", "")
            store = open_stores.enter_context(closing(world.open_spool(spool, count, word)))
            movers[name] = mover(store, spool, count, word)
        times: dict[str, list[float]] = {name: [] for name in movers}
        for turn in range(rounds + 1):
            for name, move in movers.items():
                begun = time.process_time()
                for n in range(turn * 20, turn * 20 + 20):
                    move(n)
                if turn:  # the first round warms up
                    times[name].append((time.process_time() - begun) / 20 / GROUP)
    least = statistics.median(times["1,000 boards"])
    for name, found in times.items():
        each = statistics.median(found)
        yield "CPU of a move, groups of 10", name, f"{each * 1e6:.0f} us, **{each / least:.2f}**"
    large = folder / f"{boards:,} boards"
    for due in (boards // 100, boards // 10):
        yield from reminded(large, boards, due)


def reminded(spool: Path, boards: int, due: int) -> Iterator[Line]:
    """Age some boards by eight days and run the reminders."""
    now = time.time()
    with closing(Store(f"sqlite:///{spool}/pbmstar.db")) as store:
        with store.transaction() as tx:
            tx.ledger.set_fact(
                "reminders", "None 14.0"
            )  # the days that are set: the first run notes them
            tx.ledger.set_fact("alive", str(now))  # the daemon has been there all the time
        with store.engine.begin() as connection:
            some = schema.boards.c.board % (boards // due) == 0
            change = sa.update(schema.boards)
            connection.execute(change.values(due=now + DAY))
            connection.execute(
                change.where(some).values(
                    since=now - 8 * DAY, clock_from=now - 8 * DAY, due=now - DAY
                )
            )
            connection.execute(sa.delete(reminders))
    done = subprocess.run(
        [sys.executable, __file__, str(spool)], check=True, capture_output=True, text=True
    )
    count, seconds, longest, peak = map(float, done.stdout.split())
    where = f"{boards:,} boards, {count:,.0f} due"
    yield "reminders, letters in the outbox", where, f"**{seconds:.1f} s**"
    yield "their longest transaction", where, f"**{1000 * longest:.0f} ms**"
    yield "their peak memory", where, f"**{peak / 1024:.0f} MiB**"


def main() -> None:
    """See the top."""
    spool, lengths = Path(sys.argv[1]), []
    whole = Store.transaction

    @contextmanager
    def timed(store: Store) -> Iterator[Tx]:
        begun = time.perf_counter()
        with whole(store) as tx:
            yield tx
        lengths.append(time.perf_counter() - begun)

    Store.transaction = timed  # type: ignore[method-assign]
    with closing(Store(f"sqlite:///{spool}/pbmstar.db")) as store:
        begun = time.perf_counter()
        done = remind(opened(spool), store)
        seconds = time.perf_counter() - begun
    # Not getrusage: its figure is the parent's at the fork if that is larger.
    status = Path("/proc/self/status").read_text()
    peak = re.search(r"VmHWM:\s+(\d+)", status)[1]  # type: ignore[index]
    print(sum(done.values()), seconds, max(lengths), peak)


if __name__ == "__main__":
    main()
