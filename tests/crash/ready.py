"""Runs ``pbmstar`` in forks of itself, whose modules are loaded already: a fault each costs little.

A line of JSON on standard input for each run: {"words": [...], "stdin": FILE}. The fork's process id
comes back at once; it begins when its file "FILE.go" is there, and its exit status comes as well.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pbmstar.cli.main as program
from pbmstar.cli import shared  # noqa: F401
from pbmstar.delivery import dispatch as delivery  # noqa: F401
from pbmstar.service.upkeep import rounds  # noqa: F401
from pbmstar.store import database  # noqa: F401


def run(words: list[str], stdin: str) -> None:
    """One command, in this process; does not return."""
    for number, path in enumerate((stdin, f"{stdin}.out", f"{stdin}.err")):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(path, flags, 0o600), number)
    go = Path(f"{stdin}.go")
    while not go.exists():
        time.sleep(0.001)
    status = 0
    try:
        program.main(args=words, prog_name="pbmstar")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 70
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def main() -> None:
    """Until standard input ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        pid = os.fork()
        if not pid:
            run(asked["words"], asked["stdin"])
        print(pid, flush=True)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
