"""The search itself: it fills and judges boards, and grows the tree; compiled if numba is installed.

It is a Monte Carlo tree search in which every playout fills the board. Each cell then has an owner. So a
playout counts for every move of every position on its way, not only for the moves that were made
(AMAF). A node counts its playouts, and how many of them X won.

All of it is in one file, because numba looks only at this file's age to see if its cache is valid. So
touch this file after you change a constant of ``arrays``, or the meaning of a field there.
"""

from __future__ import annotations

from typing import NamedTuple

from .arrays import (
    ADDED,
    ANSWERS,
    AROUND,
    BITS,
    CORNER,
    PLACES,
    RANKED,
    RELATED,
    SAVES,
    SECTORS,
    UNITED,
    USUAL,
    WIDTH,
    Tables,
)
from .jit import COMPILED, Array, Fractions, compiled, lent, lowest

LEAF = 4  # playouts at each leaf
HALF = 500.0  # own playouts of a move that weigh as much as AMAF
BIAS = 60  # wins that the likeliest move of a position has from the start; ...
LESS = 400  # ... moves that seem this much less likely (``Tables.learned``) have none
OLD = 40  # playouts for AMAF that a new move takes over from the node two turns up
OPEN = 0  # a proof that names no winner; the others are 1 (X) and 2 (O)
TAKEN = 3  # the proof of a node that stands for no move, because its cell isn't empty
# Random numbers of 32 bits, each from the one before it. The upper bits are the random ones.
_FACTOR, _MORE, _MASK = 747796405, 2891336453, (1 << 32) - 1
# Compiled loops over a cell's neighbours have one length (``WIDTH if COMPILED``): without a branch at their
# ends they take a quarter less. A place that isn't used is a cell after the last one, which is always empty.


Bits = tuple[int, int]  # a set of cells: of the first ``BITS`` cells, and of those after them

# The kernel's data: tuples of sequences, which numba takes as they are.


class Setting(NamedTuple):
    """The beginning of a search.

    mover    the player to move, 1 or 2, with ``due`` stones left to put in this turn
    last     the cell of the opponent's last stone, -1 for none
    target   X counts as the winner if ``judge`` returns more than this
    grow     playouts that a node must have before it gets children
    """

    stones: Array
    mover: int
    due: int
    last: int
    target: int
    grow: int


class Tree(NamedTuple):
    """The nodes; node 0 is the root. Each sequence except the last has a number for each node.

    first           the first child, or 0; a node that has children has one for each cell of the board,
                    in order, so that a loop over them needs no look at anything else
    prior           wins of X with which the move begins, less than 0 if O made it
    played, won     playouts through the node, and how many of them X won
    owned, got      playouts in which the mover at the parent came to own the cell, and those that X won
    proof           OPEN, or the player who wins for certain, or TAKEN
    total           nodes in use; playouts; X's wins; the sum of X's margins
    """

    first: Array
    prior: Array
    played: Array
    won: Array
    owned: Array
    got: Array
    proof: Array
    total: Array


class Room(NamedTuple):
    """Sequences to work in, as long as the board and a little more; ``seed`` is one number, never 0.

    board, filled  the stones, and after them an empty cell
    owned, got    for each cell the playouts of a leaf in which X owned it, and how many of them X won
    path, movers  the nodes from the root to a leaf, and the player to move at each
    seen          the board, and after it the stones of the three kinds of edge
    worth         how likely each move is
    value         what each move is worth to the mover
    """

    board: Array
    filled: Array
    stack: Array
    empty: Array
    at: Array
    owned: Array
    got: Array
    ranks: Array
    path: Array
    movers: Array
    seen: Array
    worth: Array
    value: Fractions
    seed: Array


@compiled
def chain(
    t: Tables, board: Array, stack: Array, start: int, stone: int, kind: int
) -> tuple[int, int]:
    """Return the sum of the weights of a chain, and their union as sets; add 4 to each of its stones."""
    near, degree, weight = t.near, t.degree, t.weight
    board[start] = stone | 4
    stack[0] = start
    top = 1
    heavy = 0
    union = 0
    while top > 0:
        top -= 1
        cell = stack[top]
        heavy += weight[cell]
        union |= weight[cell]
        if kind == RANKED and board[t.after[cell]] & 3 != stone:
            heavy += 1
        base = WIDTH * cell
        for i in range(WIDTH if COMPILED else degree[cell]):
            other = near[base + i]
            if board[other] == stone:
                board[other] = stone | 4
                stack[top] = other
                top += 1
    return heavy, union


