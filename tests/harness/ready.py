"""``pbmstar`` in forks of a process that has its modules loaded: to start one costs little.

Run as a program it is that process. Of each line of JSON on standard input, {"words": [...], "file": INPUT,
"folder": ..., "environment": {...}}, it makes a fork, and prints its process id at once, and its exit
status later. The fork begins when there is a file "INPUT.go".
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

MODULES = ("cli.main", "cli.shared", "delivery.courier", "service.upkeep.rounds", "store.database")


class Ended(NamedTuple):
    """How a run ended: exit status, or the negative number of a signal; what it said, and its troubles."""

    status: int
    said: bytes = b""
    errors: bytes = b""

    @property
    def output(self) -> str:
        """All that it said."""
        return (self.said + self.errors).decode()

    @property
    def as_usual(self) -> bool:
        """Whether it went as it does without a fault: what it said are lines of the log, of no trouble."""
        calm = all('"level": "info"' in line for line in self.output.splitlines())
        return self.status == 0 and calm


class Run:
    """A fork that may begin, until it has ended."""

    def __init__(self, ready: Ready, pid: int, file: Path) -> None:
        self._ready, self.pid, self._file = ready, pid, file

    def go(self) -> None:
        """Let it begin."""
        Path(f"{self._file}.go").touch()

    def is_over(self) -> bool:
        """True once it has ended."""
        return not Path(f"/proc/{self.pid}").exists()

    def kill(self) -> None:
        """kill -9, unless it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> Ended:
        """Wait for its end."""
        status = self._ready.number()
        said, errors = (Path(f"{self._file}.{kind}") for kind in ("out", "err"))
        return Ended(status, said.read_bytes(), errors.read_bytes())


class Ready:
    """The process. It has one fork at a time."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pbmstar-ready-"))
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._forks, self._told = 0, 0

    def number(self) -> int:
        """Return what it says next: a process id, or a status."""
        assert self._process.stdout is not None
        self._told += 1
        return int(self._process.stdout.readline())

    def begin(
        self, *words: str, environment: Mapping[str, str], folder: Path, stdin: bytes = b""
    ) -> Run:
        """Return a fork that will run ``pbmstar`` with these words."""
        assert self._told == 2 * self._forks, "another has not ended"
        self._forks += 1
        file = self._folder / "input"
        for each in self._folder.iterdir():
            each.unlink()
        file.write_bytes(stdin)
        asked = {"words": words, "file": str(file), "folder": str(folder)}
        assert self._process.stdin is not None
        print(json.dumps({**asked, "environment": dict(environment)}), file=self._process.stdin)
        self._process.stdin.flush()
        return Run(self, self.number(), file)

    def close(self) -> None:
        """End it."""
        self._process.communicate()
        shutil.rmtree(self._folder)


@cache
def ready() -> Ready:
    """Return the one of this process of tests."""
    made = Ready()
    atexit.register(made.close)
    return made


def _run(words: list[str], file: str, environment: dict[str, str], folder: str) -> NoReturn:
    """Run one command, in this process."""
    for number, path in enumerate((file, f"{file}.out", f"{file}.err")):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(path, flags, 0o600), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    go = Path(f"{file}.go")
    while not go.exists():
        time.sleep(0.001)
    status = 0
    try:
        import_module("pbmstar.cli.main").main(args=words, prog_name="pbmstar")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 70
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def main() -> None:
    """Fork until standard input ends."""
    for name in MODULES:
        import_module(f"pbmstar.{name}")
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            _run(**json.loads(line))
        print(pid, flush=True)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
