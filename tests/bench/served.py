"""The benchmark's part over SMTP: what a daemon accepts and delivers, and how long others wait."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import load
import world
from servers import Daemon, Spent, bare, spent

Line = tuple[str, str, str]  # what, under which conditions, and the figure


class Round(NamedTuple):
    """Moves a second: accepted, and with both letters delivered."""

    accepted: float
    delivered: float


def played(daemon: Daemon, mails: int, sessions: int, rate: float = 0.0) -> tuple[Round, load.Run]:
    """Have a daemon take so many moves, and wait for all letters."""
    work, before = daemon.mails(mails, sessions), daemon.letters()
    begun = time.perf_counter()
    run = load.run(daemon.port, world.ADDRESS, work, rate)
    while daemon.letters() < before + 2 * run.mails:
        time.sleep(0.002)
    return Round(run.rate, run.mails / (time.perf_counter() - begun)), run


_PLAIN = "SQLite, pictures off"


def rates(folder: Path, rounds: int, mails: int, postgresql: str) -> Iterator[Line]:
    """Accepted and delivered moves beside the bare sink, on both databases, interleaved."""
    boards = 2 * (rounds + 3) * (mails // 10 + 100)
    with ExitStack() as opened:
        _, port = opened.enter_context(bare(folder / "files"))
        ours = {
            "SQLite": opened.enter_context(Daemon(folder / "sqlite", boards)),
            _PLAIN: opened.enter_context(Daemon(folder / "plain", boards, pictures="off")),
        }
        if postgresql:
            ours["PostgreSQL"] = opened.enter_context(
                Daemon(folder / "postgresql", boards, postgresql)
            )
        for daemon in ours.values():
            played(daemon, 200, 50)
        for sessions in (10, 50):
            floor: list[float] = []
            found: dict[str, list[Round]] = {name: [] for name in ours}
            written = ours["SQLite"].written()
            for _ in range(rounds):
                for name, daemon in ours.items():
                    found[name].append(played(daemon, mails, sessions)[0])
                work = ours["SQLite"].mails(mails, sessions)
                floor.append(load.run(port, world.ADDRESS, work).rate)
            where = f"{sessions} sessions"
            least = statistics.median(floor)
            yield "bare fsync sink", where, f"{least:.0f} messages/s"
            medians = {
                name: Round(*map(statistics.median, zip(*each, strict=True)))
                for name, each in found.items()
            }
            for name, median in medians.items():
                for kind, value in zip(("accepted", "both letters delivered"), median, strict=True):
                    yield (
                        f"moves {kind}, {name}",
                        where,
                        f"{value:.0f}/s, **{value / least:.2f}** of the sink",
                    )
            for kind in Round._fields:
                share = getattr(medians["SQLite"], kind) / getattr(medians[_PLAIN], kind)
                yield f"{kind}, with pictures of without", where, f"**{share:.2f}**"
            if postgresql:
                ratio = medians["PostgreSQL"].delivered / medians["SQLite"].delivered
                yield "delivered, PostgreSQL of SQLite", where, f"**{ratio:.2f}**"
            moves = rounds * (mails // sessions * sessions)
            share = (ours["SQLite"].written() - written) / moves
            yield "bytes written to disk a move", where, f"**{share:.0f}**"
        half = medians["SQLite"].delivered / 2
        yield from latencies(ours["SQLite"], port, half)
        yield "peak memory of the daemon", "after all these", f"**{ours['SQLite'].peak():.0f} MiB**"


def costs(folder: Path, rounds: int, mails: int) -> Iterator[Line]:
    """The processor time of a move: at the bare sink, and in each part of the daemon."""
    boards = 2 * (rounds + 1) * (mails // 10 + 100)
    with (
        bare(folder / "bare") as (sink, port),
        Daemon(folder / "drawn", boards, bots="0") as drawn,
        Daemon(folder / "undrawn", boards, bots="0", pictures="off") as undrawn,
    ):
        found: dict[str, list[float]] = {}
        for turn in range(rounds + 1):
            before = spent(sink.pid)
            count = load.run(port, world.ADDRESS, drawn.mails(mails, 10)).mails
            used = {"the bare sink": sum(spent(sink.pid)) - sum(before)}
            for daemon, way in ((drawn, "on"), (undrawn, "off")):
                before = daemon.spent()
                played(daemon, mails, 10)
                parts = Spent(*(b - a for a, b in zip(before, daemon.spent(), strict=True)))
                if daemon is drawn:
                    used["the daemon, dialogue and reading"] = parts.first
                    used["the daemon, transactions"] = parts.others
                used[f"two letters written and sent, pictures {way}"] = parts.children
            for name, seconds in used.items() if turn else ():  # the first round warms up
                found.setdefault(name, []).append(1000 * seconds / count)
    for name, each in found.items():
        yield "processor time of a move", name, f"**{statistics.median(each):.2f} ms**"


def latencies(daemon: Daemon, port: int, rate: float) -> Iterator[Line]:
    """From DATA to 250 at that rate, and from NOOP to 250 at the bare server meanwhile."""
    over = threading.Event()
    with ThreadPoolExecutor(1) as aside:
        noops = aside.submit(load.waits, port, over)
        _, run = played(daemon, max(int(rate * 5) // 10 * 10, 10), 10, rate)
        over.set()
    where = f"half load, {rate:.0f} moves/s"
    yield (
        "DATA to 250, p50 / p99",
        where,
        f"**{run.latency(0.5):.1f} / {run.latency(0.99):.1f} ms**",
    )
    p50, p99 = (1000 * load.part(noops.result(), which) for which in (0.5, 0.99))
    yield "NOOP to 250 at a bare aiosmtpd meanwhile", where, f"{p50:.2f} / {p99:.2f} ms"


SIZE = 1024 * 1024 - 4096
_HEAD = b"From: p0@bench.example\r\nMessage-ID: <%d@h>\r\nSubject: star help\r\n"
HOSTILE: dict[str, Callable[[], bytes]] = {
    "one line": lambda: b"\r\n" + b"x" * SIZE,
    "short lines": lambda: b"\r\n" + b"star move\r\n" * (SIZE // 11),
    "bare line ends": lambda: b"\r\n" + b"x\n\r" * (SIZE // 3),
    "one header of many": lambda: b"To: a\r\n" * (SIZE // 7) + b"\r\nx",
    "nested tags": lambda: b"Content-Type: text/html\r\n\r\n" + b"<div><a" * (SIZE // 7),
    "many parts": lambda: (
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * (SIZE // 10)
    ),
    "quoted-printable": lambda: (
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=41=0A" * (SIZE // 6)
    ),
}


def hostile(folder: Path) -> Iterator[Line]:
    """The longest that another session waits while a mail of 1 MiB is read, for each kind."""
    with Daemon(folder / "hostile", 200) as daemon:
        played(daemon, 50, 10)
        for name, made in HOSTILE.items():
            worst = []
            for n in range(3):
                over = threading.Event()
                mail = _HEAD % n + made()
                with ThreadPoolExecutor(1) as aside:
                    noops = aside.submit(load.waits, daemon.port, over, 0.0005)
                    with suppress(RuntimeError):  # it may be refused
                        load.run(daemon.port, world.ADDRESS, [[mail]])
                    over.set()
                worst.append(max(noops.result()))
            yield (
                "longest wait of another session while 1 MiB is read",
                name,
                f"**{1000 * statistics.median(worst):.0f} ms**",
            )


def slow_disk(folder: Path, rounds: int, mails: int) -> Iterator[Line]:
    """What is left of the rate when each fsync takes 5 ms more: strace holds it up."""
    watch = ("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fdatasync,fsync")
    slow = (*watch, "-e", "inject=fdatasync,fsync:delay_exit=5000")
    boards = 2 * (rounds + 1) * (mails // 10 + 200)
    with (
        Daemon(folder / "quick", boards, words=watch) as quick,
        Daemon(folder / "slow", boards, words=slow) as slowed,
    ):
        ratios = []
        for _ in range(rounds):
            before = played(quick, mails, 100)[0].accepted
            ratios.append(played(slowed, mails, 100)[0].accepted / before)
    yield (
        "moves kept with 5 ms more on each fsync",
        "100 sessions",
        f"**{statistics.median(ratios):.2f}**",
    )


def flood(folder: Path, rounds: int) -> Iterator[Line]:
    """What is left of the good moves under 20 wrong passwords a second, of many userids."""
    ratios = []
    for n in range(rounds):
        with Daemon(folder / f"flood{n}", 2000, limits="on") as daemon:
            calm = played(daemon, 800, 8)[0].accepted
            with ThreadPoolExecutor(1) as aside:
                over = threading.Event()
                wrong = aside.submit(_guess, daemon.port, over)
                ratios.append(played(daemon, 800, 8)[0].accepted / calm)
                over.set()
                wrong.result()
    yield (
        "good moves kept under wrong passwords",
        "20 a second, limits on",
        f"**{statistics.median(ratios):.2f}**",
    )


_STRONG = "*star challenge -rings=10 bot9 p0"  # who is named first begins


def thinking(folder: Path, rounds: int, mails: int) -> Iterator[Line]:
    """What is left of the rate while a bot thinks all the time, on a core that all others want too."""
    (folder / "numba").mkdir()  # compiled once for all daemons
    ratios = []
    for n in range(rounds):
        spool = folder / f"thinking{n}"
        with Daemon(spool, 2 * (mails // 10 + 200), bots="1") as daemon:
            (spool / "numba").symlink_to(folder / "numba")
            load.run(daemon.port, world.ADDRESS, [[world.challenge(0, _STRONG)]])
            while daemon.turns():
                time.sleep(0.1)
            played(daemon, 200, 10)
            calm = played(daemon, mails, 10)[0].accepted
            many = [world.challenge(number, _STRONG) for number in range(1, 200)]
            load.run(daemon.port, world.ADDRESS, [many])
            ratios.append(played(daemon, mails, 10)[0].accepted / calm)
            assert daemon.turns(), "the bot was not busy to the end"
    yield (
        "moves accepted while a bot thinks, of without",
        "10 sessions, bot9 on *Star 10",
        f"**{statistics.median(ratios):.2f}**",
    )


def _guess(port: int, over: threading.Event) -> None:
    """Moves with wrong passwords, twenty a second, of a hundred userids and addresses."""
    n, due = 0, time.monotonic()
    while not over.is_set():
        guess = world.mail(1, f"p{n % 100}", "F6", n, password=f"wrong{n}")
        with suppress(RuntimeError):  # put off
            load.run(port, world.ADDRESS, [[guess]])
        n, due = n + 1, due + 0.05
        over.wait(max(0.0, due - time.monotonic()))
