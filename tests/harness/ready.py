"""Python in forks of a process that has pbmstar's modules and templates loaded: to start one costs little.

Run as a program it is that process. Its standard input is a socket. To each message there it answers with a
number: the process id of a new fork, which gets the descriptors that come with the message; or the exit
status of a fork that has ended. When nobody is left to ask, it kills the forks that run.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

MODULES = (
    *("pbmstar.cli.main", "pbmstar.cli.shared", "pbmstar.service.upkeep.rounds"),
    *("pbmstar.cli.admin", "pbmstar.render.picture.png", "pbmstar.smtp.server", "alembic.command"),
    *("psycopg", "sqlalchemy.dialects.postgresql.psycopg"),
)
# What the letters about a board are made of, as text and as HTML: to compile it takes longer than all else that
# is done for a mail. A fork compiles others itself.
TEXTS, HTMLS = ("kit.txt", "board.txt"), ("kit.html", "board.html")
PBMSTAR = ("-m", "pbmstar")
_MOST = 1 << 20  # bytes of a message


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


class Fork:
    """One fork, with names as ``subprocess.Popen`` has them. Threads may share it."""

    def __init__(self, ready: Ready, pid: int) -> None:
        self._ready, self.pid = ready, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit status, or the negative number of a signal; None while it runs."""
        return self._look(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the same when it has ended. Raises subprocess.TimeoutExpired."""
        status = self._look(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("fork", timeout or 0.0)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """kill -9."""
        self.send_signal(signal.SIGKILL)

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and self._has_ended(seconds):
            self._ready.bury(self)
        return self.returncode

    def _has_ended(self, seconds: float | None) -> bool:
        """Wait at most so long for its end; ``ready`` cannot wait, since others ask it too."""
        try:
            watched = os.pidfd_open(self.pid)
        except ProcessLookupError:  # another thread has asked for its status
            return True
        try:
            return bool(select.select([watched], [], [], seconds)[0])
        finally:
            os.close(watched)


Process = subprocess.Popen[bytes] | Fork


class Run(Fork):
    """A fork that may begin to run ``pbmstar``, and has its output kept."""

    def __init__(self, ready: Ready, pid: int, gate: int, output: Sequence[IO[bytes]]) -> None:
        super().__init__(ready, pid)
        self._gate, self._output = gate, output

    def go(self) -> Run:
        """Let it begin."""
        os.close(self._gate)
        return self

    def end(self) -> Ended:
        """Wait for its end."""
        status, kept = self.wait(), []
        for file in self._output:
            with file:
                file.seek(0)
                kept.append(file.read())
        return Ended(status, *kept)


class Ready:
    """The process that is forked. Threads may share it."""

    def __init__(self) -> None:
        self._asked, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__], stdin=theirs.fileno(), stdout=subprocess.DEVNULL
            )
        self._lock = threading.Lock()

    def begin(
        self,
        program: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        output: Sequence[IO[bytes]],
    ) -> Fork:
        """Return a fork that does as ``python PROGRAM...``: ``-m`` with a module, or a file, and words."""
        with open(os.devnull, "rb") as nothing:
            files = [nothing.fileno(), *(file.fileno() for file in output)]
            return Fork(self, self._fork(program, environment, folder, files))

    def at_terminal(self, *words: str, environment: Mapping[str, str], terminal: int) -> Fork:
        """Return a fork that runs ``pbmstar`` with these words at an open terminal."""
        program = (*PBMSTAR, *words)
        return Fork(self, self._fork(program, environment, Path.cwd(), [terminal] * 3))

    def hold(
        self, *words: str, environment: Mapping[str, str], folder: Path, stdin: bytes = b""
    ) -> Run:
        """Return a fork that will run ``pbmstar`` with these words when it may."""
        output = [tempfile.TemporaryFile() for _ in range(2)]  # noqa: SIM115 - closed at its end
        closed, gate = os.pipe()
        with tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            files = [given.fileno(), *(file.fileno() for file in output), closed]
            pid = self._fork((*PBMSTAR, *words), environment, folder, files)
        os.close(closed)
        return Run(self, pid, gate, output)

    def bury(self, fork: Fork) -> None:
        """Let a fork that has ended know how; afterwards its process id may be another's."""
        with self._lock:
            if fork.returncode is None:
                fork.returncode = self._answer({"ended": fork.pid})

    def close(self) -> None:
        """End it, and all forks."""
        self._asked.close()
        self._process.wait()

    def _fork(
        self,
        program: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        files: Sequence[int],
    ) -> int:
        """Fork; the files are standard input, output, errors and, if there is one more, the gate."""
        told = {"program": program, "environment": dict(environment), "folder": str(folder)}
        with self._lock:
            return self._answer(told, files)

    def _answer(self, told: Mapping[str, object], files: Sequence[int] = ()) -> int:
        socket.send_fds(self._asked, [json.dumps(told).encode()], files)
        return int(self._asked.recv(_MOST))


@cache
def ready() -> Ready:
    """Return the one of this process of tests."""
    made = Ready()
    atexit.register(made.close)
    return made


def python(
    program: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    output: Sequence[IO[bytes]],
    truly: bool = False,
) -> Process:
    """Begin what ``python PROGRAM...`` does: in a fork, or ``truly`` as a program started anew.

    The output are the files for standard output and errors.
    """
    if not truly:
        return ready().begin(program, environment, folder, output)
    said, errors = output
    return subprocess.Popen(
        [sys.executable, *program],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=errors,
    )


def serve() -> list[str]:
    """Return in each fork its program; return nothing when there is nobody left to ask."""
    running = set[int]()
    asked = socket.socket(fileno=sys.stdin.fileno())
    while True:
        text, files, _, _ = socket.recv_fds(asked, _MOST, 4)
        told = json.loads(text or "{}")
        if "program" in told:
            answer = os.fork()
            if not answer:
                asked.detach()
                take(files, told["environment"], told["folder"])
                return list(told["program"])
            running.add(answer)
        elif told:
            running.remove(told["ended"])
            answer = os.waitstatus_to_exitcode(os.waitpid(told["ended"], 0)[1])
        else:
            break
        for file in files:
            os.close(file)
        asked.send(b"%d" % answer)
    for pid in running:
        os.kill(pid, signal.SIGKILL)
    return []


def take(files: Sequence[int], environment: Mapping[str, str], folder: str) -> None:
    """Take up what a new process is given, and wait at its gate."""
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for gate in files[3:]:
        os.read(gate, 1)
    for file in files:
        os.close(file)


class End:
    """The end of a fork: all that Python does at an end, except for clearing the memory, which takes longest."""

    def __init__(self) -> None:
        """Make it before modules are loaded: what is to be done at exit is done in reverse order."""
        self.status: int | None = None
        atexit.register(self._leave)

    def _leave(self) -> None:
        if self.status is not None:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            except OSError:
                self.status = 120
            os._exit(self.status)


def run(program: Sequence[str]) -> int:
    """Do as ``python PROGRAM...``; return the exit status."""
    try:
        match program:
            case ["-m", module, *words]:
                sys.path[0], sys.argv = str(Path.cwd()), [module, *words]
                runpy.run_module(module, run_name="__main__", alter_sys=True)
            case [file, *words]:
                sys.path[0], sys.argv = str(Path(file).parent), [file, *words]
                runpy.run_path(file, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def load() -> None:
    """Load what the forks share."""
    for name in MODULES:
        import_module(name)
    parts, pages = import_module("pbmstar.parts"), import_module("pbmstar.render.pages")
    for part in ("rows", "facts", "feature"):
        parts.modules(part)
    # The forks find these, as long as their files stay as they are.
    letters: Any = import_module("pbmstar.render.letters")
    letters.Environments = import_module("quick").reading_once()  # it lies beside this program
    (folder,) = pages.folders(None, "templates")
    folders = [folder, *pages.of_features(folder)]
    for names, is_html in ((TEXTS, False), (HTMLS, True)):
        environment = letters.Environments(folders, is_html)["en"]
        for name in names:
            environment.get_template(name)


def main() -> None:
    """Be ready, and run in each fork its program."""
    end = End()
    load()
    if program := serve():
        end.status = run(program)


if __name__ == "__main__":
    main()
