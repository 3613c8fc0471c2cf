"""The engine against another one, of another checkout, at equal processor time for each move.

    git worktree add /tmp/before f1eb7fb
    python tests/bench/bots.py rival /tmp/before "hex -size=11" --ms 40 --games 400

Both engines run in this process, and search each position anew, as the bots do. Each makes as
many playouts as its last searches on this board allow in that time; what both really took is printed. Each opening is of
two random stones that leave about even chances, and is played twice, with sides changed. The searches
that look for such openings aren't counted. A game ends when it is decided, or when both sides have been sure of
the same winner for two moves each.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

_SURE = 0.85
_FAIR = 0.03
PARTS = ("arrays", "search")
_TRIED = 1000  # playouts to see if an opening is fair
_ASIDE = 60  # random openings for a fair one at most


class Side:
    """The engine of a checkout, and what it took: seconds and playouts of each search."""

    def __init__(self, tree: Path, seconds: float, playouts: int = 0) -> None:
        """Load the engine; its modules leave those of other checkouts alone."""
        self._modules: dict[str, Any] = {}
        with self._loaded():
            sys.path.insert(0, str(tree))
            kernel = next(Path(tree, "pbmstar").rglob("kernel.py"))  # its folder has moved
            name = ".".join(kernel.parent.relative_to(tree).parts)
            self._arrays, self._search = (import_module(f"{name}.{part}") for part in PARTS)
            self._make = import_module("pbmstar.games").make
            sys.path.remove(str(tree))
        assert str(self._search.__file__).startswith(f"{tree}/")
        self.seconds, self.playouts = seconds, playouts
        self.took: list[tuple[float, int]] = []
        self._rate = 0.0

    @contextmanager
    def _loaded(self) -> Iterator[None]:
        """Let the names of modules mean those of this engine: numba's cache asks for them too."""
        others = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_ours(name)}
        sys.modules.update(self._modules)
        yield
        self._modules = {
            name: sys.modules.pop(name) for name in list(sys.modules) if _is_ours(name)
        }
        sys.modules.update(others)

    def begin(self, game: Any) -> None:
        """Compile, and look how fast it is in a game."""
        self._tables = self._arrays.tables(self._make(game.word, game.values))
        with self._loaded():
            for playouts in (100, 3000):
                found, seconds = self.look(bytes(len(game.grid)), "X", -1, 1, playouts)
        self._rate = found.playouts / seconds

    def look(
        self, board: bytes, mover: str, last: int, seed: int, playouts: int
    ) -> tuple[Any, float]:
        """Return an estimate, and the seconds that it took; it counts for nothing else."""
        begun = time.thread_time()
        root = self._search.Root(board, mover, 1, last)
        found = self._search.search(self._tables, root, playouts, seed)
        return found, time.thread_time() - begun

    def __call__(self, board: bytes, mover: str, last: int, seed: int) -> tuple[int, float, bool]:
        """Return a cell, X's chance, and whether that is proved."""
        playouts = self.playouts or max(100, int(self._rate * self.seconds))
        found, seconds = self.look(board, mover, last, seed, playouts)
        if not found.proof:
            self.took.append((seconds, found.playouts))
            self._rate += 0.1 * (found.playouts / seconds - self._rate)
        return found.choices[0].cell, found.x, bool(found.proof)


def _is_ours(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] == "pbmstar"


def opening(game: Any, judge: Side, seed: int) -> list[int]:
    """Return two cells, of X and O, that leave X about even chances."""
    rng = random.Random(seed)
    best: tuple[float, list[int]] = (1.0, [])
    for _ in range(_ASIDE):
        cells = rng.sample(range(len(game.grid)), 2)
        board = bytearray(len(game.grid))
        board[cells[0]], board[cells[1]] = 1, 2
        away = abs(judge.look(bytes(board), "X", cells[1], 1, _TRIED)[0].x - 0.5)
        best = min(best, (away, cells))
        if away < _FAIR:
            break
    return best[1]


def won_by_x(game: Any, x: Side, o: Side, begun: list[int], seed: int) -> bool:
    """Play a game from two cells on; tell if X wins it."""
    board = bytearray(len(game.grid))
    board[begun[0]], board[begun[1]] = 1, 2
    last, sure = begun[1], {"X": [0, 0], "O": [0, 0]}
    codes = bytes.maketrans(bytes(range(3)), b".xo")
    mover = "X"
    for turn in range(len(board)):
        cell, x_wins, is_proved = (x if mover == "X" else o)(bytes(board), mover, last, seed + turn)
        if is_proved:
            return x_wins == 1.0
        for winner, chance in (("X", x_wins), ("O", 1 - x_wins)):
            at = sure[winner]
            at[turn % 2] = at[turn % 2] + 1 if chance > _SURE else 0
            if min(at) >= 2:
                return winner == "X"
        last = cell
        board[last] = 1 + (mover == "O")
        mover = "O" if mover == "X" else "X"
    return bool(game.score(bytes(board).translate(codes)).winner == "X")


def rival(
    game: Any, trees: tuple[Path, Path], ms: float, games: int, playouts: tuple[int, int] = (0, 0),
    seed: int = 1, show: int = 20,
) -> None:  # fmt: skip
    """Play ``games`` games of the engine of the first tree against that of the second, and print."""
    pairs: list[float] = []
    ours, theirs = (Side(tree, ms / 1000, each) for tree, each in zip(trees, playouts, strict=True))
    ours.begin(game)
    theirs.begin(game)
    for pair in range(games // 2):
        begun = opening(game, theirs, 1000 * seed + pair)
        at = 1_000_000 * seed + 1000 * pair
        won = won_by_x(game, ours, theirs, begun, at)
        lost = won_by_x(game, theirs, ours, begun, at + 500)
        pairs.append((won + (not lost)) / 2)
        if (pair + 1) % show == 0 or pair + 1 == games // 2:
            took = [
                f"{1000 * statistics.fmean(s for s, _ in side.took):.1f} ms "
                f"{statistics.fmean(p for _, p in side.took):,.0f} playouts"
                for side in (ours, theirs)
            ]
            print(f"{_shown(pairs)}; {took[0]} v {took[1]}", flush=True)


def _shown(pairs: list[float]) -> str:
    share, number = statistics.fmean(pairs), 2 * len(pairs)
    spread = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else 0.5
    low, middle, high = (_elo(share + by, number) for by in (-spread, 0.0, spread))
    return f"{sum(pairs) * 2:.0f} of {number}, Elo {middle:+.0f} [{low:+.0f}..{high:+.0f}]"


def _elo(share: float, number: int) -> float:
    share = min(max(share, 0.5 / number), 1 - 0.5 / number)
    return -400 * math.log10(1 / share - 1)
