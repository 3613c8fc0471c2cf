"""How well a search foresees who wins games of others: their moves don't come from the engine.

    python tests/bench/foresee.py games.jsonl --playouts 3000

Each line of a file is a game: ``game``, ``options``, ``moves`` and the ``winner``, X or O. Each position of it
is searched. The log loss is the mean of the negative logarithm of the chance that the search gave the
winner (0 is best, 0.693 is what tossing a coin has), and a position is right if that chance is over a half.
Differences under 0.01 are noise.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from pbmstar.bots.engine.think import replayed, search_position
from pbmstar.games.grids import EMPTY
from pbmstar.games.placement import due_of

_LATE = 40  # stones
_CERTAIN = 0.99  # no chance counts for more, not even a proof


def foreseen(file: Path, playouts: int) -> Iterator[tuple[int, float]]:
    """Yield for each position of the games in a file the number of stones, and the winner's chance."""
    for line in file.read_text(encoding="ascii").splitlines():
        game = json.loads(line)
        request = {**game, "options": json.dumps(game["options"])}
        for position, last in zip(*replayed(request), strict=True):
            if (
                position.over
                or not position.played
                or position.game.bounds(position.stones).decided
            ):
                continue
            due = due_of(position)
            x = search_position(position, playouts, position.played, due=due, last=last).x
            chance = x if game["winner"] == "X" else 1 - x
            stones = len(position.stones) - position.stones.count(EMPTY)
            yield stones, min(max(chance, 1 - _CERTAIN), _CERTAIN)


def said(chances: list[float]) -> tuple[float, float]:
    """Return the log loss, and the share of positions that are right."""
    loss = -statistics.fmean(map(math.log, chances))
    return loss, statistics.fmean(chance > 0.5 for chance in chances)


def main() -> None:
    """Search, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--playouts", type=int, default=3000)
    asked = parser.parse_args()
    begun = time.process_time()
    found = [each for file in asked.files for each in foreseen(file, asked.playouts)]
    loss, right = said([chance for _, chance in found])
    late, late_right = said([chance for stones, chance in found if stones >= _LATE])
    print(
        f"log loss {loss:.3f}, right {right:.0%}; after the 40th stone {late:.3f}, {late_right:.0%}"
    )
    print(f"{len(found)} positions, {time.process_time() - begun:.0f} s of processor time")


if __name__ == "__main__":
    main()