@compiled
def walk(
    t: Tables, board: Array, kind: int, stone: int, rest: Bits, start: Bits
) -> tuple[int, int, Bits]:
    """Return what ``chain`` does, and the player's cells that are left.

    ``rest`` are their cells in no chain so far, ``start`` is one of them. The board must fit into ``Bits``.
    """
    links, weight = t.links, t.weight
    found, found_2 = start
    rest_1, rest_2 = rest[0] ^ found, rest[1] ^ found_2
    heavy = 0
    union = 0
    while found | found_2:
        while found:
            cell = lowest(found)
            found &= found - 1
            heavy += weight[cell]
            union |= weight[cell]
            if kind == RANKED and board[t.after[cell]] != stone:
                heavy += 1
            near = links[2 * cell] & rest_1
            rest_1 ^= near
            found |= near
            if COMPILED:
                near = links[2 * cell + 1] & rest_2
                rest_2 ^= near
                found_2 |= near
        while found_2:
            cell = BITS + lowest(found_2)
            found_2 &= found_2 - 1
            heavy += weight[cell]
            union |= weight[cell]
            if kind == RANKED and board[t.after[cell]] != stone:
                heavy += 1
            near = links[2 * cell] & rest_1
            rest_1 ^= near
            found |= near
            near = links[2 * cell + 1] & rest_2
            rest_2 ^= near
            found_2 |= near
    return heavy, union, (rest_1, rest_2)


@compiled
def bits(t: Tables, board: Array, stone: int) -> Bits:
    """Return a player's cells on a full board that fits into ``Bits``."""
    flip = stone & 1 ^ 1
    low = high = 0
    for i in range(min(BITS, t.size)):
        low |= int(board[i] & 1 ^ flip) << i
    for i in range(t.size - BITS):
        high |= int(board[BITS + i] & 1 ^ flip) << i
    return low, high


@compiled
def on_rim(t: Tables, rest: Bits) -> Bits:
    """Return the first of these cells that lies on the rim; none if none does."""
    some, some_2 = rest[0] & t.met[0], rest[1] & t.met[1]
    if some:
        return some & -some, 0
    return 0, some_2 & -some_2


@compiled
def points(t: Tables, board: Array, stack: Array) -> int:
    """Return X's points on a full board; it may add 4 to a stone."""
    sum_ = 0
    if t.kind == ADDED:
        for start in t.rim:
            sum_ += board[start] & ~board[t.after[start]] & 1
    if t.size <= 2 * BITS:
        rest = bits(t, board, 1)
        begun = on_rim(t, rest)
        while begun[0] | begun[1]:
            heavy, union, rest = walk(t, board, ADDED, 1, rest, begun)
            sum_ += t.gain[heavy if t.kind == ADDED else union]
            begun = on_rim(t, rest)
        return sum_
    for start in t.rim:
        if board[start] == 1:
            heavy, union = chain(t, board, stack, start, 1, ADDED)
            sum_ += t.gain[heavy if t.kind == ADDED else union]
    return sum_


