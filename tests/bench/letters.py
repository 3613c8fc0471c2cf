"""The cost of letters here and in another tree: ``python tests/bench/letters.py TREE PYTHON`` prints a table.

TREE is a checkout of another commit, PYTHON the program of an environment that has what it needs. In each tree
an office with pictures gets the same mails, and its letters are kept as they lie in the outbox. Two processes,
one for each tree, take turns at writing them. A figure is the least processor time of a letter in all rounds,
without the dialogue with a relay. Boards that were drawn in the round before are remembered, but for those of
``fresh``, which are too many: so most rows are about words, and ``against.py --pictures`` about what drawing
costs in life. A ratio above 1 is a loss of this tree. The last rows weigh the letter to the player who moves
next, as it is sent, at the beginning of a game and later.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
CELLS = [
    "D4",
    "C4",
    "D5",
    "C5",
    "E4",
    "C6",
    "E5",
    "D6",
    "F4",
    "C7",
    "F5",
    "D7",
    "G4",
    "E7",
    "G5",
    "E8",
]
BOARDS = 10
WEIGHED: dict[str, tuple[str, dict[str, int], int]] = {
    "Star 6, move 3": ("star", {"size": 6}, 2),
    "Star 6, move 21": ("star", {"size": 6}, 20),
    "Star 14, move 3": ("star", {"size": 14}, 2),
    "Star 14, move 121": ("star", {"size": 14}, 120),
    "*Star 10, move 3": ("*star", {"rings": 10}, 2),
    "*Star 10, move 121": ("*star", {"rings": 10}, 120),
}


def talk(of: object) -> str:
    """Return words of eight lines."""
    return "\n".join(
        f"{of}, {n}: a line of talk about the game, as people write." for n in range(8)
    )


def kept(folder: Path) -> dict[str, list[bytes]]:
    """Return letters of the tree that is imported, as they lie in its outbox, by their kind."""
    from harness.office import PASSWORD, Office

    from pbmstar.delivery.configured import Written
    from pbmstar.render.letters import Renderer
    from pbmstar.render.recipe import Recipe

    found: list[bytes] = []

    class Keeper(Renderer):
        """It keeps what it writes."""

        def write(self, recipe: Recipe) -> bytes:
            found.append(recipe.to_bytes())
            return super().write(recipe)

    def own(who: str) -> str:
        return f"{who} {PASSWORD[who]}"

    kinds: dict[str, list[bytes]] = {}
    options = {"pictures": "on", "limits": "off"}
    with closing(Office(f"sqlite:///{folder / 'db'}", folder / "spool", **options)) as office:
        office.relay = Written(office.tray, Keeper.of(office.config))
        boards = [office.begun() for _ in range(BOARDS)]
        first = boards[0]

        def keep(kind: str, act: Callable[[], object]) -> None:
            found.clear()
            act()
            kinds[kind] = list(found)

        def play(cell: str) -> None:
            office.now += 3600
            office.play(first, cell, body=talk(first))

        keep("board", lambda: [play(cell) for cell in CELLS])
        keep("error", lambda: [office.play_as("alice", each, "F6") for each in boards])
        keep("score", lambda: [office.send("alice", f"star score {each}") for each in boards])
        keep("door", lambda: [office.send(f"new{n}@x.example", "Hello!") for n in range(BOARDS)])
        keep("album", lambda: office.send("bob", f"star resign {first} {own('bob')}"))
        keep("page", lambda: office.send("alice", "star help"))
        keep("games", lambda: office.send("alice", "star games alice"))
        keep("account", lambda: office.send("alice", f"zone {own('alice')} Berlin"))
        office.send("alice", f"letters {own('alice')} daily")
        for board in boards[1:]:
            office.play_as("alice", board, "D3")
            office.play_as("bob", board, "D4")
        keep("digest", office.digests)
        office.send("alice", f"letters {own('alice')} each")
        fresh = [office.begun() for _ in range(BOARDS)]

        def play_all() -> None:
            for at in range(len(CELLS)):
                for turn, board in enumerate(fresh):
                    office.play(board, CELLS[at - turn], body=talk(f"{board}, move {at}"))

        keep("fresh", play_all)
    return kinds


def weigh(word: str, options: dict[str, int], moves: int) -> int:
    """Return the bytes of the letter to the player who moves next, after so many moves."""
    from harness.positions import match_of

    from pbmstar import identity
    from pbmstar.render.letters import Renderer
    from pbmstar.render.recipe import Recipe, packed

    match = match_of(word, options, moves)
    detail = identity.sign([(1, bytes(identity.KEY))], "reply", "alice", 1, 0, 5)
    reply_to = f"star+{detail}@star.example.org"
    heads = {"From": "star@star.example.org", "To": "a@a.example", "Reply-To": reply_to}
    letter = Recipe("board", heads, 0.0, "5e71a1", {}, packed(match), match.to_move, pictures=True)
    raw = Renderer(None, "star@star.example.org").write(letter)
    return len(raw) + raw.count(b"\n")  # each line is sent with two characters at its end


def write(tree: Path) -> None:
    """Keep letters of a tree; for each line with a kind, write its letters, and print the time of one."""
    sys.path[:1] = [str(tree), str(tree / "tests")]
    from pbmstar.render.letters import Renderer
    from pbmstar.render.recipe import Recipe

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "spool").mkdir()
        kinds = kept(Path(folder))
    renderer = Renderer(None, "star@pbm.example")
    print(*(f"{kind}:{len(letters)}" for kind, letters in kinds.items()), flush=True)
    print(*(weigh(*each) for each in WEIGHED.values()), flush=True)
    for line in sys.stdin:
        letters = kinds[line.strip()]
        times = []
        for content in letters:
            begun = time.process_time()
            renderer.write(Recipe.from_bytes(content))
            times.append(time.process_time() - begun)
        print(*times, flush=True)


class Side:
    """A tree, and the process that writes its letters."""

    def __init__(self, tree: Path, python: str) -> None:
        command = (python, str(Path(__file__).resolve()), str(tree), python, "--write")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(tree)},
        )
        self.kinds = [each.partition(":")[0] for each in self._answer()]
        self.weights = list(map(int, self._answer()))
        self._least: dict[str, list[float]] = {}

    def round(self, kind: str) -> None:
        """Write the letters of a kind once."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{kind}\n")
        self._process.stdin.flush()
        took = list(map(float, self._answer()))
        self._least[kind] = list(map(min, self._least.get(kind, took), took))

    def milliseconds(self, kind: str) -> float:
        """Return the mean of a kind's letters, each at its least."""
        return 1000 * sum(self._least[kind]) / len(self._least[kind])

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def _answer(self) -> list[str]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process has ended"
        return line.split()


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("python")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write(options.tree.resolve())
        return
    sides = [Side(options.tree.resolve(), options.python), Side(TREE, sys.executable)]
    print(
        "| letter, ms of processor time or kB | other | this | this of other |\n|---|---|---|---|"
    )
    for kind in sides[1].kinds:
        for turn in range(options.rounds):
            for side in sides[:: 1 - 2 * (turn % 2)]:  # neither is always the first
                side.round(kind)
        other, this = (side.milliseconds(kind) for side in sides)
        print(f"| {kind} | {other:.2f} | {this:.2f} | **{this / other:.2f}** |", flush=True)
    for name, *weights in zip(WEIGHED, *(side.weights for side in sides), strict=True):
        other, this = (weight / 1000 for weight in weights)
        print(f"| {name}, kB | {other:.1f} | {this:.1f} | **{this / other:.2f}** |")
    for side in sides:
        side.close()


if __name__ == "__main__":
    main()
