"""The benchmark: ``python tests/bench/run.py`` prints its table as Markdown. It asserts nothing.

The contenders take turns within one run, and each figure is the median of the rounds: only ratios
within one table carry over to another machine.
"""

from __future__ import annotations

import argparse
import email
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.policy import compat32
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import counting
import load
import world

from pbmstar import inbound
from pbmstar.cli.shared import context
from pbmstar.config import load as load_config
from pbmstar.service import Envelope, Results, Service, Task

HERE = Path(__file__).parent


@contextmanager
def process(*command: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server of ours on a port of its choice."""
    server = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)", server.stdout.readline())
        assert found, "the server did not start"
        yield server, int(found[1])
    finally:
        server.terminate()
        server.wait()


def taken(sink: subprocess.Popen[str]) -> int:
    """How many letters the sink has."""
    assert sink.stdin is not None and sink.stdout is not None
    sink.stdin.write("\n")
    sink.stdin.flush()
    return int(sink.stdout.readline())


def sent(mails: int, sessions: int, first_board: int) -> list[list[bytes]]:
    """Mails for each session: boards of its own, one after the other."""
    each = mails // sessions
    work = []
    board = first_board
    for _ in range(sessions):
        own: list[bytes] = []
        while len(own) < each:
            count = min(world.CELLS, each - len(own))
            own += world.mails(board, (board - 1) % 50, count)
            board += 1
        work.append(own)
    return work


def accepted(rounds: int, mails: int) -> None:
    """Durable moves accepted over SMTP, both letters delivered, beside a bare fsync sink."""
    print(
        "| sessions | moves/s, both letters delivered | accepted/s | p50 ms | p99 ms "
        "| bare fsync sink/s | ratio delivered | ratio accepted |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        spool = Path(folder) / "spool"
        world.open_spool(spool, 40_000).close()
        files = Path(folder) / "files"
        files.mkdir()
        with (
            process(str(HERE.parent / "harness" / "sink.py")) as (sink, sink_port),
            process(str(HERE / "bare.py"), str(files)) as (_, bare_port),
            process("-m", "pbmstar", "serve", "--spool", str(spool), "--limits", "off",
                    "--listen", "127.0.0.1:0", "--address", world.ADDRESS,
                    "--relay", f"smtp://127.0.0.1:{sink_port}") as (daemon, port),
        ):  # fmt: skip
            board = 1
            load.run(
                port,
                world.ADDRESS,
                [world.mails(39_000 + i, (38_999 + i) % 50, 2) for i in range(50)],
            )
            for sessions in (1, 10, 50):
                ours, bare, delivered = [], [], []
                count = max(mails // 4, 50) if sessions == 1 else mails
                for _ in range(rounds):
                    work = sent(count, sessions, board)
                    board += sum(-(-len(own) // world.CELLS) for own in work)
                    bare.append(load.run(bare_port, world.ADDRESS, work))
                    before, begun = taken(sink), time.perf_counter()
                    ours.append(load.run(port, world.ADDRESS, work))
                    while taken(sink) < before + 2 * ours[-1].mails:
                        time.sleep(0.002)
                    delivered.append(ours[-1].mails / (time.perf_counter() - begun))
                rate = statistics.median(run.rate for run in ours)
                floor = statistics.median(run.rate for run in bare)
                whole = statistics.median(delivered)
                p50 = statistics.median(run.latency(0.5) for run in ours)
                p99 = statistics.median(run.latency(0.99) for run in ours)
                print(
                    f"| {sessions} | {whole:.0f} | {rate:.0f} | {p50:.1f} | {p99:.1f} "
                    f"| {floor:.0f} | {whole / floor:.2f} | {rate / floor:.2f} |"
                )
            status = Path(f"/proc/{daemon.pid}/status").read_text()
            peak = re.search(r"VmHWM:\s+(\d+)", status)
    print()
    if peak:
        print(f"Peak memory of the daemon: {int(peak[1]) / 1024:.0f} MiB.")


def moves(folder: Path, boards: int, word: str) -> tuple[Callable[[int], None], Callable[[], None]]:
    """A function that does the n-th move on fresh boards of a store, and one that closes it."""
    store = world.open_spool(folder, boards, word)
    config = load_config({"spool": str(folder), "address": world.ADDRESS, "limits": "off"}, {})
    service = Service(context(config))
    step = max(boards // 5000, 1)  # boards from all over the store

    def move(n: int) -> None:
        board = 1 + (n // 10 * step) % boards
        raw = world.mails(board, (board - 1) % 50, n % 10 + 1, word)[-1]
        envelope, results = Envelope("p@bench.example", (world.ADDRESS,)), Results()
        while True:
            with store.transaction() as tx:
                done = service.execute(tx, envelope, service.read(raw), raw, results)
            if not isinstance(done, Task):
                return
            results.known[done.key] = done.compute()

    return move, store.close


def compared(what: dict[str, Callable[[int], None]], rounds: int, each: int) -> dict[str, float]:
    """Microseconds of each, medians of interleaved rounds."""
    times: dict[str, list[float]] = {name: [] for name in what}
    for turn in range(rounds + 1):
        for name, work in what.items():
            begun = time.perf_counter()
            for n in range(turn * each, (turn + 1) * each):
                work(n)
            if turn:  # the first round warms up
                times[name].append((time.perf_counter() - begun) / each * 1e6)
    return {name: statistics.median(found) for name, found in times.items()}


def pairs(title: str, figures: dict[str, float], unit: str = "us") -> None:
    """A line for each figure, and its ratio to the first."""
    first = next(iter(figures.values()))
    for name, figure in figures.items():
        print(f"| {title} | {name} | {figure:.0f} {unit} | {figure / first:.2f} |")


def stores(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small, close_small = moves(Path(folder) / "small", 1_000, "star")
        large, close_large = moves(Path(folder) / "large", 100_000, "star")
        star, close_star = moves(Path(folder) / "star", 1_000, "star")
        starstar, close_starstar = moves(Path(folder) / "starstar", 1_000, "*star")
        figures = compared({"1,000 boards": small, "100,000 boards": large}, rounds, 200)
        pairs("a durable move, alone, in a store of", figures)
        pairs("a durable move of", compared({"Star": star, "*Star": starstar}, rounds, 200))
        for close in (close_small, close_large, close_star, close_starstar):
            close()


def reader(rounds: int) -> None:
    mail = world.mail(17, "p1", "F6", 3)
    figures = compared(
        {
            "email, compat32": lambda _: email.message_from_bytes(mail, policy=compat32) and None,
            "pbmstar.inbound": lambda _: inbound.read(mail, "bench.example") and None,
        },
        rounds,
        500,
    )
    pairs(f"reading a mail of {len(mail)} bytes with", figures)


def programs(rounds: int) -> None:
    def run(*command: str) -> Callable[[int], None]:
        return lambda _: subprocess.run(command, check=True, stdout=subprocess.DEVNULL) and None

    program = str(Path(sys.executable).with_name("pbmstar"))
    figures = compared(
        {
            "python -c 'import click'": run(sys.executable, "-c", "import click"),
            "pbmstar --help": run(program, "--help"),
        },
        rounds,
        5,
    )
    pairs("start of", {name: figure / 1000 for name, figure in figures.items()}, "ms")
    begun = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        process("-m", "pbmstar", "serve", "--spool", folder, "--listen", "127.0.0.1:0"),
    ):
        print(
            f"| start of | pbmstar serve, new spool, to listening "
            f"| {1000 * (time.perf_counter() - begun):.0f} ms | |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mails", type=int, default=1500, help="of each contender in a round")
    told = parser.parse_args()
    print(f"Python {platform.python_version()}, {told.rounds} rounds.\n")
    accepted(told.rounds, told.mails)
    print("\n| what | | median | ratio |\n|---|---|---|---|")
    stores(told.rounds)
    for cells, figures in counting.figures(told.rounds):
        pairs(f"scoring a full board of {cells} cells by", figures)
    reader(told.rounds)
    programs(told.rounds)


if __name__ == "__main__":
    main()
