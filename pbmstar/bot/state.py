"""The kernel's data: tuples of sequences, which numba takes as they are."""

from __future__ import annotations

from typing import NamedTuple

from .jit import Array


class Setting(NamedTuple):
    """The beginning of a search.

    mover    1 or 2, who has ``due`` stones to put before the turn ends
    last     the cell of the opponent's last stone, -1 for none
    target   X counts as the winner if ``judge`` gives more
    grow     playouts that a node must have before it gets children
    """

    stones: Array
    mover: int
    due: int
    last: int
    target: int
    grow: int


class Tree(NamedTuple):
    """The nodes, 0 being the root: each sequence but the last has a number for each of them.

    first, kids     where the children begin, and how many there are
    cell            the cell that was taken to come here
    played, won     playouts through the node, and those that X won
    owned, got      those in which the mover at the parent came to own ``cell``, and those that X won
    proof           OPEN, or who wins for certain
    total           nodes in use; playouts; X's wins; the sum of X's margins
    """

    first: Array
    kids: Array
    cell: Array
    played: Array
    won: Array
    owned: Array
    got: Array
    proof: Array
    total: Array


class Room(NamedTuple):
    """Sequences to work in, as long as the board and a little more; ``seed`` is one number, never 0.

    owned, got  for each cell in how many playouts of a leaf X owned it, and of those X won
    path        the nodes from the root to a leaf, and who is to move at each
    """

    board: Array
    filled: Array
    left: Array
    stack: Array
    empty: Array
    owned: Array
    got: Array
    ranks: Array
    path: Array
    movers: Array
    seed: Array
