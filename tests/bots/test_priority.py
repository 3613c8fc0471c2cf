"""The process that thinks gives way to all else, and ends with the server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from harness.server import children, until

from pbmstar.thinking.worker import COMMAND


def test_what_thinks_runs_when_nothing_else_wants_to() -> None:
    """Niceness alone left the server three quarters of its rate on two cores."""
    with subprocess.Popen([*COMMAND, "--interpreted"], stdin=subprocess.DEVNULL) as child:
        # Nobody asks it for a move. It has ended, and keeps its priority until somebody asks how.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert os.sched_getscheduler(child.pid) == os.SCHED_IDLE


def test_what_thinks_ends_in_silence_when_the_server_was_killed() -> None:
    """It is in the middle of an answer that nobody will read: no trace in the log."""
    pipe = subprocess.PIPE
    command = [*(word for word in COMMAND if word != "--idle"), "--interpreted"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        child.stdin.write(b"{}\n")
        child.stdin.close()
        assert child.stderr.read() == b""


THINKS = """
from pbmstar.machine.child import Child
from pbmstar.thinking.worker import COMMAND
words = [word for word in COMMAND if word != "--idle"]
whole = Child([*words, *sys.argv[2:]], {"NUMBA_CACHE_DIR": sys.argv[1]})
options, moves = '{"rings": 10}', ["*10"]
request = {"game": "*star", "options": options, "moves": moves, "playouts": 10**9, "seed": 1}
work = partial(whole.ask, request, 99.0)
"""
DELIVERS = """
from pbmstar import config
from pbmstar.delivery.process import LetterWriters
whole = LetterWriters(config.load({"spool": sys.argv[1], "relay": "smtp://127.0.0.1:9"}, {}))
work = whole.open
"""
PARENT = """
import sys, threading, time
from contextlib import suppress
from functools import partial
%s
def begin():
    with suppress(Exception):
        work()
    time.sleep(99)

threading.Thread(target=begin).start()
"""


def is_running(pid: int) -> bool:
    """Whether a process works: one that has ended may wait for somebody who asks how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ticks(pid: int) -> int:
    """The processor time that a process has used, in ticks."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "words"),
    [(THINKS, ["--interpreted"]), (THINKS, []), (DELIVERS, [])],
    ids=["interpreted", "compiled", "delivery"],
)
def test_no_process_outlives_the_one_that_was_killed(
    kind: str, words: list[str], tmp_path: Path
) -> None:
    """In the middle of a search of minutes: it neither reads its input nor says anything."""
    command = [sys.executable, "-c", PARENT % kind, str(tmp_path), *words]
    with subprocess.Popen(command) as parent:
        (child,) = until(lambda: children(parent.pid), "the child")
        if kind == THINKS:  # beyond its imports
            until(lambda: ticks(child) > 100, "the search")
        else:
            until((tmp_path / "relay.lock").exists, "its start")
        assert is_running(child)
        os.kill(parent.pid, signal.SIGKILL)
    until(lambda: not is_running(child), "its end")


def test_it_ends_at_once_if_the_one_that_starts_it_is_gone_already() -> None:
    """Nobody tells it: the kernel would, had it been asked a moment before."""
    command = [*COMMAND, "--interpreted", f"--parent={os.getppid()}"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as child:
        assert child.wait(600) == 0
