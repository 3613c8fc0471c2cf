"""One search of one position: what is believed of it, and of each move."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

from ..games.base import PLAYERS, Player
from . import kernel
from .jit import COMPILED, cells, longs, stones, zeros
from .state import Room, Setting, Tree
from .tables import Tables

_NODES = 6_000_000 if COMPILED else 300_000  # at most: 180 MiB in numbers of numba, 150 in lists
_GROW = 8
_PROOFS: tuple[Player | None, ...] = (None, *PLAYERS)
_SLICE = 512  # playouts between two looks at the clock


class Style(NamedTuple):
    """How a search is done; the defaults are the strongest that were measured.

    reply    links are saved in playouts
    half     own playouts of a move that weigh as much as AMAF; 0 switches AMAF off
    explore  the constant of UCT
    """

    reply: bool = True
    half: float = 1000.0
    explore: float = 0.0


BEST = Style()
PLAIN = Style(reply=False, half=0.0, explore=0.5)  # UCT without anything


@dataclass(frozen=True)
class Choice:
    """What is believed of one move of one stone.

    visits   playouts after it
    value    the mover's chance after it, 0 to 1, from all playouts in which they got the cell
    proof    who wins for certain after it; None if that is not known
    """

    cell: int
    visits: int
    value: float
    proof: Player | None


@dataclass(frozen=True)
class Estimate:
    """What a search found.

    x         X's chance to win, 0 to 1: not calibrated, and drawn together towards a half
    margin    X's expected margin in points; only its sign says something where chains win
    proof     who wins for certain; None if that is not known
    choices   all moves, the best first
    line      how the game is expected to go on, stone by stone
    playouts  that were made
    """

    x: float
    margin: float
    proof: Player | None
    choices: tuple[Choice, ...]
    line: tuple[int, ...]
    playouts: int


def search(
    tables: Tables,
    board: bytes,
    mover: Player,
    playouts: int,
    seed: int,
    *,
    due: int = 1,
    last: int = -1,
    target: int = 0,
    style: Style = BEST,
    seconds: float | None = None,
) -> Estimate:
    """Search a position that is not full.

    board    0, 1 (X) or 2 (O) for each cell
    due      how many stones the mover has to put yet in this turn
    last     the cell of the opponent's last stone, -1 if it is not known
    target   X counts as the winner with a margin above this many points
    seconds  of processor time: stop when they are over, though playouts are left

    The same arguments but ``seconds`` give the same estimate on every machine, compiled or not.
    """
    most, grow = nodes(tables, playouts)
    setting = Setting(
        stones(board), PLAYERS.index(mover) + 1, due, last, 4 * target, grow,
        int(style.reply), style.half, style.explore,
    )  # fmt: skip
    tree = Tree(
        zeros(most), zeros(most), zeros(most), zeros(most), zeros(most), zeros(most),
        zeros(most), zeros(most), longs((1, 0, 0, 0)),
    )  # fmt: skip
    work = room(tables, seed)
    if seconds is None:
        kernel.run(tables, setting, tree, work, playouts)
    else:
        end = time.process_time() + seconds
        while not tree.proof[0] and tree.played[0] < playouts and time.process_time() < end:
            kernel.run(tables, setting, tree, work, _SLICE)
    return _estimate(tree, mover, style.half)


def judged(tables: Tables, board: bytes) -> tuple[int, Player | None]:
    """X's margin on a full board of 1 and 2, and who has won."""
    found = kernel.judge(tables, stones(board), room(tables, 1))
    return (found + 1) >> 2, "X" if found > 0 else "O" if found < 0 else None


def nodes(tables: Tables, playouts: int) -> tuple[int, int]:
    """How many nodes the tree of a search may have, and the playouts before one gets children."""
    grow = max(_GROW, playouts * tables.size // (_NODES - 2 * tables.size))
    return min(_NODES, (playouts // grow + 3) * tables.size + 1), grow


def room(tables: Tables, seed: int) -> Room:
    """Sequences for the kernel to work in."""
    count = tables.size
    nothing = bytes(count)
    return Room(
        board=stones(nothing),
        filled=stones(nothing),
        left=stones(nothing),
        stack=cells(nothing),
        empty=cells(nothing),
        owned=zeros(count),
        got=zeros(count),
        ranks=zeros(tables.many),
        path=zeros(count + 2),
        movers=zeros(count + 2),
        seed=longs((_spread(seed),)),
    )


def _spread(seed: int) -> int:
    """A start for the random numbers, of 31 bits and never 0, from any number."""
    return (seed * 0x9E3779B97F4A7C15 >> 17) % ((1 << 31) - 1) + 1


def _estimate(tree: Tree, mover: Player, half: float) -> Estimate:
    choices = [_choice(tree, child, mover, half) for child in _children(tree, 0)]
    best = {mover: 1, None: 0}
    choices.sort(key=lambda c: (-best.get(c.proof, -1), -c.visits, -c.value, c.cell))
    proof = _PROOFS[tree.proof[0]]
    total = tree.total
    return Estimate(
        x=float(proof == "X") if proof else float(total[2] / max(1, total[1])),
        margin=float(total[3] / max(1, total[1])),
        proof=proof,
        choices=tuple(choices),
        line=_line(tree),
        playouts=int(total[1]),
    )


def _children(tree: Tree, node: int) -> range:
    first = int(tree.first[node])
    return range(first, first + int(tree.kids[node]))


def _choice(tree: Tree, child: int, mover: Player, half: float) -> Choice:
    """The move to a child of the root, valued as the kernel does."""
    played, won, owned = int(tree.played[child]), int(tree.won[child]), int(tree.owned[child])
    value = won / played if played else 0.5
    if owned:
        value = (half * int(tree.got[child]) / owned + won) / (half + played)
    proof = _PROOFS[tree.proof[child]]
    if proof:
        value = float(proof == "X")
    return Choice(int(tree.cell[child]), played, value if mover == "X" else 1 - value, proof)


def _line(tree: Tree) -> tuple[int, ...]:
    """The moves that were searched most, one after the other."""
    line = []
    node = 0
    while children := _children(tree, node):
        node = max(children, key=lambda child: int(tree.played[child]))
        if not tree.played[node]:
            break
        line.append(int(tree.cell[node]))
    return tuple(line)
