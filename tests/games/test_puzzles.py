"""The puzzles: turns, taking back, parity, ranks, hints; beside the slow count."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from games import naive_rows
from games.boards_of import APART, names_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.errors import Refusal
from pbmstar.games.base import Ending, Position
from pbmstar.games.pentagon.straights import STAR, lines
from pbmstar.games.puzzles.jumps import Jumps, jumps_from, plain_cell
from pbmstar.games.puzzles.minisolitaire import MiniSolitaire, way
from pbmstar.games.puzzles.puzzle import Puzzle, symmetries
from pbmstar.games.puzzles.queens import KNOWN, Queens
from pbmstar.games.puzzles.ringsolitaire import RingSolitaire
from pbmstar.games.puzzles.supplyline import SupplyLine

SUPPLY, RING, MINI = SupplyLine({}), RingSolitaire({}), MiniSolitaire({})
RING_6 = RingSolitaire({"ring": 6})
MOST, FEWEST = Queens({}), Queens({"fewest": True})
JUMPING = (SUPPLY, RING, RING_6, MINI)
ALL = (*JUMPING, MOST, FEWEST)
NAMES = SUPPLY.grid.names
every = pytest.mark.parametrize("game", ALL, ids=lambda game: f"{game.word} {game.described()}")


def play(game: Puzzle, text: str) -> Position:
    """The position after moves parted by blanks."""
    position = game.start()
    for move in text.split():
        position = position.play(game.read([move]))
    return position


def random_play(game: Puzzle, rng: random.Random, moves: int = 200) -> Position:
    """The position after so many single steps at random, or at the end."""
    position = game.start()
    while not position.over and position.played < moves:
        steps = [move for move in game.turns(position) if move.count("-") < 2]
        position = position.play(rng.choice(steps))
    return position


def refusal(position: Position, move: str) -> str:
    """The code with which a move is refused, read and played."""
    with pytest.raises(Refusal) as error:
        position.play(position.game.read(move.split()))
    return error.value.code


# -- one player


@every
def test_undo_brings_back_each_position_even_after_the_end(game: Puzzle) -> None:
    rng = random.Random(1)
    position, path = game.start(), []
    assert refusal(position, "undo") == "nothing-to-undo"
    while not position.over:
        path.append(position)
        position = position.play(rng.choice([m for m in game.turns(position) if len(m) < 8]))
    assert position.ending == Ending("finished", None)
    assert position.to_move is None
    assert game.verdict(position)
    for before in reversed(path):
        position = position.play(game.read(["Undo"]))
        assert position == before


# -- queens


def test_queens_by_the_naive_count() -> None:
    rng = random.Random(2)
    for game in (MOST, FEWEST) * 5:
        position = random_play(game, rng, rng.randint(0, 20))
        queens = names_of(game, position.stones, "x")
        free = set(game.grid.names) - naive_rows.guarded(queens)
        assert {game.grid.names[cell] for cell in game.free(position.stones)} == free
        assert not any(b in naive_rows.guarded({a}) for a, b in combinations(queens, 2))
        if position.over:
            assert game.rank(position.stones) == abs(len(queens) - (9 if game.fewest else 17))


@pytest.mark.parametrize(("game", "best"), [(MOST, 17), (FEWEST, 9)])
def test_hints_lead_to_the_best_arrangement_from_any_view(game: Queens, best: int) -> None:
    for image in symmetries(False):
        cells = [image[game.grid.index[name]] for name in KNOWN[best].split()]
        position = game.start().play(game.grid.names[cells[3]]).play(game.grid.names[cells[5]])
        while (hint := position.hint()) is not None:
            position = position.play(hint)
        assert position.over and game.solved(position.stones)
        assert position.hint() is None
    assert game.start().play("*10").hint() is None
    assert str(game.verdict(position)) == (
        f"{best} queens, and every cell is guarded (the most possible is 17, and the fewest is 9)"
    )


def test_more_than_17_queens_have_no_room() -> None:
    """Each queen takes three of 52 places: 50 rows hold one queen each, the five arms hold two."""
    arms = [{f"{arm}{ring % 10}0" for ring in range(1, 11)} for arm in "*STAR"]
    rows = {frozenset(NAMES[cell] for cell in line) for line in lines(10).lines if STAR not in line}
    assert len(rows) == 50
    for name in NAMES[1:]:
        taken = sum(name in row for row in rows) + any(name in arm for arm in arms)
        assert taken == 3 and naive_rows.guarded({name}) >= {
            cell for row in rows if name in row for cell in row if cell != name
        }
    for i, arm in enumerate(arms):  # of three arms two are opposite
        seen = naive_rows.guarded({min(arm)})
        assert [j for j in range(5) if arms[j] <= seen | {min(arm)}] == sorted(
            {i, (i + 2) % 5, (i + 3) % 5}
        )
    assert 18 * 3 > 50 + 2 >= 17 * 3


# -- jumps


def test_jumps_by_the_naive_count() -> None:
    rng = random.Random(3)
    for game in JUMPING * 4:
        position = random_play(game, rng, rng.randint(0, 12))
        found = {move for move in game.turns(position) if move.count("-") == 1}
        stones = names_of(game, position.stones, "x")
        assert found == {f"{a}-{b}" for a, b in naive_rows.jumps(stones)}
        assert game.legal(position) == len(found)


def test_every_three_in_a_row_hold_one_plain_cell() -> None:
    assert sum(map(plain_cell, NAMES)) == 91
    threes = {
        frozenset((cell, *found[:2]))
        for cell, rows in naive_rows.ways().items()
        for found in rows
        if len(found) > 1
    }
    assert len(threes) == 1450 / 2
    assert all(sum(map(plain_cell, three)) == 1 for three in threes)


# For each ring a weight for each of its counts; the star first.
EVEN = [[1]] + [[int(n % 2 == k % 2 == 0) for k in range(n)] for n in range(1, 11)]
SIX = [[int(sign) for sign in row.split()] for row in (
    "16", "10", "6 6", "4 4 4", "2 2 2 2", "2 2 2 2 2", "0 1 0 1 0 1", "2 1 2 2 2 2 1",
    "0 1 0 1 0 1 0 1", "2 1 2 1 2 2 1 2 1", "0 0 0 0 0 0 0 0 0 0",
)]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "weights", "sums"), [(RING, EVEN, (0, 1)), (RING_6, SIX, (15, 16))]
)
def test_no_ring_can_end_on_the_star(
    game: RingSolitaire, weights: list[list[int]], sums: tuple[int, int]
) -> None:
    """No jump makes the stones heavier, and the ring weighs less than one stone on the star."""
    weight = [weights[game.ring(cell)][int(f"0{NAMES[cell]}"[3:] or 0)] for cell in range(276)]
    jumps = [(cell, over, to) for cell in range(276) for over, to in jumps_from(cell)]
    assert len(jumps) == 1450
    assert all(weight[to] <= weight[cell] + weight[over] for cell, over, to in jumps)
    ring = sum(weight[cell] for cell in game.cells(game.start().stones))
    assert (ring, weight[STAR]) == sums and ring < weight[STAR]


def test_supply_line_needs_five_rings() -> None:
    """A weight of 0.618 to the distance from a cell never grows: four rings weigh less than 1."""
    golden = (5**0.5 - 1) / 2
    four = [cell for cell in range(276) if SUPPLY.ring(cell) < 5]
    for goal in filter(SUPPLY.is_goal, range(276)):
        away, walk = {goal: 0}, [goal]
        for cell in walk:
            for near in SUPPLY.grid.neighbours[cell]:
                if near not in away:
                    away[near] = away[cell] + 1
                    walk.append(near)
        assert sum(golden ** away[cell] for cell in four) < 0.9


@given(st.sampled_from(JUMPING), st.randoms(use_true_random=False))
@settings(max_examples=3 * settings.default.max_examples // 10, deadline=None)
def test_parity_never_changes(game: Jumps, rng: random.Random) -> None:
    start = game.start().stones
    ends = [game.can_end_on(start, cell) for cell in range(len(NAMES))]
    stones = random_play(game, rng, rng.randint(1, 40)).stones
    assert [game.can_end_on(stones, cell) for cell in range(len(NAMES))] == ends
    if stones.count(b"x") == 1:
        assert ends[stones.index(b"x")]


def test_where_a_last_stone_can_stand() -> None:
    """Supply Line at offsets 2, 5, 8; Ring has no goal; Mini neither beside it nor on a corner."""

    def ends(game: Jumps) -> set[str]:
        stones = game.start().stones
        cells = [c for c in range(len(NAMES)) if game.is_goal(c) and game.can_end_on(stones, c)]
        return {NAMES[cell] for cell in cells}

    assert ends(SUPPLY) == {f"{arm}0{offset}" for arm in "*STAR" for offset in (2, 5, 8)}
    assert ends(RING) == set()
    assert ends(MINI) == {"@", "*21", "S21", "T21", "A21", "R21"}


@pytest.mark.parametrize(
    ("game", "number", "turns", "verdict"),
    [
        (SUPPLY, 0, 65, "solved in 65 turns, with one stone left on the outermost ring"),
        (SUPPLY, 1, 68, "solved in 68 turns, with one stone left on the outermost ring"),
        (RING, 0, 16, "3 stones left after 16 turns, the fewest possible"),
        (RING_6, 0, 15, "4 stones left after 15 turns (the fewest known is 4)"),
        (
            MINI,
            0,
            5,
            "solved in 5 turns, with one stone left on the star (the fewest possible is 5)",
        ),
        (MINI, 1, 4, "solved in 4 turns, with one stone left in the middle of a side (the fewest "),
    ],
)
def test_known_solutions_and_the_hints_along_them(
    game: Jumps, number: int, turns: int, verdict: str
) -> None:
    solution = game.solutions[number].split()
    position = play(game, " ".join(solution))
    assert (position.over, position.played) == (True, turns)
    assert game.solved(position.stones) and game.rank(position.stones) == 0
    assert str(game.verdict(position)).startswith(verdict)
    assert game.start().hint() in {way.split()[0] for way in game.solutions}
    image = symmetries(True)[7]
    back = {NAMES[cell]: NAMES[to] for cell, to in enumerate(image)}
    mirrored = [[back[name] for name in move.split("-")] for move in solution]
    position = game.start()
    for names in mirrored:
        if len(names) > 2:  # in the midst of a chain as well
            half = position.play("-".join(names[:2]))
            assert half.hint() == "-".join(names[1:])
        assert position.hint() is not None
        position = position.play("-".join(names))


@pytest.mark.slow
def test_a_hint_that_is_found_by_search_leads_to_the_end() -> None:
    rng = random.Random(5)
    found = 0
    for _ in range(12 // APART):
        position = random_play(MINI, rng, rng.randint(1, 4))
        hint = position.hint()
        found += hint is not None
        while hint is not None:
            position = position.play(hint)
            hint = position.hint()
            assert hint or MINI.solved(position.stones)
    assert found > 6 // APART


def test_the_search_is_bounded_and_says_when_there_is_no_way() -> None:
    stones = frozenset(MINI.cells(MINI.start().stones))
    assert way(stones, frozenset(range(6, 276)), 5) is None