@compiled
def judge(t: Tables, board: Array, room: Room) -> int:
    """Return 4 times X's margin on a full board, plus 1 if X wins a tie, minus 1 if O wins it.

    It may add 4 to a stone of the board.
    """
    if t.total >= 0:
        return 4 * (2 * points(t, board, room.stack) - t.total)
    margin = corners = best_x = best_o = 0
    for stone in range(1, 3):
        sum_ = best = 0
        if t.size <= 2 * BITS:
            rest = bits(t, board, stone)
            begun = on_rim(t, rest)
            while begun[0] | begun[1]:
                heavy, union, rest = walk(t, board, t.kind, stone, rest, begun)
                value, held = gained(t, room, heavy, union, stone)
                sum_ += value
                best = max(best, value)
                corners += held
                begun = on_rim(t, rest)
        else:
            for start in t.rim:
                if board[start] == stone:
                    heavy, union = chain(t, board, room.stack, start, stone, t.kind)
                    value, held = gained(t, room, heavy, union, stone)
                    sum_ += value
                    best = max(best, value)
                    corners += held
        if stone == 1:
            margin, best_x = sum_, best
        else:
            margin, best_o = margin - sum_, best
    if t.kind == RANKED:
        return 4 * (best_x - best_o) + longer(t, room.ranks)
    if t.corners == 0:
        return 4 * margin
    more = 1 if 2 * corners > t.corners else -1
    return 4 * (margin + more - 2 * t.given) + more


@compiled
def gained(t: Tables, room: Room, heavy: int, union: int, stone: int) -> tuple[int, int]:
    """Return what a chain gains, and the corners that X holds through it; count it in ``room.ranks``."""
    if t.kind == UNITED:
        heavy = union
    held, heavy = heavy // CORNER, heavy % CORNER
    value = t.gain[heavy] if stone == 1 else t.gain[t.many + heavy]
    if t.kind == RANKED:
        room.ranks[value] += 1 if stone == 1 else -1
    return value, held if (heavy >= t.least) == (stone == 1) else 0


@compiled
def longer(t: Tables, ranks: Array) -> int:
    """Compare the players' numbers of chains of each value, from the highest on; set ``ranks`` to 0.

    Return 1 if X has more at the first difference, -1 if O has more, 0 if there is no difference.
    """
    sign = 0
    for value in range(t.many - 1, 0, -1):
        if sign == 0 and ranks[value] != 0:
            sign = 1 if ranks[value] > 0 else -1
        ranks[value] = 0
    return sign


@compiled
def fill(t: Tables, room: Room, empties: int, mover: int, due: int, last: int) -> None:
    """Fill ``room.filled`` at random, but save a link wherever the last stone attacks one.

    The first ``empties`` cells of ``room.empty`` are empty, and ``room.at`` says where each of them is there;
    their order changes.
    """
    filled, empty, at, near, degree = room.filled, room.empty, room.at, t.near, t.degree
    seed = room.seed[0]
    for left in range(empties, 0, -1):
        places = 0
        if last >= 0:
            base = WIDTH * last
            key = 0
            for i in range(USUAL if COMPILED else degree[last]):
                key |= filled[near[base + i]] << (2 * i)
            if COMPILED and degree[last] > USUAL:
                for i in range(USUAL, WIDTH):
                    key |= filled[near[base + i]] << (2 * i)
            places = t.reply[t.start[2 * last + mover - 1] + key]
        if places:
            turn = 0
            if places & (places - 1):  # more than one: start the search at a random place
                seed = (seed * _FACTOR + _MORE) & _MASK
                turn = (seed * WIDTH) >> 32
                places = (places << WIDTH | places) >> turn
            pick = at[near[base + (turn + lowest(int(places))) % WIDTH]]
        else:
            seed = (seed * _FACTOR + _MORE) & _MASK
            pick = (seed * left) >> 32
        cell = empty[pick]
        other = empty[left - 1]
        empty[pick] = other
        at[other] = pick
        empty[left - 1] = cell
        at[cell] = left - 1
        filled[cell] = mover
        due -= 1
        if due == 0:
            last = cell
            mover = 3 - mover
            due = t.turn
        else:
            last = -1
    room.seed[0] = seed


@compiled
def decided(t: Tables, s: Setting, room: Room) -> int:
    """Return the player, 1 or 2, who wins however ``room.board`` is filled; OPEN if there is none."""
    filled = room.filled
    winners = 0
    for stone in range(1, 3):
        filled[:] = room.board
        for i in range(t.size):
            if filled[i] == 0:
                filled[i] = stone
        winners |= 1 if judge(t, filled, room) > s.target else 2
    return OPEN if winners == 3 else winners


