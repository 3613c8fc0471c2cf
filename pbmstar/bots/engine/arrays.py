"""A game for the kernel: flat sequences made from its grid and its counting."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

from ...games import dump, load
from ...games.base import PLAYERS
from ...games.placement import Placement
from .jit import COMPILED, Array, cells, longs, numbers
from .levels import kind

# The ways in which weights make the value of a chain, and values make a margin.
ADDED, UNITED, RANKED = range(3)
WIDTH = 8  # places for the neighbours of a cell, ...
USUAL = 6  # ... of which nearly all cells need no more than these
CORNER = 4096  # above every weight
# Cells whose bits fit into a number. Machine code keeps a board of twice as many in two numbers, and walks
# through the chains of a larger one cell by cell; numbers of Python have room for any board.
BITS = 62 if COMPILED else 1 << 12
AROUND = 18  # places for the cells up to two steps away
# Where a kind of feature begins in what was learned: rings of 6 cells come first, then the sixths ...
SECTORS = 4096
ANSWERS = (
    SECTORS + 1024
)  # ... sixths in which the last stone is, for each of five places of it, ...
RELATED = ANSWERS + 5 * 1024  # ... how near that is, saved links, ...
SAVES = RELATED + 3
PLACES = SAVES + 1  # ... and for four phases of a game how far the edges of both players are.
LESSONS = PLACES + 4 * 64
_FAR = 7  # steps
_LADDERS = (1, 2)  # steps from an edge of the cells of ladders, in games won by joining sides
FOLDER = Path(__file__).parent / "learned"


class Tables(NamedTuple):
    """The flat sequences of a game. Stones are 0 (none), 1 (X) and 2 (O).

    size        the number of cells of the board
    kind        ADDED, UNITED or RANKED
    near        the neighbours of cell c from ``WIDTH * c`` on, in a circle; unused places are the size
    degree      how many neighbours each cell has
    rim         the cells that have a weight; if X's chains alone are counted, those that are enough to
                meet every chain that gains something
    met         ``rim`` as a set of bits, in two numbers: the first ``BITS`` cells, and those after them
    links       each cell's neighbours as such a set
    weight      see ``games.values.Counting``, also for ``least``, ``after`` and ``given``; the weight of a
                corner is CORNER more
    total       the sum of both players' gains, if X's chains alone are to be counted; otherwise -1
    gain        X's gains, ``many`` of them, and after these O's
    corners     the number of corners
    reply       the places of ``near`` that save a link which a stone on ``cell`` attacks, or head off its
                ladder, as a set of bits, at ``start[2 * cell + player - 1]`` plus the stones round the
                cell (two bits each)
    turn        the number of stones of a turn
    around      for each cell 18 others from ``AROUND * c`` on: six that touch it, in a circle; six two
                steps away, of which each touches one of the first and the next one; six straight
                ahead of the first. Off the board it is the size, and 1 or 2 more: an edge that X
                wants alone, O alone, or both
    place       for X and then for O for each cell the steps to an edge of their own, and 8 times those
                to one of the opponent's, 7 at most
    learned     for X, then for O, a number for each feature of a move, in hundredths of the logarithm
                of the odds; ``lessons`` of them
    """

    size: int
    kind: int
    near: Array
    degree: Array
    rim: Array
    met: Array
    links: Array
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
    around: Array
    place: Array
    learned: Array
    lessons: int


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
    learned = _lessons(kind(game))
    sums = counting.total is not None
    met = _met(counting.gains[0]) if sums and counting.united else -1
    rim = [cell for cell, weight in enumerate(counting.weights) if weight & met]
    return Tables(
        size=count,
        kind=UNITED if counting.united else ADDED if sums or not counting.after else RANKED,
        near=cells(place for near in around for place in (*near, *[count] * (WIDTH - len(near)))),
        degree=cells(map(len, around)),
        rim=cells(rim),
        met=longs(_bits(rim)),
        links=longs(word for near in grid.neighbours for word in _bits(near)),
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
        around=cells(_around(game, around)),
        place=cells(_places(game)),
        learned=numbers((*learned, *_swapped(learned))),
        lessons=LESSONS,
    )


def _met(gains: Sequence[int]) -> int:
    """Return a smallest set (bits) that has a member in common with each set that gains something."""
    sets = [each for each, gain in enumerate(gains) if gain]
    return min(
        (each for each in range(len(gains)) if all(each & other for other in sets)),
        key=int.bit_count,
    )


def _bits(found: Iterable[int]) -> tuple[int, int]:
    """Return the bits of cells, in two numbers; those of cells that don't fit in are left out."""
    bits = sum(1 << cell for cell in found)
    return bits & (1 << BITS) - 1, bits >> BITS & (1 << BITS) - 1


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


def _around(game: Placement, circles: list[tuple[int, ...]]) -> Iterator[int]:
    """Yield ``Tables.around``; beyond six neighbours it takes the first ones."""
    near = [set(circle) for circle in circles]
    size = len(circles)
    wanted = [game.wanted(player) for player in PLAYERS]

    def edge(cell: int) -> int:
        both = [bool(game.edges[cell] & each) for each in wanted]
        return size + (2 if both[0] == both[1] else 1 if both[1] else 0)

    for cell, circle in enumerate(circles):
        ring = [*circle[:6], *[edge(cell)] * (6 - len(circle))]
        touching = {cell, *circle}
        between = []
        for one, next_ in zip(ring, ring[1:] + ring[:1], strict=True):
            if one >= size or next_ >= size:
                between.append(max(one, next_) if one >= size and next_ >= size else edge(cell))
                continue
            common = (near[one] & near[next_]) - touching
            between.append(min(common) if common else edge(one))
        ahead = []
        for i, one in enumerate(ring):
            if one >= size:
                ahead.append(one)
                continue
            beyond = near[one] - touching - {between[i], between[i - 1]}
            ahead.append(min(beyond) if beyond else edge(one))
        yield from (*ring, *between, *ahead)


