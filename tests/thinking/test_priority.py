"""The process that thinks gives way to all else, and ends with the server."""

from __future__ import annotations

import json
import os
import subprocess

from pbmstar.thinking.thinker import COMMAND


def test_what_thinks_runs_when_nothing_else_wants_to() -> None:
    """Niceness alone left the server three quarters of its rate on two cores."""
    request = {"game": "star", "options": '{"size": 3}', "moves": ["B2"], "level": 1, "seed": 1}
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "--interpreted"], stdin=pipe, stdout=pipe) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps(request).encode() + b"\n")
        child.stdin.flush()
        assert "move" in json.loads(child.stdout.readline())
        assert os.sched_getscheduler(child.pid) == os.SCHED_IDLE
        child.stdin.close()


def test_what_thinks_ends_in_silence_when_the_server_was_killed() -> None:
    """It is in the middle of an answer that nobody will read: no trace in the log."""
    pipe = subprocess.PIPE
    command = [*COMMAND, "--interpreted"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        child.stdin.write(b"{}\n")
        child.stdin.close()
        assert child.stderr.read() == b""
