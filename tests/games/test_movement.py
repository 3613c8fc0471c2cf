"""Games whose stones move: rows, spellings, perft, endings; beside the slow count."""

from __future__ import annotations

import random

import pytest
from games import naive_rows
from games.boards_of import names_of

from pbmstar.errors import IllegalMove, InvalidMove, Refusal
from pbmstar.games.base import Ending, Position
from pbmstar.games.pentagon.movement import LONGEST
from pbmstar.games.pentagon.pentahex import PentaHex
from pbmstar.games.pentagon.pentaline import PentaLine
from pbmstar.games.pentagon.straights import lines

LINE, HEX = PentaLine({}), PentaHex({})
NAMES = LINE.grid.names


def refusal(position: Position, move: str) -> str:
    """The code with which a move is refused, read and played."""
    with pytest.raises(Refusal) as error:
        position.play(position.game.read(move.split()))
    return error.value.code


def sides(position: Position) -> tuple[set[str], set[str]]:
    """X's and O's cells."""
    return names_of(position.game, position.stones, "x"), names_of(
        position.game, position.stones, "o"
    )


# -- rows


def test_the_rows_are_the_naive_ones() -> None:
    board = lines(10)
    assert len(board.lines) == 55
    assert sum(len(line) == 21 for line in board.lines if 0 in line) == 5
    pairs = {
        (cell, to): way[:i]
        for cell, found in naive_rows.ways().items()
        for way in found
        for i, to in enumerate(way)
    }
    assert pairs == {
        (NAMES[a], NAMES[b]): tuple(NAMES[cell] for cell in cells)
        for (a, b), cells in board.between.items()
    }


def test_one_cell_is_answered_with_where_its_stone_can_go() -> None:
    for game in (LINE, HEX):
        cell = next(iter(game.turns(game.start()))).partition("-")[0]
        ways = [
            move.partition("-")[2] for move in game.turns(game.start()) if move.startswith(cell)
        ]
        with pytest.raises(InvalidMove) as error:
            game.start().play(game.read([cell]))
        assert f"The stone on {cell} can move to {' '.join(ways[:8])}" in str(error.value)
    with pytest.raises(IllegalMove, match="is your opponent's"):
        LINE.start().play(LINE.read(["*04"]))


@pytest.mark.parametrize("game", [LINE, HEX])
def test_movements_by_the_naive_count(game: PentaLine | PentaHex) -> None:
    rng = random.Random(1)
    for _ in range(15):
        cells = rng.sample(NAMES, 40)
        position = Position(game, game.setup(cells[:20], cells[20:]).stones, to_move="X")
        x, o = sides(position)
        found = {(NAMES[a], NAMES[b]) for a, b in game.movements(position.stones, "X")}
        assert found == {(cell, to) for cell in x for to in naive_rows.reach(cell, x | o)}


@pytest.mark.parametrize(
    ("game", "stones", "number", "after"),
    [
        (LINE, "*", 60, 87_515 / 5),
        (HEX, "*04", 28, 19_182),
        pytest.param(HEX, "*", 140, 479_750 / 5, marks=pytest.mark.slow),
    ],
)
def test_perft(game: PentaLine | PentaHex, stones: str, number: int, after: int) -> None:
    """A fifth of the movements does: the start looks the same from every arm."""
    start = game.start()
    first = [move for move in game.turns(start) if move.startswith(stones)]
    assert (len(first), sum(game.legal(start.play(move)) for move in first)) == (number, after)


def test_both_players_begin_with_as_many_movements() -> None:
    for game, number in ((LINE, 300), (HEX, 700)):
        start = game.start()
        assert len(list(game.turns(start))) == number
        assert len(list(game.movements(start.stones, "O"))) == number


# -- endings


def test_swap_after_the_first_movement() -> None:
    position = LINE.start().play("*03-*02").play("swap")
    assert (position.swapped, position.to_move, position.played) == (True, "O", 1)
    assert refusal(position.play("*04-*03"), "swap") == "late-swap"


def test_the_third_time_is_a_draw_and_a_swap_is_none() -> None:
    cycle = ["*04-*03", "*02-*01", "*03-*04", "*01-*02"]
    position = LINE.start().play("*03-*02").play("swap")
    for move in cycle + cycle[:3]:
        position = position.play(move)
    assert not position.over
    position = position.play(cycle[3])
    assert position.ending == Ending("repetition", None)
    assert "third time" in str(LINE.verdict(position))


def test_the_same_stones_with_the_other_to_move_are_another_position() -> None:
    position = LINE.setup(["T10"], ["A90"])
    rounds = ["T10-T20", "A90-A80", "T20-T10", "A80-A90"]
    for move in rounds + rounds[:3]:
        position = position.play(move)
    assert not position.over
    assert position.play(rounds[3]).ending == Ending("repetition", None)


def test_a_game_ends_after_so_many_moves() -> None:
    rng = random.Random(3)
    position = LINE.setup(["T10"], ["A90"])
    while not position.over:
        moves = list(LINE.turns(position))
        rng.shuffle(moves)
        afters = (position.play(move) for move in moves)
        position = next((each for each in afters if not each.over), position.play(moves[0]))
    assert (position.ending, position.played) == (Ending("length", None), LONGEST)


def test_who_cannot_move_has_lost() -> None:
    around = ["T10", "A10", "R10", "*10"]
    position = LINE.setup([*around, "S50"], ["@"]).play("S50-S10")
    assert position.ending == Ending("blocked", "X")
    names = {"X": "ann", "O": "bob"}
    assert str(LINE.verdict(position, names)) == "bob can't move"
    assert str(LINE.verdict(position, names, "X")) == "bob can't move"
    assert str(LINE.verdict(position, names, "O")) == "you can't move"


@pytest.mark.parametrize("more", [[], ["*30"]])
def test_five_or_six_in_a_row_through_the_star_win(more: list[str]) -> None:
    position = LINE.setup(["*20", "*10", "T10", "T20", "A10", *more], ["A90"]).play("A10-@")
    assert position.ending == Ending("row", "X")
    assert str(LINE.verdict(position)) == "X has five in a row"
    assert str(LINE.verdict(position, reader="X")) == "you have five in a row"
    row = ("T20", "T10", "@", "*10", "*20", *more)
    assert LINE.winning_chain(position.stones) in (row, row[::-1])


def test_rows_by_the_naive_count() -> None:
    rng = random.Random(4)
    for _ in range(200):
        start = rng.choice(NAMES)
        way = rng.choice(sorted(naive_rows.ways()[start]))[: rng.randint(3, 6)]
        stones = {*rng.sample(NAMES, 4), start, *way}
        position = LINE.setup(stones, [])
        longest = naive_rows.longest_row(stones)
        assert (position.ending == Ending("row", "X")) == (longest >= 5)
        assert len(LINE.winning_chain(position.stones)) == (longest if longest >= 5 else 0)


def test_of_two_rows_set_up_that_of_the_player_not_to_move_counts() -> None:
    x, o = [f"T{n}0" for n in range(3, 8)], [f"R{n}0" for n in range(3, 8)]
    assert LINE.setup(x, o, "X").winner == "O"
    assert LINE.setup(x, o, "O").winner == "X"
