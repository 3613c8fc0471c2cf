"""Scoring *Star: ours beside a straightforward union-find."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import cycle

from pbmstar.games import make
from pbmstar.games.base import Game


def union_find(game: Game, stones: bytes) -> tuple[int, int]:
    """The scores of X and O by the definition, each set of cells found by joining pairs."""
    cells = range(len(stones))
    perimeter = 5 * game.value("rings")
    rim = set(cells[-perimeter:])

    def components(same: dict[int, object]) -> dict[int, list[int]]:
        parent = {cell: cell for cell in same}

        def find(cell: int) -> int:
            while parent[cell] != cell:
                parent[cell] = parent[parent[cell]]
                cell = parent[cell]
            return cell

        for cell, kind in same.items():
            for near in game.grid.neighbours[cell]:
                if near in same and same[near] == kind:
                    parent[find(cell)] = find(near)
        found: dict[int, list[int]] = {}
        for cell in same:
            found.setdefault(find(cell), []).append(cell)
        return found

    chains = components({cell: stones[cell] for cell in cells if stones[cell] != ord(".")})
    owner: dict[int, int] = {}
    stars = {ord("x"): 0, ord("o"): 0}
    for chain in chains.values():
        if len(rim.intersection(chain)) >= 2:
            stars[stones[chain[0]]] += 1
            owner.update(dict.fromkeys(chain, stones[chain[0]]))
    for region in components({cell: 0 for cell in cells if cell not in owner}).values():
        around = {
            owner[near] for cell in region for near in game.grid.neighbours[cell] if near in owner
        }
        if len(around) == 1:
            owner.update(dict.fromkeys(region, around.pop()))
    points = []
    for stone, other in ((ord("x"), ord("o")), (ord("o"), ord("x"))):
        peries = [cell for cell in rim if owner.get(cell) == stone]
        quarks = sum(1 for cell in peries if (cell - cells[-perimeter]) % game.value("rings") == 0)
        points.append(len(peries) + (quarks > 2) + 2 * (stars[other] - stars[stone]))
    return points[0], points[1]


def contenders(rings: int) -> tuple[int, dict[str, Callable[[], object]]]:
    """Return the number of cells, and what scores the next of fifty boards filled at random, by name."""
    game, rng = make("*star", {"rings": rings}), random.Random(rings)
    boards = [bytes(rng.choice(b"xo") for _ in range(len(game.grid))) for _ in range(50)]
    for board in boards:
        assert union_find(game, board) == game.score(board).points
    one, two = cycle(boards), cycle(boards)
    return len(game.grid), {
        "union-find": lambda: union_find(game, next(one)),
        "pbmstar": lambda: game.score(next(two)),
    }
