"""Compare this tree with another: ``python tests/bench/against.py TREE PYTHON`` prints a table as Markdown.

TREE is a checkout of another commit, such as that of ``git worktree add``. PYTHON is the program of an
environment in which it is installed with ``pip install -e``. Each tree's own benchmark drives its daemon,
with bots off; boards in letters are pictures only with ``--pictures``. There are four kinds of moves: each
board has players of its own, or two players have fifty boards; and nothing stands below the move, or twelve
lines of words. The daemons take turns within one run, and each figure is a median of the rounds. A ratio
above 1 of the rates is a gain of this tree, one above 1 of the times a loss.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve()
BOARDS = 50  # of a round
WORDS = 12  # lines below a move
FIGURES = (
    "moves accepted a second",
    "moves a second, both letters delivered",
    "letters a second, of those that wait when all moves are accepted",
    "ms of processor time a move: dialogue and reading",
    "ms of processor time a move: transactions",
    "ms of processor time a letter",
)


def serve(tree: Path, of_a_pair: int, rounds: int, pictures: str) -> None:
    """Start the daemon of a tree; for each line with mails, sessions and words print the six figures.

    Each pair of players has ``of_a_pair`` boards. Each round has boards of its own, on which nobody has moved.
    """
    sys.path[:1] = [str(tree / "tests/bench"), str(tree / "tests")]
    import load
    import world
    from servers import Daemon

    pairs = rounds * BOARDS // of_a_pair
    world.fill = partial(world.fill, players=2 * pairs)

    def mails(turn: int, count: int, sessions: int, words: int) -> list[list[bytes]]:
        """Moves for each session: one on each of its boards, then the next."""
        first, own = turn * BOARDS // of_a_pair, BOARDS // of_a_pair  # pairs
        played = []
        for n in range(BOARDS):
            pair = first + n % own
            made = world.mails(pair + n // own * pairs + 1, pair, count // BOARDS)
            played.append([_saying(each, words) for each in made])
        return [
            [each for moves in zip(*played[n::sessions], strict=True) for each in moves]
            for n in range(sessions)
        ]

    with tempfile.TemporaryDirectory() as folder:
        # As an installed program has them, whatever is set here.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        with Daemon(
            Path(folder) / "spool", pairs * of_a_pair, pictures=pictures, bots="0"
        ) as daemon:
            print("ready", flush=True)
            for turn, line in enumerate(sys.stdin):
                count, sessions, words = map(int, line.split())
                work = mails(turn, count, sessions, words)
                before, letters, begun = daemon.spent(), daemon.letters(), time.perf_counter()
                run = load.run(daemon.port, world.ADDRESS, work)
                waiting, accepted = letters + 2 * run.mails - daemon.letters(), time.perf_counter()
                while daemon.letters() < letters + 2 * run.mails:
                    time.sleep(0.002)
                ended = time.perf_counter()
                rates = run.rate, run.mails / (ended - begun), waiting / (ended - accepted)
                times = [b - a for a, b in zip(before, daemon.spent(), strict=True)]
                a_move = [1000 * each / run.mails for each in times]
                print(*rates, *a_move[:2], a_move[2] / 2, flush=True)


def _saying(mail: bytes, words: int) -> bytes:
    """Return a mail with so many lines of words instead of its own, other ones in each mail."""
    head, _, _ = mail.partition(b"\r\n\r\n")
    told = head.split(b"Message-ID: <")[1].split(b"@")[0].decode()
    lines = [
        f"In {told} I tell you {n} things about the game, as people write." for n in range(words)
    ]
    return b"\r\n".join([head, b"", *(line.encode() for line in lines), b""])


class Side:
    """A tree, and the process that drives its daemon."""

    def __init__(
        self, tree: Path, python: str, of_a_pair: int, rounds: int, pictures: bool
    ) -> None:
        command = (python, str(HERE), str(tree), python, "--serve", str(of_a_pair))
        command += ("--rounds", str(rounds), *(["--pictures"] if pictures else []))
        # A daemon imports what lies in the folder where it starts: not this tree for the other one.
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tree
        )
        self._answer()

    def round(self, mails: int, sessions: int, words: int) -> list[float]:
        """Return the figures of one round."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{mails} {sessions} {words}\n")
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
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--pictures", action="store_true", help="boards in letters are pictures")
    parser.add_argument("--serve", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        pictures = "on" if options.pictures else "off"
        serve(options.tree.resolve(), options.serve, options.rounds, pictures)
        return
    print("| what | | other | this | this of other |\n|---|---|---|---|---|")
    trees = ((options.tree.resolve(), options.python), (HERE.parents[2], sys.executable))
    for of_a_pair, players in ((1, "own players"), (BOARDS, f"two with {BOARDS} boards")):
        with ExitStack() as opened:
            sides = []
            for tree, python in trees:
                sides.append(
                    Side(tree, python, of_a_pair, 2 * options.rounds + 1, options.pictures)
                )
                opened.callback(sides[-1].close)
                sides[-1].round(options.mails, options.sessions, WORDS)  # it warms up
            for words in (0, WORDS):
                found: list[list[list[float]]] = [[], []]
                for turn in range(options.rounds):
                    for which in ((0, 1), (1, 0))[turn % 2]:  # neither is always the first
                        figures = sides[which].round(options.mails, options.sessions, words)
                        found[which].append(figures)
                other, this = (
                    [statistics.median(each) for each in zip(*rounds, strict=True)]
                    for rounds in found
                )
                for what, before, now in zip(FIGURES, other, this, strict=True):
                    print(
                        f"| {what} | {players}, {words} lines | {before:.2f} | {now:.2f} "
                        f"| **{now / before:.2f}** |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
