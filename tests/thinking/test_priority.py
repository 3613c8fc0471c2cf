"""The process that thinks gives way to all else, and ends with the server."""

from __future__ import annotations

import os
import subprocess

from harness.server import until

from pbmstar.thinking.thinker import COMMAND


def test_what_thinks_runs_when_nothing_else_wants_to() -> None:
    """Niceness alone left the server three quarters of its rate on two cores."""
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "--interpreted"], stdin=pipe, stdout=pipe) as child:
        assert child.stdin is not None
        # Not asked for a move: where other tests have all cores, that may be long in coming.
        until(lambda: os.sched_getscheduler(child.pid) == os.SCHED_IDLE, "low priority")
        child.stdin.close()


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