def _places(game: Placement) -> Iterator[int]:
    """Yield ``Tables.place``."""
    x, o = (_steps(game, game.wanted(player)) for player in PLAYERS)
    yield from (a + 8 * b for a, b in zip(x, o, strict=True))
    yield from (b + 8 * a for a, b in zip(x, o, strict=True))


def _steps(game: Placement, edges: int) -> list[int]:
    """Return for each cell how many steps away the nearest cell of these edges is, at most 7."""
    steps = [0 if bits & edges else _FAR for bits in game.edges]
    for away in range(_FAR - 1):
        for cell, at in enumerate(steps):
            if at == away:
                for near in game.grid.neighbours[cell]:
                    steps[near] = min(steps[near], away + 1)
    return steps


def _lessons(of: str) -> list[int]:
    """Return what was learned of a kind of game."""
    found: list[int] = json.loads((FOLDER / f"{of}.json").read_text(encoding="ascii"))
    return found


_SWAP = (0, 2, 1, 3)


def _swapped(learned: Sequence[int]) -> list[int]:
    """Return what was learned with the colours exchanged."""

    def other(key: int, places: int) -> int:
        return sum(_SWAP[key >> 2 * i & 3] << 2 * i for i in range(places))

    return [
        *(learned[other(key, 6)] for key in range(SECTORS)),
        *(learned[SECTORS + other(key, 5)] for key in range(1024)),
        *(
            learned[ANSWERS + 1024 * where + other(key, 5)]
            for where in range(5)
            for key in range(1024)
        ),
        *learned[RELATED:],
    ]


class Attack(NamedTuple):
    """A cell that the opponent took, as a player sees it: what an answer beside it can save.

    stone    of the player, 1 or 2
    degree   how many neighbours the cell has; what follows are places among these
    joined   pairs of places that touch
    open     the places that lie on an edge which the player wants, if the cell lies there too
    ladders  in games won by joining sides, near an edge that the player wants: the place of a stone one row
             above the cell, a place that touches it in the cell's row, where a stone heads off the
             opponent's, and the places that touch both that and the cell in the row below
    """

    stone: int
    degree: int
    joined: frozenset[tuple[int, int]]
    open: frozenset[int]
    ladders: frozenset[tuple[int, int, tuple[int, ...]]]


def _replies(game: Placement, around: list[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Return ``Tables.reply`` and ``start``; cells with like neighbourhoods share a part of the first."""
    reply: list[int] = []
    parts: dict[Attack, int] = {}
    start = []
    rows = [_steps(game, game.wanted(player)) for player in PLAYERS]
    counting = game.counting()
    heads_off = _LADDERS if counting.united and max(counting.gains[0]) > 0 else ()
    for cell, near in enumerate(around):
        joined = frozenset(
            (i, j)
            for i, j in product(range(len(near)), repeat=2)
            if near[j] in game.grid.neighbours[near[i]]
        )
        for stone, player in enumerate(PLAYERS, 1):
            wanted = game.edges[cell] & game.wanted(player)
            open_ = frozenset(i for i, c in enumerate(near) if game.edges[c] & wanted)
            row = rows[stone - 1]
            higher = [row[c] - row[cell] for c in near]
            below = [i for i, more in enumerate(higher) if more == -1]
            ladders = frozenset(
                (above, beside, tuple(i for i in below if (i, beside) in joined))
                for above, beside in joined
                if row[cell] in heads_off and higher[above] == 1 and higher[beside] == 0
            )
            part = Attack(stone, len(near), joined, open_, ladders)
            if part not in parts:
                parts[part] = len(reply)
                reply += _part(part)
            start.append(parts[part])
    return reply, start


def _part(at: Attack) -> list[int]:
    """Return the saving places for each arrangement of stones round a cell that the opponent took.

    A place saves a link if it joins two stones of the player that do not touch each other, or one
    of them to an edge on which the taken cell lies too. It heads off a ladder unless the
    opponent has a stone below it.
    """
    part = [0] * 4**at.degree

    def add(place: int, mine: tuple[int, ...], not_theirs: tuple[int, ...] = ()) -> None:
        base = sum(at.stone << 2 * i for i in set(mine))
        others = [i for i in range(at.degree) if i not in (*mine, place)]
        for rest in product(range(3), repeat=len(others)):
            key = base
            for i, other in zip(others, rest, strict=True):
                key |= other << 2 * i
            if all(key >> 2 * i & 3 != 3 - at.stone for i in not_theirs):
                part[key] |= 1 << place

    for place in range(at.degree):
        by = [a for a in range(at.degree) if (a, place) in at.joined]
        for pair in combinations(by, 2):
            if pair not in at.joined:
                add(place, pair)
        if place in at.open:
            for a in by:
                add(place, (a,))
    for above, beside, below in at.ladders:
        add(beside, (above,), below)
    return part
