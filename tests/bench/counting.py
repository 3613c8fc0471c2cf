"""Scoring *Star: ours beside a straightforward union-find."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

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


def figures(rounds: int) -> Iterator[tuple[int, dict[str, float]]]:
    """(cells, microseconds by name) for boards of 6 and 10 rings, filled at random."""
    for rings in (6, 10):
        game = make("*star", {"rings": rings})
        rng = random.Random(rings)
        boards = [bytes(rng.choice(b"xo") for _ in range(len(game.grid))) for _ in range(50)]
        for board in boards:
            assert union_find(game, board) == game.score(board).points
        times: dict[str, list[float]] = {"union-find": [], "pbmstar": []}
        for _ in range(rounds):
            for name, work in (
                ("union-find", lambda board: union_find(game, board)),
                ("pbmstar", game.score),
            ):
                begun = time.perf_counter()
                for board in boards:
                    work(board)
                times[name].append((time.perf_counter() - begun) / len(boards) * 1e6)
        yield len(game.grid), {name: statistics.median(found) for name, found in times.items()}
