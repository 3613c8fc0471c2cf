"""The benchmark: ``python tests/bench/run.py`` prints its table as Markdown. It asserts nothing.

The contenders take turns within one run, and each figure is the median of the rounds: only ratios
within one table carry over to another machine. ``--only`` names the parts to run.
"""

from __future__ import annotations

import argparse
import email
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from email.policy import compat32
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent.parent))
import counting
import crowds
import peers
import served
import stores
import world
from harness.postgresql import Postgresql
from servers import process

from pbmstar import inbound

Line = tuple[str, str, str]


def compared(what: dict[str, Callable[[], object]], rounds: int, each: int) -> dict[str, float]:
    """Microseconds of each, medians of interleaved rounds."""
    times: dict[str, list[float]] = {name: [] for name in what}
    for turn in range(rounds + 1):
        for name, work in what.items():
            begun = time.perf_counter()
            for _ in range(each):
                work()
            if turn:  # the first round warms up
                times[name].append((time.perf_counter() - begun) / each * 1e6)
    return {name: statistics.median(found) for name, found in times.items()}


def pairs(title: str, figures: dict[str, float], unit: str = "us") -> Iterator[Line]:
    """A line for each figure, with its ratio to the first."""
    first = next(iter(figures.values()))
    for name, figure in figures.items():
        yield title, name, f"{figure:.0f} {unit}, **{figure / first:.2f}**"


def small(rounds: int) -> Iterator[Line]:
    """What needs no server: scoring, reading a mail, the start of the program."""
    for rings in (6, 10):
        cells, ways = counting.contenders(rings)
        yield from pairs(f"scoring a full board of {cells} cells by", compared(ways, rounds, 50))
    mail = world.mail(17, "p1", "F6", 3)
    readers: dict[str, Callable[[], object]] = {
        "email, compat32": lambda: email.message_from_bytes(mail, policy=compat32),
        "pbmstar.inbound": lambda: inbound.read(mail, "bench.example"),
    }
    yield from pairs(f"reading a message of {len(mail)} bytes with", compared(readers, rounds, 500))

    def run(*command: str) -> Callable[[], object]:
        return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    programs = {
        "python -c 'import click'": run(sys.executable, "-c", "import click"),
        "pbmstar --help": run(str(Path(sys.executable).with_name("pbmstar")), "--help"),
    }
    figures = compared(programs, rounds, 5)
    yield from pairs("start of", {name: each / 1000 for name, each in figures.items()}, "ms")

    def serve() -> float:
        begun = time.perf_counter()
        command = (sys.executable, "-m", "pbmstar", "serve")
        with (
            tempfile.TemporaryDirectory() as folder,
            process(*command, spool=folder, listen="127.0.0.1:0"),
        ):
            return 1000 * (time.perf_counter() - begun)

    took = statistics.median(serve() for _ in range(rounds))
    yield "start of", "pbmstar serve, new spool, to listening", f"{took:.0f} ms"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mails", type=int, default=1500, help="of each contender in a round")
    parser.add_argument("--boards", type=int, default=1_000_000, help="of the large store")
    parts = ("rates", "costs", "hostile", "disk", "flood", "bots", "stores", "small", "crowds")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--peers", action="store_true", help="only what others would take")
    parser.add_argument(
        "--salmon", default="", help="the Python of an environment with salmon-mail"
    )
    parser.add_argument("--mailman", default="", help="the bin of an environment with mailman")
    options = parser.parse_args()
    if options.peers:
        print("| what | messages | cost |\n|---|---|---|")
        with tempfile.TemporaryDirectory() as name:
            show(peers.figures(Path(name), options.mails, options.salmon, options.mailman))
        return
    rounds = options.rounds
    print(f"Python {platform.python_version()}, {rounds} rounds.\n\n| what | | |\n|---|---|---|")
    has_postgresql = "rates" in options.only and Path("/usr/lib/postgresql").is_dir()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # As an installed program has them, whatever is set here.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
        work: dict[str, Callable[[], Iterator[Line]]] = {
            "costs": lambda: served.costs(folder, rounds, options.mails),
            "hostile": lambda: served.hostile(folder),
            "disk": lambda: served.slow_disk(folder, rounds, options.mails),
            "flood": lambda: served.flood(folder, rounds),
            "bots": lambda: served.thinking(folder, rounds, options.mails),
            "stores": lambda: stores.figures(folder, rounds, options.boards),
            "small": lambda: small(rounds),
            "crowds": crowds.rows,
        }
        if has_postgresql:
            with Postgresql(fsync=True) as server:
                show(served.rates(folder, rounds, options.mails, server.url))
        elif "rates" in options.only:
            show(served.rates(folder, rounds, options.mails, ""))
        for part in options.only:
            if part in work:
                show(work[part]())


def show(lines: Iterator[Line]) -> None:
    """Print each line of the table when it is known."""
    for line in lines:
        print(
            "| " + " | ".join(each.replace("*Star", "\\*Star") for each in line) + " |", flush=True
        )


if __name__ == "__main__":
    main()
