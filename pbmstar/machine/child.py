"""Child processes: each ends with its parent, even if the parent is killed; one kind of them computes.

On Linux the kernel kills the process when the *thread* that started it has ended: this thread must live as
long as the process. On other systems a thread of the process looks if its parent is still the same.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from .times import Seconds

_PARENT = "--parent="
_PR_SET_PDEATHSIG = 1
_PERIOD = 1.0  # seconds between two looks
_LONGEST = 1 << 20  # bytes of an answer


def child_of_ours() -> str:
    """Return the word of a command that tells the new process its parent."""
    return f"{_PARENT}{os.getpid()}"


def end_with_parent(words: Sequence[str]) -> None:
    """Let this process end with the parent that the words of its command name, if they name one."""
    parent = next((int(w.removeprefix(_PARENT)) for w in words if w.startswith(_PARENT)), None)
    if parent is None:
        return
    if not _killed_by_the_kernel():
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # the parent had ended before we asked the kernel
        os._exit(0)


def _killed_by_the_kernel() -> bool:
    """Ask the kernel to kill us with our parent; return False if it cannot."""
    if sys.platform != "linux":
        return False
    try:
        done: int = ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    except (OSError, AttributeError):
        return False
    return done == 0


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PERIOD)
    os._exit(0)


class ChildDown(Exception):
    """The process has ended, takes too long, or gives no valid answer. The text is for the log."""


class ChildLate(ChildDown):
    """The process takes too long."""


class Child:
    """A computing process, started by the first question: a JSON line goes in, and one comes back.

    It has no environment, knows no store and no network, and ends when its standard input does. One
    thread uses it, except for ``stop``, and must live until it has called ``close``.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command, self._environment = list(command), dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def ask(self, request: Mapping[str, Any], patience: Seconds) -> dict[str, Any]:
        """Return the answer to a request within ``patience`` seconds.

        Raises ChildDown: then the process is gone.
        """
        try:
            return self._ask(request, patience)
        except ChildDown:
            self.close()
            raise

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # requests that it did not read are lost
                    pipe.close()  # type: ignore[union-attr]

    def stop(self) -> None:
        """Let every question, open or later, end with ChildDown. Any thread may call this."""
        self._stopped = True
        if (process := self._process) is not None:
            process.kill()

    def _ask(self, request: Mapping[str, Any], patience: Seconds) -> dict[str, Any]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        until = time.monotonic() + patience
        answer = b""
        try:
            process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            process.stdin.flush()
            pipe = process.stdout.fileno()
            while not answer.endswith(b"\n"):
                ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
                if not ready:
                    raise ChildLate(f"no answer in {patience:.0f} seconds")
                piece = os.read(pipe, 65536)
                if not piece or len(answer) > _LONGEST:
                    raise ChildDown(f"ended with status {process.wait(1)}")
                answer += piece
            known = json.loads(answer)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            raise ChildDown(type(error).__name__) from None
        if not isinstance(known, dict) or "error" in known:
            raise ChildDown(str(known)[:200])
        return known

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = self._process = subprocess.Popen(
                [*self._command, child_of_ours()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self._environment,
                cwd="/",
            )
        except OSError as error:
            raise ChildDown(f"cannot be started: {error.strerror}") from None
        if self._stopped:  # ``stop`` came before the process was there
            process.kill()
        return process
