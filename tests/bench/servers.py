"""What the benchmark starts: our daemon, the sink that its letters go to, the bare server beside it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import world

from pbmstar.bots.rows import Bots
from pbmstar.store import Store

HERE = Path(__file__).parent


@contextmanager
def process(*command: str, **keys: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server of ours, on a port of its choice; with these keys of the configuration."""
    environment = {f"PBMSTAR_{key.upper()}": value for key, value in keys.items()}
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=os.environ | environment,
        start_new_session=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)", server.stdout.readline())
        assert found, f"did not start: {' '.join(command)}"
        yield server, int(found[1])
    finally:
        os.killpg(server.pid, signal.SIGTERM)  # strace passes no signal on
        server.wait()


@contextmanager
def bare(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """An aiosmtpd that writes one fsynced file for each message, and its port."""
    folder.mkdir(exist_ok=True)
    with process(sys.executable, str(HERE / "bare.py"), str(folder)) as (server, port):
        yield server, port


class Spent(NamedTuple):
    """Seconds of processor time: of a process's first thread, of its others, of what it has started.

    The processes that it has started count even after their end.
    """

    first: float
    others: float
    children: float


def spent(pid: int) -> Spent:
    """What a process that runs has used until now."""
    first = others = children = 0.0
    for task in Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if int(task.name) == pid:
            first = used
            children += (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")  # ended
        else:
            others += used
        children += sum(sum(spent(int(each))) for each in (task / "children").read_text().split())
    return Spent(first, others, children)


class Daemon:
    """Our daemon and its sink, on a spool with so many boards; use it in a with statement.

    database  a URL; by default SQLite in the spool
    words     before the command, such as strace with its options
    keys      of the configuration
    """

    def __init__(
        self,
        folder: Path,
        boards: int,
        database: str = "",
        words: tuple[str, ...] = (),
        **keys: str,
    ) -> None:
        self.spool, self.boards, self._next = folder, boards, 1
        self._words = words
        self._database = database or f"sqlite:///{folder}/pbmstar.db"
        world.open_spool(folder, boards, url=self._database).close()
        self._keys = {"address": world.ADDRESS, "limits": "off", "listen": "127.0.0.1:0", **keys}

    def __enter__(self) -> Daemon:
        with ExitStack() as opened:
            sink = str(HERE.parent / "harness" / "sink.py")
            self._sink, relay = opened.enter_context(process(sys.executable, sink))
            keys = {
                **self._keys,
                "spool": str(self.spool),
                "database": self._database,
                "relay": f"smtp://127.0.0.1:{relay}",
            }
            command = (*self._words, sys.executable, "-m", "pbmstar", "serve")
            self._process, self.port = opened.enter_context(process(*command, **keys))
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def pid(self) -> int:
        """Of the daemon."""
        return self._process.pid

    def letters(self) -> int:
        """How many letters the sink has."""
        assert self._sink.stdin is not None and self._sink.stdout is not None
        self._sink.stdin.write("\n")
        self._sink.stdin.flush()
        return int(self._sink.stdout.readline())

    def mails(self, count: int, sessions: int) -> list[list[bytes]]:
        """Moves for each session, on boards of its own that nobody has moved on."""
        work = []
        for _ in range(sessions):
            own: list[bytes] = []
            while len(own) < count // sessions:
                many = min(world.CELLS, count // sessions - len(own))
                own += world.mails(self._next, (self._next - 1) % 50, many)
                self._next += 1
            work.append(own)
        assert self._next <= self.boards, "more boards"
        return work

    def turns(self) -> int:
        """How many turns of bots wait."""
        with closing(Store(self._database, read_only=True)) as store, store.transaction() as tx:
            return len(tx.of(Bots).turns(10_000))

    def spent(self) -> Spent:
        """The processor time that it has used."""
        return spent(self._process.pid)

    def peak(self) -> float:
        """The most memory that it has used, in MiB."""
        found = re.search(r"VmHWM:\s+(\d+)", self._about("status"))
        return int(found[1]) / 1024 if found else 0.0

    def written(self) -> int:
        """Bytes that it has had written to disk."""
        found = re.search(r"(?m)^write_bytes: (\d+)", self._about("io"))
        return int(found[1]) if found else 0

    def _about(self, what: str) -> str:
        return Path(f"/proc/{self._process.pid}/{what}").read_text()
