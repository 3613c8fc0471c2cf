"""Reading a board that is not settled: what stands if both players answer in pairs.

A player who needs only one of two empty cells holds a *pair*: when the opponent takes one, the
player takes the other. With such pairs, and every other empty cell given to the opponent, the
player's worst case is a *guarantee*; it is sound because a further stone never hurts its owner. Where
the guarantees of both players meet, the score can be read off: neither can be kept from it.

The pairs are found by a simple rule (two cells, each of which joins the same two things), so there
are boards that a good player can read and this cannot. What it does read is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product

from .base import PLAYERS, STONE, Bounds, Game, Player, Score, other
from .boards import EMPTY

Pair = tuple[int, int]
_WORK = 50_000  # the most for one reading: boards scored, times their cells
_MOST_PAIRS = 16


@dataclass(frozen=True)
class Reading:
    """The score that stands if both answer in their pairs; the pairs as names of cells."""

    points: tuple[int, int]
    winner: Player | None
    pairs: Mapping[Player, tuple[tuple[str, str], ...]]


def reading(game: Game, stones: bytes, bounds: Bounds) -> Reading | None:
    """The reading of a board whose ``bounds`` are known; None if there is none, or none is needed.

    It gives up where two stones a turn can break a pair, where more than half of the board is
    empty, and where finding out would take long.
    """
    if bounds.settled or not game.one_stone or 2 * stones.count(EMPTY) > len(stones):
        return None
    best = {player: _best_pairs(game, stones, player) for player in PLAYERS}
    x_hopes, o_hopes = (_fill(game, stones, player, best[player]) for player in PLAYERS)
    if x_hopes.points[0] < o_hopes.points[0] or x_hopes.points[1] > o_hopes.points[1]:
        return None  # no guarantee is better than one of the cases that it covers
    pairs = {player: _needed(game, stones, player, best[player]) for player in PLAYERS}
    cases = {}
    for player in PLAYERS:
        cases[player] = _cases(game, stones, player, pairs[player])
        if not cases[player]:
            return None
    x_least, o_most = (pick(s.points[i] for s in cases["X"]) for i, pick in ((0, min), (1, max)))
    x_most, o_least = (pick(s.points[i] for s in cases["O"]) for i, pick in ((0, max), (1, min)))
    if (x_least, o_most) != (x_most, o_least):
        return None
    sure = [p for p in PLAYERS if all(score.winner == p for score in cases[p])]
    names = game.grid.names
    return Reading(
        (x_least, o_most),
        sure[0] if len(sure) == 1 else None,
        {p: tuple((names[a], names[b]) for a, b in pairs[p]) for p in PLAYERS},
    )


# -- finding pairs


def _best_pairs(game: Game, stones: bytes, player: Player) -> list[Pair]:
    """The most promising of the sets of pairs that the different orders of preference give."""
    found: list[list[Pair]] = []
    for edge_weight in (0, 9, -9):
        pairs = _find_pairs(game, stones, player, edge_weight)
        if len(pairs) <= _MOST_PAIRS and pairs not in found:
            found.append(pairs)
    if len(found) < 2:
        return found[0] if found else []
    mine, theirs = (0, 1) if player == "X" else (1, 0)

    def lead(pairs: list[Pair]) -> int:
        points = _fill(game, stones, player, pairs).points
        return points[mine] - points[theirs]

    return max(found, key=lead)


def _find_pairs(game: Game, stones: bytes, player: Player, edge_weight: int) -> list[Pair]:
    """Disjoint pairs of empty cells, each cell of a pair joining the same two of a player's chains,
    or a chain and an edge of the board; links with the fewest cells come first.
    """
    chains = game.grid.chains(stones, STONE[player])
    chain_at = {cell: i for i, chain in enumerate(chains) for cell in chain}
    root = list(range(len(chains)))
    reached = [0] * len(chains)  # the edges that each chain touches
    for i, chain in enumerate(chains):
        for cell in chain:
            reached[i] |= game.edges[cell]

    def find(i: int) -> int:
        while root[i] != i:
            i = root[i]
        return i

    free = {}
    for cell, stone in enumerate(stones):
        if stone == EMPTY:
            near = {chain_at[c] for c in game.grid.neighbours[cell] if c in chain_at}
            if near and (len(near) > 1 or game.edges[cell]):
                free[cell] = near
    pairs: list[Pair] = []
    while True:
        links: dict[tuple[int, int], list[int]] = defaultdict(list)
        for cell, near in free.items():
            roots = sorted({find(i) for i in near})
            for p, q in combinations(roots, 2):
                links[p, q].append(cell)
            for p in roots:
                for bit in range((game.edges[cell] & ~reached[p]).bit_length()):
                    if game.edges[cell] >> bit & ~reached[p] >> bit & 1:
                        links[p, -1 - bit].append(cell)
        wide = [
            (len(cells) + (edge_weight if q < 0 else 0), p, q)
            for (p, q), cells in links.items()
            if len(cells) > 1
        ]
        if not wide:
            break
        _, p, q = min(wide)
        wanted = [cell for cells in links.values() for cell in cells]
        a, b = sorted(links[p, q], key=wanted.count)[:2]
        pairs.append((min(a, b), max(a, b)))
        del free[a], free[b]
        if q < 0:
            reached[p] |= 1 << -1 - q
        else:
            root[q] = p
            reached[p] |= reached[q]
    if game.has_points:  # the edge for its own sake
        at_edge: dict[int, list[int]] = defaultdict(list)
        for cell, near in free.items():
            if game.edges[cell]:
                at_edge[find(min(near))].append(cell)
        for cells in at_edge.values():
            pairs += zip(cells[::2], cells[1::2], strict=False)
    return pairs


def _needed(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> list[Pair]:
    """The pairs without those that add nothing in the case at hand."""
    hoped = _fill(game, stones, player, pairs).points
    for pair in reversed(pairs):
        fewer = [p for p in pairs if p != pair]
        if _fill(game, stones, player, fewer).points == hoped:
            pairs = fewer
    return pairs


# -- what they guarantee


def _fill(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> Score:
    """One case: the player has the first cell of each pair, the opponent all else."""
    board = bytearray(stones)
    for a, _ in pairs:
        board[a] = STONE[player]
    return game.score(bytes(board).replace(b".", bytes([STONE[other(player)]])))


def _cases(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> list[Score]:
    """The scores in all cases, alike ones once; empty if there are too many.

    The opponent has one cell of each pair and every other empty cell.
    """
    mine, theirs = STONE[player], STONE[other(player)]
    paired = {cell for pair in pairs for cell in pair}
    board = bytearray(stones)
    for cell, stone in enumerate(stones):
        if stone == EMPTY and cell not in paired:
            board[cell] = theirs
    open_pairs = []
    alike = list(_alike(game, bytes(board), pairs))
    for pair, same in zip(pairs, alike, strict=True):
        if same:
            board[pair[0]], board[pair[1]] = mine, theirs
        else:
            open_pairs.append(pair)
    if len(stones) << len(open_pairs) > _WORK // 2:
        return []
    found = []
    for shares in product((0, 1), repeat=len(open_pairs)):
        for (a, b), share in zip(open_pairs, shares, strict=True):
            board[a], board[b] = (theirs, mine) if share else (mine, theirs)
        found.append(game.score(bytes(board)))
    return found


def _alike(game: Game, board: bytes, pairs: list[Pair]) -> Iterator[bool]:
    """For each pair whether it makes no difference which cell of it goes to whom.

    So it is for two cells off the edges that touch no other pair, touch the same chains of one
    player, and at most one chain each of the other's: either way the first player's chains are
    joined, the other's are not, and what touches what stays as it was.
    """
    chain_at = {
        cell: (stone, i)
        for stone in STONE.values()
        for i, chain in enumerate(game.grid.chains(board, stone))
        for cell in chain
    }
    near = game.grid.neighbours
    for a, b in pairs:
        if game.edges[a] or game.edges[b]:
            yield False
            continue
        touched = [
            {chain_at.get(c) for c in near[cell] if c != partner}
            for cell, partner in ((a, b), (b, a))
        ]
        if None in touched[0] | touched[1]:
            yield False
            continue
        yield any(
            {t for t in touched[0] if t and t[0] == stone}
            == {t for t in touched[1] if t and t[0] == stone}
            and all(sum(t is not None and t[0] != stone for t in ts) <= 1 for ts in touched)
            for stone in STONE.values()
        )
