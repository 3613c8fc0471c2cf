"""The search of a position: an estimate of it, and one of each move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from ...games.base import PLAYERS, Player
from . import kernel
from .arrays import Tables
from .jit import COMPILED, cells, fractions, longs, stones, zeros
from .kernel import Room, Setting, Tree

NODES = 6_000_000 if COMPILED else 300_000  # the most in a tree: 137 MiB with numba, 130 in lists
_GROW = 8
_BEYOND = (0,)  # after a board, see ``Room``
_PROOFS: tuple[Player | None, ...] = (None, *PLAYERS)


class Root(NamedTuple):
    """A position that is not full, for a search to begin with.

    board    0, 1 (X) or 2 (O) for each cell
    due      the number of stones that the mover has yet to put in this turn
    last     the cell of the opponent's last stone, -1 if it is not known
    target   X counts as the winner with a margin above this many points
    """

    board: bytes
    mover: Player
    due: int = 1
    last: int = -1
    target: int = 0


@dataclass(frozen=True)
class Choice:
    """The estimate of one move of one stone.

    visits   playouts after it
    value    the mover's chance after it, 0 to 1, from all playouts in which they got the cell
    proof    the player who wins for certain after it; None if none is known
    """

    cell: int
    visits: int
    value: float
    proof: Player | None


@dataclass(frozen=True)
class Estimate:
    """The result of a search.

    x         X's chance to win, 0 to 1: not calibrated, and too near to a half; from the second half of
              the playouts, since the first ones tried all moves
    margin    X's expected margin in points, from them too; only its sign has a meaning in games that a
              chain wins
    proof     the player who wins for certain; None if none is known
    choices   all moves, the best first
    line      the expected continuation, stone by stone, as cells
    playouts  the number of playouts that were made
    """

    x: float
    margin: float
    proof: Player | None
    choices: tuple[Choice, ...]
    line: tuple[int, ...]
    playouts: int


def search(tables: Tables, root: Root, playouts: int, seed: int) -> Estimate:
    """Search a position. The same arguments give the same estimate everywhere, compiled or not."""
    tree, half = grown(tables, root, playouts, seed)
    return _estimate(tree, half, tables, root.mover)


def grown(tables: Tables, root: Root, playouts: int, seed: int) -> tuple[Tree, tuple[int, ...]]:
    """Return the tree of a search, and its ``total`` after the first half of the playouts."""
    most, grow = nodes(tables, playouts)
    mover = PLAYERS.index(root.mover) + 1
    board = stones((*root.board, *_BEYOND))
    setting = Setting(board, mover, root.due, root.last, 4 * root.target, grow)
    short, long = partial(zeros, most, 16), partial(zeros, most)
    tree = Tree(
        first=long(),
        prior=short(),
        played=long(),
        won=long(),
        owned=long(),
        got=long(),
        proof=short(),
        total=longs((1, 0, 0, 0)),
    )
    space = room(tables, seed)
    kernel.run(tables, setting, tree, space, playouts // 2)
    half = tuple(map(int, tree.total))
    kernel.run(tables, setting, tree, space, playouts - int(tree.played[0]))
    return tree, half


def nodes(tables: Tables, playouts: int) -> tuple[int, int]:
    """Return the most nodes of a search's tree, and the playouts after which a node gets children."""
    grow = max(_GROW, playouts * tables.size // (NODES - 2 * tables.size))
    return min(NODES, (playouts // grow + 3) * tables.size + 1), grow


def room(tables: Tables, seed: int) -> Room:
    """Return sequences for the kernel to work in."""
    count = tables.size
    nothing = bytes(count)
    return Room(
        board=stones((*nothing, *_BEYOND)),
        filled=stones((*nothing, *_BEYOND)),
        stack=cells(nothing),
        empty=cells(nothing),
        at=cells(nothing),
        owned=zeros(count),
        got=zeros(count),
        ranks=zeros(tables.many),
        path=zeros(count + 2),
        movers=zeros(count + 2),
        seen=stones((*nothing, 1, 2, 3)),
        worth=zeros(count),
        value=fractions(count),
        seed=longs((_spread(seed),)),
    )


def _spread(seed: int) -> int:
    """Return a start for the random numbers, of 31 bits and never 0, from any number."""
    return (seed * 0x9E3779B97F4A7C15 >> 17) % ((1 << 31) - 1) + 1


def _estimate(tree: Tree, half: tuple[int, ...], tables: Tables, mover: Player) -> Estimate:
    total = tuple(map(int, tree.total))
    _, played, won, margin = (
        (a - b for a, b in zip(total, half, strict=True)) if total[1] > half[1] else total
    )
    choices = [
        _choice(tree, child, cell, mover)
        for cell, child in enumerate(_children(tree, tables, 0))
        if tree.proof[child] != kernel.TAKEN
    ]
    best = {mover: 1, None: 0}
    choices.sort(key=lambda c: (-best.get(c.proof, -1), -c.visits, -c.value, c.cell))
    proof = _PROOFS[tree.proof[0]]
    return Estimate(
        x=float(proof == "X") if proof else won / max(1, played),
        margin=margin / max(1, played),
        proof=proof,
        choices=tuple(choices),
        line=_line(tree, tables),
        playouts=total[1],
    )


def _children(tree: Tree, tables: Tables, node: int) -> range:
    first = int(tree.first[node])
    return range(first, first + tables.size) if first else range(0)


def _choice(tree: Tree, child: int, cell: int, mover: Player) -> Choice:
    """Return the move to a child of the root, valued as the kernel does."""
    played, won, owned = int(tree.played[child]), int(tree.won[child]), int(tree.owned[child])
    amaf = kernel.HALF * int(tree.got[child]) / owned
    value = (amaf + won + int(tree.prior[child])) / (kernel.HALF + played)
    value = min(1.0, max(0.0, value))
    proof = _PROOFS[tree.proof[child]]
    if proof:
        value = float(proof == "X")
    return Choice(cell, played, value if mover == "X" else 1 - value, proof)


def _line(tree: Tree, tables: Tables) -> tuple[int, ...]:
    """Return the cells of the moves that were searched most, one after the other."""
    line = []
    node = 0
    while children := _children(tree, tables, node):
        node = max(children, key=lambda child: int(tree.played[child]))
        if not tree.played[node]:
            break
        line.append(node - children.start)
    return tuple(line)
