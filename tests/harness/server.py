"""A real pbmstar: the daemon in a process of its own, and the program on the same configuration."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from reference.meanings import not_named

from harness.ready import PBMSTAR, Process, Run, python, ready

PATIENCE = 240.0  # seconds until something must have happened, on a busy machine too
T = TypeVar("T")


def until(question: Callable[[], T], what: str = "answer", seconds: float = PATIENCE) -> T:
    """Ask until there is an answer that is true, and return it. Raises AssertionError.

    It asks more rarely the longer it waits, since many a question takes the processor from what it waits for.
    """
    began = time.monotonic()
    while not (answer := question()):
        waited = time.monotonic() - began
        assert waited < seconds, f"in {seconds} s: no {what}"
        time.sleep(min(max(0.005, waited / 50), 0.05))
    return answer


def free_port() -> int:
    """A port of loopback that nobody listens on just now.

    It lies below those that connections go out from: none of them can take it while a server is down.
    """
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(10_000, first)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def children(pid: int, word: str = "") -> list[int]:
    """The processes that a process has started and that run, with that word in their command."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                with suppress(OSError):
                    if word.encode() in Path(f"/proc/{child}/cmdline").read_bytes():
                        found.append(int(child))
    return found


class Server:
    """``pbmstar`` in a folder; use it in a with statement, which ends its daemon.

    words  stand before every command; keys  are those of the configuration, by the environment.
    The port is the same after each start.
    """

    def __init__(self, folder: Path, *words: str, **keys: str) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.spool, self.port = folder, folder / "spool", free_port()
        self.database = keys.get("database") or f"sqlite:///{self.spool}/pbmstar.db"
        # Bots only where a test asks for them: each daemon would compile their engine for its own spool.
        settings = {"listen": f"127.0.0.1:{self.port}", "bots": "0"}
        settings |= {key: value for key, value in keys.items() if value}
        mine = {
            name: value for name, value in os.environ.items() if not name.startswith("PBMSTAR_")
        }
        self.environment = mine | {
            f"PBMSTAR_{key.upper()}": value for key, value in settings.items()
        }
        self.log = folder / "log"
        self.process: Process | None = None
        self._words, self._lmtp = words, keys.get("lmtp", "").removeprefix("unix:")

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.kill()
        if kind is None and self.log.exists():  # each line is as docs/reference/log.md says
            unknown = [each for line in self._lines() for each in not_named(line)]
            assert not unknown, unknown

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The lines of its log; one that was cut off by a kill is none."""
        for line in self.log.read_text().splitlines():
            with suppress(ValueError):
                yield json.loads(line)

    # -- the daemon

    def begin(
        self, program: Sequence[str] = PBMSTAR, log: Path | None = None, truly: bool = False
    ) -> None:
        """Start the daemon, and return at once.

        It is a fork of what has its modules loaded, or ``truly`` a program started anew.
        """
        command = (*program, *self._words, "serve")
        with open(os.devnull, "wb") as nothing, open(log or self.log, "ab") as errors:
            self.process = python(command, self.environment, self.folder, (nothing, errors), truly)

    def start(
        self, program: Sequence[str] = PBMSTAR, log: Path | None = None, truly: bool = False
    ) -> Server:
        """Start the daemon and wait until it listens."""
        self.begin(program, log, truly)
        return self.await_start()

    def await_start(self) -> Server:
        """Wait until it listens."""
        until(self._answers, "daemon")
        return self

    def _answers(self) -> bool:
        assert self.process is not None and self.process.poll() is None, self.log.read_text()
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), PATIENCE).close()
            return not self._lmtp or Path(self._lmtp).exists()
        return False

    @property
    def pid(self) -> int:
        """Of the daemon."""
        assert self.process is not None
        return self.process.pid

    def child(self) -> int:
        """The process that speaks to the relay; 0 if there is none."""
        return next(iter(children(self.pid)), 0)

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None

    def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.kill()

    def logged(self, event: str) -> list[dict[str, Any]]:
        """The lines of its log about an event."""
        return [line for line in self._lines() if line.get("event") == event]

    # -- the program

    def run(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run ``pbmstar`` with these words, in a fork of what has its modules loaded."""
        status, said, errors = self.hold(*words, stdin=stdin).go().end()
        return subprocess.CompletedProcess(words, status, said, errors)

    def hold(self, *words: str, stdin: bytes = b"") -> Run:
        """Return a process that will run ``pbmstar`` with these words when it may."""
        words = (*self._words, *words)
        return ready().hold(*words, environment=self.environment, folder=self.folder, stdin=stdin)

    def says(self, *words: str) -> str:
        """What it prints; it must succeed."""
        done = self.run(*words)
        assert done.returncode == 0, done
        return done.stdout.decode()

    def json(self, *words: str) -> Any:
        """The same with ``--json``."""
        return json.loads(self.says(*words, "--json"))

    def add(self, *userids: str) -> list[str]:
        """Open accounts with the password s3cret; returns their addresses."""
        homes = [f"{userid}@{userid}.example" for userid in userids]
        for userid, home in zip(userids, homes, strict=True):
            words = ("admin", "user", "add", userid, home, "--password", "s3cret")
            self.says(*words, "--no-letter")
        return homes