@compiled
def choose(t: Tables, tree: Tree, room: Room, at: int, mover: int) -> int:
    """Return the cell of the child to visit, -1 if the mover loses in all.

    A child is worth its wins and ``HALF`` playouts of AMAF, all by the playouts; this is written with one
    division, without a condition, and on slices, whose indexes can't be negative: all that for the sake of
    vector instructions. A won child has proved this node (``count``).
    """
    value, first = room.value, tree.first[at]
    end = first + t.size
    won, prior, played = tree.won[first:end], tree.prior[first:end], tree.played[first:end]
    owned, got, proof = tree.owned[first:end], tree.got[first:end], tree.proof[first:end]
    sign = 3 - 2 * mover
    for cell in range(t.size):
        wins = HALF * got[cell] + (1.0 * won[cell] + prior[cell]) * owned[cell]
        value[cell] = sign * wins / (owned[cell] * (HALF + played[cell]))
    best = -1
    best_value = -2.0
    for cell in range(t.size):
        if value[cell] > best_value and proof[cell] == OPEN:
            best_value = value[cell]
            best = cell
    return best


@compiled
def weigh(t: Tables, room: Room, board: Array, mover: int, last: int) -> int:
    """Set ``room.worth`` for each empty cell, from the patterns round it; return the highest."""
    seen, worth, around, learned = room.seen, room.worth, t.around, t.learned
    empties = 0
    for cell in range(t.size):
        seen[cell] = board[cell]
        empties += board[cell] == 0
    own = (mover - 1) * t.lessons
    phase = own + PLACES + 64 * min(3, 4 * empties // t.size)
    best = -(1 << 30)
    for cell in range(t.size):
        if board[cell]:
            continue
        base = AROUND * cell
        ring = 0
        for i in range(6):
            ring |= seen[around[base + i]] << (2 * i)
        turned = ring | ring << 12
        sum_ = learned[own + ring] + learned[phase + t.place[t.size * (mover - 1) + cell]]
        ahead = seen[around[base + 12]]
        for i in range(6):
            now, ahead = ahead, seen[around[base + 12 + (i + 1) % 6]]
            key = (turned >> (2 * i)) & 15 | seen[around[base + 6 + i]] << 4 | now << 6 | ahead << 8
            sum_ += learned[own + SECTORS + key]
        worth[cell] = sum_
    if last >= 0:
        answers = WIDTH * last
        key = 0
        for i in range(t.degree[last]):
            key |= seen[t.near[answers + i]] << (2 * i)
        places = t.reply[t.start[2 * last + mover - 1] + key]
        for i in range(t.degree[last]):
            if places >> i & 1:
                worth[t.near[answers + i]] += learned[own + SAVES]
        for place in range(AROUND):
            cell = around[AROUND * last + place]
            if cell >= t.size or board[cell]:
                continue
            base = AROUND * cell
            sum_ = learned[own + RELATED + place // 6]
            for i in range(6):
                j = (i + 1) % 6
                where = -1
                if around[base + i] == last:
                    where = 0
                elif around[base + j] == last:
                    where = 1
                elif around[base + 6 + i] == last:
                    where = 2
                elif around[base + 12 + i] == last:
                    where = 3
                elif around[base + 12 + j] == last:
                    where = 4
                if where >= 0:
                    key = (
                        seen[around[base + i]]
                        | seen[around[base + j]] << 2
                        | seen[around[base + 6 + i]] << 4
                        | seen[around[base + 12 + i]] << 6
                        | seen[around[base + 12 + j]] << 8
                    )
                    sum_ += learned[own + ANSWERS + 1024 * where + key]
            worth[cell] += sum_
    for cell in range(t.size):
        if board[cell] == 0:
            best = max(best, worth[cell])
    return best


@compiled
def expand(t: Tables, tree: Tree, room: Room, depth: int, last: int) -> None:
    """Give the last node of the path a child for each empty cell, unless the tree is full.

    A child begins with AMAF from the nearest node above with the same player to move.
    """
    at, mover, board = room.path[depth], room.movers[depth], room.board
    first = tree.total[0]
    if first + t.size > len(tree.proof):
        return
    best = weigh(t, room, board, mover, last)
    above = depth - 1
    while above >= 0 and room.movers[above] != mover:
        above -= 1
    tree.first[at] = first
    tree.total[0] = first + t.size
    for cell in range(t.size):
        node = first + cell
        tree.owned[node] = OLD
        if board[cell]:
            tree.proof[node] = TAKEN
            continue
        prior = max(0, BIAS - (best - room.worth[cell]) * BIAS // LESS)
        tree.prior[node] = prior if mover == 1 else -prior
        if above >= 0:
            old = tree.first[room.path[above]] + cell
            owned = tree.owned[old]
            tree.got[node] = tree.got[old] * OLD // owned
        elif tree.played[at] > 0:
            tree.got[node] = tree.won[at] * OLD // tree.played[at]
        else:
            tree.got[node] = OLD // 2


@compiled
def count(t: Tables, tree: Tree, room: Room, depth: int, wins: int, live: bool) -> None:
    """Add a leaf's playouts to the nodes of ``room.path``; if it is ``live``, they count for AMAF too."""
    path, movers, owned, got = room.path, room.movers, room.owned, room.got
    for i in range(depth, -1, -1):
        at = path[i]
        tree.played[at] += LEAF
        tree.won[at] += wins
        if i < depth and tree.proof[at] == OPEN and tree.proof[path[i + 1]] == movers[i]:
            tree.proof[at] = movers[i]
        if live:
            first = tree.first[at]
            if first == 0:
                continue
            if movers[i] == 1:
                for cell in range(t.size):
                    tree.owned[first + cell] += owned[cell]
                    tree.got[first + cell] += got[cell]
            else:
                for cell in range(t.size):
                    tree.owned[first + cell] += LEAF - owned[cell]
                    tree.got[first + cell] += wins - got[cell]


@compiled
def visit(t: Tables, s: Setting, tree: Tree, room: Room) -> None:
    """Go down the tree, make playouts at a leaf, and count them at all nodes on the way."""
    board, path, movers = room.board, room.path, room.movers
    board[:] = s.stones
    at, mover, due, last = 0, s.mover, s.due, s.last
    path[0], movers[0] = 0, mover
    depth = 0
    while tree.first[at] > 0 and tree.proof[at] == OPEN:
        cell = choose(t, tree, room, at, mover)
        if cell < 0:
            tree.proof[at] = 3 - mover
            break
        at = tree.first[at] + cell
        board[cell] = mover
        due -= 1
        last = -1
        if due == 0:
            last = cell
            mover = 3 - mover
            due = t.turn
        depth += 1
        path[depth] = at
        movers[depth] = mover
    empties = 0
    for i in range(t.size):
        if board[i] == 0:
            room.empty[empties] = i
            room.at[i] = empties
            empties += 1
    if tree.proof[at] == OPEN and tree.first[at] == 0 and (tree.played[at] >= s.grow or at == 0):
        if at > 0 and 5 * empties < 4 * t.size:
            tree.proof[at] = decided(t, s, room)
        if tree.proof[at] == OPEN:
            expand(t, tree, room, depth, last)
    owned, got = room.owned, room.got
    wins = 0
    live = tree.proof[at] == OPEN
    if live:
        for i in range(t.size):
            owned[i] = 0
            got[i] = 0
        filled = room.filled
        for _ in range(LEAF):
            filled[:] = board
            fill(t, room, empties, mover, due, last)
            margin = judge(t, filled, room)
            tree.total[3] += (margin + 1) >> 2
            if margin > s.target:
                wins += 1
                for i in range(t.size):
                    owned[i] += filled[i] & 1
                    got[i] += filled[i] & 1
            else:
                for i in range(t.size):
                    owned[i] += filled[i] & 1
        tree.total[1] += LEAF
        tree.total[2] += wins
    elif tree.proof[at] == 1:
        wins = LEAF
    count(t, tree, room, depth, wins, live)


@compiled
def run(t: Tables, s: Setting, tree: Tree, room: Room, playouts: int) -> None:
    """Continue the search until the root is proved or ``playouts`` more have been made."""
    t, s, tree, room = lent(t), lent(s), lent(tree), lent(room)
    end = tree.played[0] + playouts
    while tree.proof[0] == OPEN and tree.played[0] < end:
        visit(t, s, tree, room)
