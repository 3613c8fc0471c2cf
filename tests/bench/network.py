"""A small value network that sees a position and what 200 playouts of it say: does it foresee more than they do?

    python tests/bench/network.py "hex -size=11" --games 800

It plays games of the engine against itself, keeps what the root of each search knew early and late, trains, and
prints log losses on games that it held back. Its first line says how long it will take. Nothing in the engine uses
such a network so far, because it foresaw no more than the playouts themselves: see ``docs/design.md``.

A layer adds to each cell's channels those of its neighbours, with the same weights for all neighbours, so that one
network fits each size and each grid. It begins with the stones, the steps to both edges, the last stone, who came to
own each cell in the playouts, and how much more often they were won with it. What it says is added to the
logarithm of the odds of the playouts.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from bots import game_of

from pbmstar.bots.engine import kernel
from pbmstar.bots.engine.arrays import WIDTH, Tables, tables
from pbmstar.bots.engine.search import Root, grown, search

EARLY = 200  # playouts that the network sees
_SURE = 0.94  # of a winner: there the game ends
_OPEN = 14  # stones of a game until which its moves are drawn from the better ones
_PLANES, _TOP, _BATCH = 12, 6.0, 128


class Lesson(NamedTuple):
    """A position as its mover sees it, and what came of it.

    planes  ``_PLANES`` numbers for each cell
    odds    the logarithm of the odds of the mover in the first playouts
    late    the same after all playouts
    won     1 if the mover won the game
    """

    planes: np.ndarray
    odds: float
    late: float
    won: float


def odds(chance: float) -> float:
    """Return the logarithm of the odds."""
    chance = min(max(chance, 0.02), 0.98)
    return float(np.log(chance / (1 - chance)))


def planes(t: Tables, board: bytes, mover: int, last: int, tree: kernel.Tree) -> np.ndarray:
    """Return what the network sees of a position whose search has grown a tree."""
    stone = np.frombuffer(board, "uint8")
    first, size = int(tree.first[0]), t.size
    owned, got = (np.array(each[first : first + size], float) for each in (tree.owned, tree.got))
    played, won = float(tree.played[0]), float(tree.won[0])
    if mover == 2:
        got, won = owned - got, played - won
    share = np.where(stone, stone == mover, np.clip((owned - kernel.OLD) / played, 0, 1))
    more = np.where(stone, 0, np.clip(2 * (got / owned - won / played), -1, 1))
    place = np.asarray(t.place).reshape(2, size)[mover - 1]
    steps = [side == away for side in (place & 7, place >> 3) for away in range(3)]
    at_last = np.arange(size) == last
    return np.stack(
        (stone == mover, stone == 3 - mover, share, more, *steps, at_last, np.ones(size)), 1
    ).astype("float32")


def played(t: Tables, playouts: int, seed: int) -> list[Lesson]:
    """Play a game; return its lessons, none if it was not decided."""
    rng = random.Random(seed)
    board, last, mover = bytearray(t.size), -1, 1
    kept: list[tuple[int, np.ndarray, float, float]] = []
    winner = 0
    for turn in range(t.size):
        empty = [cell for cell, stone in enumerate(board) if not stone]
        cell = rng.choice(empty)
        if turn >= 2 + seed % 5:
            root = Root(bytes(board), "XO"[mover - 1], 1, last)  # type: ignore[arg-type]
            number = rng.getrandbits(30)
            early, _ = grown(t, root, EARLY, number)
            found = search(t, root, playouts, number)
            if found.proof or early.proof[0]:
                winner = int(early.proof[0]) or "XO".index(str(found.proof)) + 1
                break
            x = early.won[0] / early.played[0]
            seen = planes(t, bytes(board), mover, last, early)
            kept.append((mover, seen, odds(x), odds(found.x)))
            if not 1 - _SURE < found.x < _SURE:
                winner = 1 if found.x > 0.5 else 2
                break
            best = found.choices[:6]
            drawn = turn < _OPEN and rng.random() < 0.5
            weights = [max(1, choice.visits - playouts // 20) for choice in best]
            cell = rng.choices(best, weights)[0].cell if drawn else best[0].cell
        board[cell] = mover
        last, mover = cell, 3 - mover
    sign = {1: 1, 2: -1}
    return [
        Lesson(seen, sign[who] * early_, sign[who] * late, float(who == winner))
        for who, seen, early_, late in kept
        if winner
    ]


class Network:
    """Layers of channels for each cell, and a sum over all of the last layer's."""

    def __init__(self, t: Tables, channels: int, layers: int) -> None:
        """Make one that adds nearly nothing to the playouts."""
        rng = np.random.default_rng(1)
        near = np.asarray(t.near).reshape(t.size, WIDTH)
        used = np.arange(WIDTH) < np.asarray(t.degree)[:, None]
        self.near = np.where(used, near, t.size)  # the last place of a row is 0
        self.layers = layers
        self.weights: list[np.ndarray] = []
        inputs = _PLANES
        for _ in range(layers):
            for _ in range(2):
                self.weights.append(rng.normal(0, inputs**-0.5, (inputs, channels)))
            self.weights.append(np.zeros(channels))
            inputs = channels
        self.weights += [rng.normal(0, 0.05, channels), np.array([1.5, 0.0])]
        self.weights = [each.astype("float32") for each in self.weights]
        self._moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self._steps = 0

    def _around(self, cells: np.ndarray) -> np.ndarray:
        padded = np.concatenate([cells, np.zeros_like(cells[:, :1])], 1)
        found: np.ndarray = padded[:, self.near].sum(2) / np.float32(6)
        return found

    def __call__(self, seen: np.ndarray, playouts: np.ndarray) -> np.ndarray:
        """Return the logarithm of the odds of each position."""
        self._seen, self._odds = [], playouts
        cells = seen
        for layer in range(self.layers):
            own, others, bias = self.weights[3 * layer : 3 * layer + 3]
            around = self._around(cells)
            sum_ = cells @ own + around @ others + bias
            self._seen.append((cells, around, sum_))
            cells = np.clip(sum_, 0, _TOP)
        self._last = cells
        scale = self.weights[-1]
        out: np.ndarray = scale[0] * playouts + scale[1] + (cells @ self.weights[-2]).sum(1) / 8
        return out

    def learn(self, wrong: np.ndarray, rate: float) -> None:
        """Make a step of Adam, by how far the last answers were wrong."""
        head = self.weights[-2]
        slopes = [np.array([wrong @ self._odds, wrong.sum()])]
        slopes.insert(0, np.einsum("b,bcd->d", wrong, self._last) / 8)
        back = np.broadcast_to(wrong[:, None, None] * head / 8, self._last.shape)
        for layer in range(self.layers - 1, -1, -1):
            own, others, _ = self.weights[3 * layer : 3 * layer + 3]
            cells, around, sum_ = self._seen[layer]
            back = back * ((sum_ > 0) & (sum_ < _TOP))
            flat = back.reshape(-1, back.shape[2])
            by = [each.reshape(-1, each.shape[2]).T @ flat for each in (cells, around)]
            slopes[:0] = [*by, flat.sum(0)]
            back = back @ own.T + self._around(back @ others.T)
        self._steps += 1
        for weight, slope, (mean, square) in zip(self.weights, slopes, self._moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            step = mean / (1 - 0.9**self._steps)
            step /= np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
            weight -= rate * (step + 1e-3 * weight)


def chance(odds_: np.ndarray) -> np.ndarray:
    """Return the chances."""
    found: np.ndarray = 1 / (1 + np.exp(-odds_))
    return found


def loss(odds_: np.ndarray, won: np.ndarray) -> float:
    """Return the log loss."""
    said = np.clip(chance(odds_), 0.01, 0.99)
    return -float(np.mean(won * np.log(said) + (1 - won) * np.log(1 - said)))


def trained(
    t: Tables, lessons: list[Lesson], shape: tuple[int, int], rounds: int
) -> Callable[..., Any]:
    """Return a network that has learned what more playouts say, and half as much who won."""
    seen, early, late, won = (np.array(each, "float32") for each in zip(*lessons, strict=True))
    aim = (2 * chance(1.5 * late) + won) / 3
    network, rng = Network(t, *shape), np.random.default_rng(2)
    batches = len(lessons) // _BATCH
    for step in range(rounds * batches):
        if step % batches == 0:
            order = rng.permutation(len(lessons))
        some = order[step % batches * _BATCH :][:_BATCH]
        wrong = (chance(network(seen[some], early[some])) - aim[some]) / _BATCH
        left = np.cos(np.pi / 2 * step / (rounds * batches))
        network.learn(wrong.astype("float32"), 2e-3 * min(1.0, step / 100) * left)
    return network


def main() -> None:
    """Play, train, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--playouts", type=int, default=800, help="for a move of these games")
    parser.add_argument("--shape", type=int, nargs=2, default=(16, 4), help="channels and layers")
    parser.add_argument("--rounds", type=int, default=6)
    asked = parser.parse_args()
    t = tables(game_of(asked.game))
    played(t, asked.playouts, 0)  # compiles
    begun = time.process_time()
    games = []
    for seed in range(asked.games):
        games.append(played(t, asked.playouts, seed))
        if seed == asked.games // 40:
            each = (time.process_time() - begun) / (seed + 1)
            print(f"this takes some {1.5 * each * asked.games:.0f} s of processor time", flush=True)
    cut = asked.games * 9 // 10
    lessons, held = (
        [each for game in part for each in game] for part in (games[:cut], games[cut:])
    )
    network = trained(t, lessons, asked.shape, asked.rounds)
    seen, early, late, won = (np.array(each, "float32") for each in zip(*held, strict=True))
    best = min((loss(scale * early, won), scale) for scale in np.arange(1, 3, 0.1))
    print(f"{len(lessons)} positions to learn from, {len(held)} held back; log losses:")
    print(f"{EARLY} playouts {loss(early, won):.3f}, stretched by {best[1]:.1f} {best[0]:.3f}")
    print(
        f"{asked.playouts} playouts {loss(late, won):.3f}; the network {loss(network(seen, early), won):.3f}"
    )


if __name__ == "__main__":
    main()
