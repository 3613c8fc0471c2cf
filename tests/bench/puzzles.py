"""Search the puzzles through: nobody can do better than their rules say.

``python tests/bench/puzzles.py`` takes some minutes of one core and says what it has found and in what
time; with names (queens, mini, ring) it makes those searches only. That there are no 18 queens takes no
search, nor does Ring Solitaire's star: see tests/games/test_puzzles.py.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np
from numba import njit

from pbmstar.games.pentagon.straights import lines
from pbmstar.games.puzzles.minisolitaire import MiniSolitaire
from pbmstar.games.puzzles.puzzle import RINGS, symmetries
from pbmstar.games.puzzles.ringsolitaire import RingSolitaire

# -- How Many Queens?: no eight queens that don't see each other guard the board


@njit(cache=False)  # type: ignore[untyped-decorator]
def _cover(guards, looks, left, free, open_, seen):  # type: ignore[no-untyped-def]
    """Tell if ``left`` more queens on cells of ``free`` guard all cells of ``open_``; count the calls.

    Some queen must guard the cell that fewest queens can. Once a queen has been tried there, no later
    sibling uses it.
    """
    seen[0] += 1
    cells = len(open_)
    unguarded = 0
    for cell in range(cells):
        unguarded += open_[cell]
    if unguarded == 0:
        return True
    if left == 0:
        return False
    gains = np.zeros(cells, np.int32)
    for queen in range(cells):
        if free[queen]:
            for i in range(looks[queen]):
                gains[queen] += open_[guards[queen, i]]
    best = np.zeros(left, np.int32)  # the largest gains, the smallest of them first
    for queen in range(cells):
        if gains[queen] > best[0]:
            at = 0
            while at + 1 < left and best[at + 1] < gains[queen]:
                best[at] = best[at + 1]
                at += 1
            best[at] = gains[queen]
    if best.sum() < unguarded:
        return False
    hardest, fewest = -1, cells + 1
    for cell in range(cells):
        if open_[cell]:
            ways = 0
            for i in range(looks[cell]):
                ways += free[guards[cell, i]]
            if ways < fewest:
                hardest, fewest = cell, ways
    still = free.copy()
    for i in range(looks[hardest]):
        queen = guards[hardest, i]
        if still[queen]:
            after, yet = open_.copy(), still.copy()
            for j in range(looks[queen]):
                after[guards[queen, j]] = yet[guards[queen, j]] = 0
            still[queen] = 0
            if _cover(guards, looks, left - 1, yet, after, seen):
                return True
    return False


def queens(most: int = 8) -> str:
    """Return what a search for that many queens has found."""
    sees = [[c - 1 for c in (cell, *lines(RINGS).sees[cell]) if c] for cell in range(1, 276)]
    looks = np.array([len(each) for each in sees], np.int32)
    guards = np.zeros((len(sees), max(looks)), np.int32)
    for cell, each in enumerate(sees):
        guards[cell, : len(each)] = each
    # A solution can be turned so that its queen of the first kind stands on the kind's first cell.
    images = np.array(symmetries(False))
    free = np.ones(len(sees), np.uint8)
    seen = np.zeros(1, np.int64)
    for queen in range(len(sees)):
        kind = np.unique(images[:, queen])
        if kind[0] == queen:
            open_, rest = np.ones(len(sees), np.uint8), free.copy()
            open_[sees[queen]] = rest[sees[queen]] = 0
            if _cover(guards, looks, most - 1, rest, open_, seen):
                return f"{most} queens guard the board"
            free[kind] = 0
    return f"no {most} queens guard the board ({seen[0]:,} boards)"


# -- Mini-Solitaire: the fewest turns for each kind of cell where one stone can be left

_JUMPS = lines(RINGS).jumps
_IMAGES = symmetries(True)
_BITS = [1 << cell for cell in range(276)]
_TURNED = [[_BITS[cell] for cell in image] for image in _IMAGES]


def _cells(board: int) -> Iterator[int]:
    while board:
        low = board & -board
        yield low.bit_length() - 1
        board ^= low


def _least(board: int) -> int:
    """Return one board for all that are the same but for turning and mirroring."""
    cells = list(_cells(board))
    return min(sum(bits[cell] for cell in cells) for bits in _TURNED)


def _turns(board: int) -> set[int]:
    """Return the boards after one turn: a jump, or a chain of jumps of one stone."""
    found = {(board, cell) for cell in _cells(board)}
    walk = list(found)
    for before, cell in walk:
        for over, to in _JUMPS[cell]:
            if before & _BITS[over] and not before & _BITS[to]:
                after = before ^ _BITS[cell] ^ _BITS[over] ^ _BITS[to], to
                if after not in found:
                    found.add(after)
                    walk.append(after)
    return {after for after, _ in found} - {board}


def mini() -> str:
    """Return the fewest turns to each place on the pentagon, by a search in breadth."""
    game = MiniSolitaire({})
    level = {sum(_BITS[cell] for cell in game.cells(game.start().stones))}
    fewest: dict[str, int] = {}
    turns, looked = 0, 0
    while not {"star", "side"} <= fewest.keys():
        turns += 1
        level = {_least(after) for board in level for after in _turns(board)}
        looked += len(level)
        for board in level:
            if board.bit_count() == 1 and game.is_goal(cell := board.bit_length() - 1):
                fewest.setdefault(game.where(cell), turns)
    return f"the fewest turns are {fewest} ({looked:,} boards)"


# -- Ring Solitaire: the fewest stones that can be left of ring 5


@njit  # type: ignore[untyped-decorator]
def _turn(cells, many, images, least, other):  # type: ignore[no-untyped-def]
    """Write into ``least``, as bits, the least of the ten images of a board."""
    for k in range(len(images)):
        other[:] = 0
        for i in range(many):
            cell = images[k, cells[i]]
            other[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
        less = k == 0
        for w in range(len(other)):
            if less or other[w] != least[w]:
                less = less or other[w] < least[w]
                break
        if less:
            least[:] = other


@njit  # type: ignore[untyped-decorator]
def _put(table, board):  # type: ignore[no-untyped-def]
    """Put a board into a table with free rows, and tell if it is new there."""
    mask = np.uint64(len(table) - 1)
    row = np.uint64(0)
    for word in board:
        row = (row ^ word) * np.uint64(0x9E3779B97F4A7C15)
        row ^= row >> np.uint64(29)
    row &= mask
    while table[row].any():
        if (table[row] == board).all():
            return False
        row = (row + np.uint64(1)) & mask
    table[row] = board
    return True


@njit  # type: ignore[untyped-decorator]
def _after(level, ways, jumps, images):  # type: ignore[no-untyped-def]
    """Return all boards one jump after those of a level, each once."""
    table = np.zeros((1024, level.shape[1]), np.uint64)
    filled = 0
    least, other = np.zeros_like(table[0]), np.zeros_like(table[0])
    cells, new = np.zeros(276, np.int32), np.zeros(276, np.int32)
    for board in level:
        many = 0
        for cell in range(276):
            if board[cell >> 6] >> np.uint64(cell & 63) & np.uint64(1):
                cells[many] = cell
                many += 1
        for i in range(many):
            for j in range(ways[cells[i]]):
                over, to = jumps[cells[i], j]
                left, free = 0, True
                for k in range(many):
                    free &= cells[k] != to
                    if k == i:
                        new[left] = to
                        left += 1
                    elif cells[k] != over:
                        new[left] = cells[k]
                        left += 1
                if not free or left == many:
                    continue
                _turn(new, left, images, least, other)
                filled += _put(table, least)
                if 3 * filled > 2 * len(table):
                    old, table = table, np.zeros((2 * len(table), len(least)), np.uint64)
                    for row in old:
                        if row.any():
                            _put(table, row)
    return table[np.array([row.any() for row in table])]


def ring() -> str:
    """Return how many stones are left at least, by a search in breadth: each jump takes one away."""
    jumps = np.zeros((276, max(map(len, _JUMPS)), 2), np.int32)
    for cell, each in enumerate(_JUMPS):
        for i, jump in enumerate(each):
            jumps[cell, i] = jump
    ways, images = np.array([len(each) for each in _JUMPS]), np.array(_IMAGES)
    game = RingSolitaire({})
    level = np.zeros((1, 5), np.uint64)
    for cell in game.cells(game.start().stones):
        level[0, cell >> 6] |= np.uint64(1 << (cell & 63))
    left, looked = 25, 0
    while True:
        after = _after(level, ways, jumps, images)
        looked += len(after)
        if not len(after):
            return f"the fewest stones that can be left are {left} ({looked:,} boards)"
        level, left = after, left - 1


def main(names: list[str]) -> None:
    """Make the searches with these names, or all of them."""
    for search in (queens, mini, ring):
        if not names or search.__name__ in names:
            began = time.process_time()
            print(f"{search.__name__}: {search()}, {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
