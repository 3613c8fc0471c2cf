"""Processor time of commands at the prompt, one process each; beside another checkout in the same run.

    python tests/bench/prompt.py [CHECKOUT]

Prints for each command the least of several runs, in seconds of processor time, of this checkout; with
CHECKOUT also of that one, and the ratio. The runs take turns, so other work on the machine troubles both alike.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent.parent.parent
RUNS = 7
COMMANDS = (
    "--version",
    "--help",
    "admin --help",
    "config",
    "admin status",
    "admin user list",
    "admin user show alice",
    "admin board list",
    "admin outbox list",
    "admin quarantine list",
    "admin outage list",
    "admin audit",
    "admin suppress list",
    "admin bot list",
    "admin league list",
    "admin ladder list",
    "admin top",
    "admin user close --help",
)


def seconds(checkout: Path, words: list[str], spool: str) -> float:
    """Return the processor time of one command, with all its imports."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "pbmstar", *words],
        cwd=spool,
        env={**os.environ, "PYTHONPATH": str(checkout), "PBMSTAR_SPOOL": spool},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main(others: list[Path]) -> None:
    """Print a line for each command."""
    checkouts = [HERE, *others]
    with tempfile.TemporaryDirectory() as folder:
        spools = {}
        for number, checkout in enumerate(checkouts):
            spools[checkout] = spool = f"{folder}/{number}"
            Path(spool).mkdir()
            open_account = ["admin", "user", "add", "alice", "alice@example.org"]
            seconds(checkout, [*open_account, "--password", "corn-harvest-7"], spool)
            for words in COMMANDS:  # its modules are compiled then
                seconds(checkout, words.split(), spool)
        for words in COMMANDS:
            runs = [
                [seconds(each, words.split(), spools[each]) for each in checkouts]
                for _ in range(RUNS)
            ]
            least = [min(times) for times in zip(*runs, strict=True)]
            figures = "  ".join(f"{each:6.3f} s" for each in least)
            ratio = f"  {least[0] / least[1]:5.2f}" if others else ""
            print(f"{words:<26}{figures}{ratio}", flush=True)


if __name__ == "__main__":
    main([Path(each).absolute() for each in sys.argv[1:]])
