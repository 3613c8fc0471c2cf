"""Compare this tree with another: ``python tests/bench/against.py TREE PYTHON`` prints a table as Markdown.

TREE is a checkout of another commit, such as that of ``git worktree add``. PYTHON is the program of an
environment in which it is installed with ``pip install -e``. Each tree's own benchmark drives its daemon,
with pictures and bots off. The daemons take turns within one run, and each figure is a median of the
rounds. A ratio above 1 of the rates is a gain of this tree, one above 1 of the times a loss.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

HERE = Path(__file__).resolve()
FIGURES = (
    "moves accepted a second",
    "moves a second, both letters delivered",
    "ms of processor time a move: dialogue and reading",
    "ms of processor time a move: transactions",
    "ms of processor time a move: both letters",
)


def serve(tree: Path, boards: int) -> None:
    """Start the daemon of a tree; for each line with mails and sessions print the five figures."""
    sys.path[:1] = [str(tree / "tests/bench"), str(tree / "tests")]
    import served
    from servers import Daemon

    with tempfile.TemporaryDirectory() as folder:
        # As an installed program has them, whatever is set here.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        with Daemon(Path(folder) / "spool", boards, pictures="off", bots="0") as daemon:
            served.played(daemon, 300, 10)
            print("ready", flush=True)
            for line in sys.stdin:
                mails, sessions = map(int, line.split())
                before = daemon.spent()
                played, _ = served.played(daemon, mails, sessions)
                times = [b - a for a, b in zip(before, daemon.spent(), strict=True)]
                print(*played, *(1000 * each / mails for each in times), flush=True)


class Side:
    """A tree, and the process that drives its daemon."""

    def __init__(self, tree: Path, python: str, boards: int) -> None:
        command = (python, str(HERE), str(tree), python, "--serve", str(boards))
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._answer()

    def round(self, mails: int, sessions: int) -> list[float]:
        """Return the figures of one round."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{mails} {sessions}\n")
        self.process.stdin.flush()
        return [float(each) for each in self._answer().split()]

    def close(self) -> None:
        """End the process and its daemon."""
        self.process.communicate()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the daemon has ended"
        return line


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("python")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mails", type=int, default=1500, help="of each tree in a round")
    parser.add_argument("--serve", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.tree.resolve(), options.serve)
        return
    boards = 2 * (options.rounds + 1) * (options.mails // 10 + 100)
    print("| what | | other | this | this of other |\n|---|---|---|---|---|")
    with ExitStack() as opened:
        sides = []
        for tree, python in ((options.tree, options.python), (HERE.parents[2], sys.executable)):
            sides.append(Side(tree, python, boards))
            opened.callback(sides[-1].close)
        for sessions in (10, 50):
            found: list[list[list[float]]] = [[], []]
            for turn in range(options.rounds):
                for which in ((0, 1), (1, 0))[turn % 2]:  # neither is always the first
                    found[which].append(sides[which].round(options.mails, sessions))
            other, this = (
                [statistics.median(each) for each in zip(*rounds, strict=True)] for rounds in found
            )
            for what, before, now in zip(FIGURES, other, this, strict=True):
                print(
                    f"| {what} | {sessions} sessions | {before:.2f} | {now:.2f} "
                    f"| **{now / before:.2f}** |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
