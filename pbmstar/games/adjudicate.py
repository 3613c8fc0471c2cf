"""The reading of a board that is not settled: the score if both players answer in pairs.

A player who needs only one of two empty cells holds a *pair*: when the opponent takes one, the
player takes the other. With such pairs, and every other empty cell given to the opponent, the
player's worst case is a *guarantee*. It is sound in games with ``has_bounds``, because there, on a
full board, one more stone never harms its owner. If the guarantees of both players meet, the score
can be read off: nobody can keep either player from it.

The pairs are found by a simple rule (two cells, each of which joins the same two things). So there
are boards that a good player can read and this module cannot. The readings that it finds are right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product

from .base import PLAYERS, STONE, Bounds, Game, Player, Score, other
from .grids import EMPTY

Pair = tuple[int, int]
_WORK = 50_000  # the most for one reading: boards scored, times their cells
_FEW_CELLS = 16
_MOST_PAIRS = 16
_MOST_FREE = 8
_WIDE = 16  # points between the results of both players' first pairs: too many for further pairs to close


@dataclass(frozen=True)
class Reading:
    """The score that stands if both answer in their pairs; the pairs as names of cells."""

    points: tuple[int, int]
    winner: Player | None
    pairs: Mapping[Player, tuple[tuple[str, str], ...]]


def reading(game: Game, stones: bytes, bounds: Bounds) -> Reading | None:
    """Return the reading of a board whose ``bounds`` are known; None if there is none, or none is needed.

    It gives up if two stones a turn can break a pair, if much of the board is still empty, and if
    the answer would take long.
    """
    much = _FEW_CELLS + len(stones) // 10
    if bounds.settled or not (game.one_stone and game.has_bounds) or stones.count(EMPTY) > much:
        return None
    things = {player: _things(game, stones, player) for player in PLAYERS}
    plain = {player: _linking_pairs(game, things[player], 0) for player in PLAYERS}
    if sum(_lead(game, stones, player, plain[player]) for player in PLAYERS) < -_WIDE:
        return None
    best = {player: _best_pairs(game, stones, player, things[player]) for player in PLAYERS}
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


@dataclass(frozen=True)
class _Things:
    """A map of the chains and edges that empty cells can join for a player; chains go by number.

    near     for each empty cell that touches two or more chains, or a chain and an edge, its chains
    reached  for each chain the edges that it touches
    edges    ``Game.edges``, without the edges that the player does not want
    """

    near: dict[int, set[int]]
    reached: list[int]
    edges: list[int]


def _things(game: Game, stones: bytes, player: Player) -> _Things:
    edges = [bits & game.wanted(player) for bits in game.edges]
    chains = game.grid.chains(stones, STONE[player])
    chain_at = {cell: i for i, chain in enumerate(chains) for cell in chain}
    reached = [0] * len(chains)
    for cell, i in chain_at.items():
        reached[i] |= edges[cell]
    cells = {}
    for cell, stone in enumerate(stones):
        if stone == EMPTY:
            near = {chain_at[c] for c in game.grid.neighbours[cell] if c in chain_at}
            if near and (len(near) > 1 or edges[cell]):
                cells[cell] = near
    return _Things(cells, reached, edges)


def _best_pairs(game: Game, stones: bytes, player: Player, things: _Things) -> list[Pair]:
    """Return the most promising set of pairs of those that different orders of preference give."""
    choices: list[list[Pair]] = []
    for edge_weight in (0, 9, -9):
        pairs = _linking_pairs(game, things, edge_weight)
        if len(pairs) <= _MOST_PAIRS and pairs not in choices:
            choices.append(pairs)
    if not choices:
        return []
    best = choices[0]
    if len(choices) > 1:
        best = max(choices, key=lambda pairs: _lead(game, stones, player, pairs))
    return best + _even_pairs(game, stones, player, best)


def _linking_pairs(game: Game, things: _Things, edge_weight: int) -> list[Pair]:
    """Return disjoint pairs of cells that both join the same two chains, or a chain and an edge.

    Links over few cells come first; ``edge_weight`` puts links to an edge after or before others.
    """
    free = dict(things.near)
    reached = list(things.reached)
    root = list(range(len(reached)))  # chains that pairs have joined so far have one root

    def find(i: int) -> int:
        while root[i] != i:
            i = root[i]
        return i

    pairs: list[Pair] = []
    while True:
        links: dict[tuple[int, int], list[int]] = defaultdict(list)  # an edge is a number below 0
        for cell, near in free.items():
            roots = sorted({find(i) for i in near})
            for p, q in combinations(roots, 2):
                links[p, q].append(cell)
            for p in roots:
                new = things.edges[cell] & ~reached[p]
                for edge in range(new.bit_length()):
                    if new >> edge & 1:
                        links[p, ~edge].append(cell)
        wide = [
            (len(cells) + (edge_weight if q < 0 else 0), p, q)
            for (p, q), cells in links.items()
            if len(cells) > 1
        ]
        if not wide:
            break
        _, p, q = min(wide)
        wanted = [cell for cells in links.values() for cell in cells]
        a, b = sorted(sorted(links[p, q], key=wanted.count)[:2])
        pairs.append((a, b))
        del free[a], free[b]
        if q < 0:
            reached[p] |= 1 << ~q
        else:
            root[q] = p
            reached[p] |= reached[q]
    if game.has_points:  # cells at the edge count by themselves
        at_edge: dict[int, list[int]] = defaultdict(list)
        for cell, near in free.items():
            if things.edges[cell]:
                at_edge[find(min(near))].append(cell)
        for cells in at_edge.values():
            pairs += zip(cells[::2], cells[1::2], strict=False)
    return pairs


def _even_pairs(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> list[Pair]:
    """Return further pairs, of two cells that have nothing to do with each other, but gain the same."""
    paired = {cell for pair in pairs for cell in pair}
    free = [c for c, stone in enumerate(stones) if stone == EMPTY and c not in paired]
    if len(free) > _MOST_FREE:
        return []
    lead = _lead(game, stones, player, pairs)
    gaining: dict[int, list[int]] = defaultdict(list)
    for cell in free:
        gain = _lead(game, stones, player, [*pairs, (cell, cell)]) - lead
        if gain:
            gaining[gain].append(cell)
    return [
        pair for cells in gaining.values() for pair in zip(cells[::2], cells[1::2], strict=False)
    ]


def _needed(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> list[Pair]:
    """Return the pairs without those that add nothing in the case of ``_fill``."""
    hoped = _fill(game, stones, player, pairs).points
    for pair in reversed(pairs):
        fewer = [p for p in pairs if p != pair]
        if _fill(game, stones, player, fewer).points == hoped:
            pairs = fewer
    return pairs


# -- their guarantees


def _fill(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> Score:
    """Return the score of one case: the player has the first cell of each pair, the opponent the rest."""
    board = bytearray(stones)
    for a, _ in pairs:
        board[a] = STONE[player]
    return game.score(bytes(board).replace(b".", bytes([STONE[other(player)]])))


def _lead(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> int:
    """Return by how many points the player leads in the case of ``_fill``."""
    x, o = _fill(game, stones, player, pairs).points
    return x - o if player == "X" else o - x


def _cases(game: Game, stones: bytes, player: Player, pairs: list[Pair]) -> list[Score]:
    """Return the scores in all cases, one for cases that are alike; empty if there are too many.

    The opponent has one cell of each pair and every other empty cell.
    """
    mine, theirs = STONE[player], STONE[other(player)]
    paired = {cell for pair in pairs for cell in pair}
    board = bytearray(stones)
    for cell, stone in enumerate(stones):
        if stone == EMPTY and cell not in paired:
            board[cell] = theirs
    open_pairs = []
    for pair, same in zip(pairs, _alike(game, bytes(board), pairs), strict=True):
        if same:
            board[pair[0]], board[pair[1]] = mine, theirs
        else:
            open_pairs.append(pair)
    if len(stones) << len(open_pairs) > _WORK // 2:
        return []
    scores = []
    for shares in product((0, 1), repeat=len(open_pairs)):
        for (a, b), share in zip(open_pairs, shares, strict=True):
            board[a], board[b] = (theirs, mine) if share else (mine, theirs)
        scores.append(game.score(bytes(board)))
    return scores


def _alike(game: Game, board: bytes, pairs: list[Pair]) -> list[bool]:
    """Return for each pair if it makes no difference which player has which of its cells.

    This is true of two cells off the edges that touch no other pair, touch the same chains of one
    player, and touch at most one chain each of the other player. Either way the first player's chains
    are joined, the other's are not, and all contacts between chains stay the same.
    """
    chain_at: dict[int, tuple[int, int]] = {}
    for stone in STONE.values():
        for i, chain in enumerate(game.grid.chains(board, stone)):
            chain_at |= dict.fromkeys(chain, (stone, i))

    def alike(a: int, b: int) -> bool:
        around = [[c for c in game.grid.neighbours[cell] if c not in (a, b)] for cell in (a, b)]
        if game.edges[a] or game.edges[b] or any(c not in chain_at for cs in around for c in cs):
            return False
        here, there = ({chain_at[c] for c in cells} for cells in around)
        for stone in STONE.values():
            rest = {t for t in here if t[0] != stone}, {t for t in there if t[0] != stone}
            if here - rest[0] == there - rest[1] and all(len(chains) < 2 for chains in rest):
                return True
        return False

    return [alike(a, b) for a, b in pairs]
