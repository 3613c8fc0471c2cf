"""The process that thinks gives way to all else."""

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
