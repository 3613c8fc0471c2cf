"""A game for the kernel: flat sequences made from its grid and its counting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from ....games import dump, load
from ....games.base import PLAYERS
from ....games.placement import Placement
from .jit import Array, cells, numbers

# The ways in which weights make the value of a chain, and values make a margin.
ADDED, UNITED, RANKED = range(3)
WIDTH = 8  # places for the neighbours of a cell
CORNER = 4096  # above every weight


class Tables(NamedTuple):
    """The flat sequences of a game. Stones are 0 (none), 1 (X) and 2 (O).

    size        the number of cells of the board
    kind        ADDED, UNITED or RANKED
    near        the neighbours of cell c from ``WIDTH * c`` on, in a circle; unused places are c
    degree      how many neighbours each cell has
    rim         the cells that have a weight; if X's chains alone are counted, those that are enough to
                meet every chain that gains something
    weight      see ``games.values.Counting``, also for ``least``, ``after`` and ``given``; the weight of a
                corner is CORNER more
    total       the sum of both players' gains, if X's chains alone are to be counted; else -1
    gain        X's gains, ``many`` of them, and after these O's
    corners     the number of corners
    reply       the places of ``near`` that save a link which a stone on ``cell`` attacks, as a set of bits,
                at ``start[2 * cell + player - 1]`` plus the stones round the cell (two bits each)
    turn        the number of stones of a turn
    """

    size: int
    kind: int
    near: Array
    degree: Array
    rim: Array
    weight: Array
    gain: Array
    many: int
    corners: int
    least: int
    after: Array
    given: int
    total: int
    reply: Array
    start: Array
    turn: int


def tables(game: Placement) -> Tables:
    """Return the tables of a game; games with the same options share them."""
    return _tables(game.word, dump(game))


@lru_cache(4)  # every move asks for its game once
def _tables(word: str, options: str) -> Tables:
    game = load(word, options)
    assert isinstance(game, Placement)
    grid, counting = game.grid, game.counting()
    count = len(grid)
    around = [_in_a_circle(grid.places, cell, grid.neighbours[cell]) for cell in range(count)]
    reply, start = _replies(game, around)
    sums = counting.total is not None
    met = _met(counting.gains[0]) if sums and counting.united else -1
    return Tables(
        size=count,
        kind=UNITED if counting.united else ADDED if sums or not counting.after else RANKED,
        near=cells(
            place for c, near in enumerate(around) for place in (*near, *[c] * (WIDTH - len(near)))
        ),
        degree=cells(map(len, around)),
        rim=cells(cell for cell, weight in enumerate(counting.weights) if weight & met),
        weight=cells(
            weight + CORNER * (cell in counting.corners)
            for cell, weight in enumerate(counting.weights)
        ),
        gain=numbers((*counting.gains[0], *counting.gains[1])),
        many=len(counting.gains[0]),
        corners=len(counting.corners),
        least=counting.least,
        after=cells(counting.after.get(cell, cell) for cell in range(count)),
        given=counting.given,
        total=-1 if counting.total is None else counting.total,
        reply=cells(reply),
        start=numbers(start),
        turn=1 if game.one_stone else 2,
    )


def _met(gains: Sequence[int]) -> int:
    """Return a smallest set (bits) that has a member in common with each set that gains something."""
    sets = [each for each, gain in enumerate(gains) if gain]
    return min(
        (each for each in range(len(gains)) if all(each & other for other in sets)),
        key=int.bit_count,
    )


def _in_a_circle(
    places: Sequence[tuple[float, float]], cell: int, near: Sequence[int]
) -> tuple[int, ...]:
    """Return the neighbours in the order of their directions, after the widest gap between two."""
    x, y = places[cell]
    turns = sorted((math.atan2(places[c][1] - y, places[c][0] - x), c) for c in near)
    gaps = [
        round((turns[i][0] - turns[i - 1][0]) % math.tau, 6) for i in range(len(turns))
    ]  # before each
    first = gaps.index(max(gaps))
    return tuple(c for _, c in (*turns[first:], *turns[:first]))


def _replies(game: Placement, around: list[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Return ``Tables.reply`` and ``start``; cells with like neighbourhoods share a part of the first."""
    reply: list[int] = []
    parts: dict[object, int] = {}
    start = []
    for cell, near in enumerate(around):
        joined = frozenset(
            (i, j)
            for i, j in product(range(len(near)), repeat=2)
            if near[j] in game.grid.neighbours[near[i]]
        )
        for stone, player in enumerate(PLAYERS, 1):
            wanted = game.edges[cell] & game.wanted(player)
            open_ = frozenset(i for i, c in enumerate(near) if game.edges[c] & wanted)
            part = stone, len(near), joined, open_
            if part not in parts:
                parts[part] = len(reply)
                reply += _part(stone, len(near), joined, open_)
            start.append(parts[part])
    return reply, start


def _part(
    stone: int, degree: int, joined: frozenset[tuple[int, int]], open_: frozenset[int]
) -> list[int]:
    """Return the saving places for each arrangement of stones round a cell that the opponent took.

    A place saves a link if it joins two stones of the player that do not touch each other, or one
    of them to an edge on which the taken cell lies too (``open_``).
    """
    part = [0] * 4**degree
    links = [(place, [a for a in range(degree) if (a, place) in joined]) for place in range(degree)]
    for place, by in links:
        pairs = [(a, b) for a, b in combinations(by, 2) if (a, b) not in joined]
        ways = pairs + [(a, a) for a in by if place in open_]
        for a, b in ways:
            others = [i for i in range(degree) if i not in (a, b, place)]
            base = stone << 2 * a | stone << 2 * b
            for rest in product(range(3), repeat=len(others)):
                key = base
                for i, other in zip(others, rest, strict=True):
                    key |= other << 2 * i
                part[key] |= 1 << place
    return part
