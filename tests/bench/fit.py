"""How the chances of a review follow from raw estimates: a logistic fit to games of bots among themselves.

    python tests/bench/fit.py --games 600

Each game begins with a few stones at random and goes on with searches of ``--playouts``; each position
gives an estimate, the share of the cells that are filled, and in the end who won. Prints the two numbers
of ``pbmstar.bots.engine.review.FIT``, and how well raw and fitted estimates foretell (mean logarithm; 0 is best).
"""

from __future__ import annotations

import argparse
import math
import random

from pbmstar import games
from pbmstar.bots.engine.review import fitted
from pbmstar.bots.engine.think import search_position
from pbmstar.games.grids import EMPTY
from pbmstar.games.placement import Placement

GAMES = (
    ("star", {"size": 4}), ("star", {"size": 6}), ("*star", {"rings": 4}), ("*star", {"rings": 6}),
)  # fmt: skip
Sample = tuple[float, float, bool]  # the estimate for X, the share that is filled, whether X won


def played(word: str, options: dict[str, object], playouts: int, seed: int) -> list[Sample]:
    """What one game gives."""
    game = games.make(word, options)
    assert isinstance(game, Placement)
    chance, position, samples = random.Random(seed), game.start(), []
    for _ in range(2 + seed % 3):
        position = position.play(
            chance.choice([m for m in position.moves() if m in game.grid.index])
        )
    while not (bounds := game.bounds(position.stones)).decided and not bounds.settled:
        found = search_position(position, playouts, chance.getrandbits(40))
        share = 1 - position.stones.count(EMPTY) / len(position.stones)
        if not found.proof:
            samples.append((found.x, share))
        # Now and then the second best, so that games are not all alike.
        best = found.choices[min(len(found.choices) - 1, chance.random() < 0.1)]
        position = position.play(game.grid.names[best.cell])
    return [(x, share, bounds.decided == "X") for x, share in samples] if bounds.decided else []


def fit(samples: list[Sample]) -> tuple[float, float]:
    """The two numbers that foretell best, by Newton's method; a step that is too long is made shorter."""
    rows = [(math.log(max(x, 1e-3) / max(1 - x, 1e-3)), share, won) for x, share, won in samples]
    a, b = 1.0, 0.0
    for _ in range(20):
        ga = gb = haa = hab = hbb = 0.0
        for odds, share, won in rows:
            u, v = odds, odds * share
            p = 1 / (1 + math.exp(-max(-30.0, min(30.0, a * u + b * v))))
            e, w = won - p, p * (1 - p)
            ga, gb = ga + e * u, gb + e * v
            haa, hab, hbb = haa + w * u * u, hab + w * u * v, hbb + w * v * v
        det = haa * hbb - hab * hab
        da, db = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
        far = max(1.0, abs(da), abs(db))
        a, b = a + da / far, b + db / far
    return a, b


def loss(samples: list[Sample], numbers: tuple[float, float]) -> float:
    """The mean logarithm of what was foretold for what came."""
    said = [(fitted(x, share, numbers), won) for x, share, won in samples]
    return -sum(math.log(p if won else 1 - p) for p, won in said) / len(said)


def main() -> None:
    """Play, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--playouts", type=int, default=1500)
    words = parser.parse_args()
    samples: list[Sample] = []
    for seed in range(words.games):
        word, options = GAMES[seed % len(GAMES)]
        samples += played(word, dict(options), words.playouts, seed)
    numbers = fit(samples)
    print(
        f"{words.games} games, {len(samples)} positions: FIT = ({numbers[0]:.2f}, {numbers[1]:.2f})"
    )
    print(f"raw {loss(samples, (1.0, 0.0)):.3f}  fitted {loss(samples, numbers):.3f}")


if __name__ == "__main__":
    main()
