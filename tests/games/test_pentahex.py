"""Penta-Hex: shapes, enclosures and relocations, winning; beside the slow count."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from games import naive, naive_rows
from games.boards_of import APART
from games.test_movement import HEX, NAMES, refusal, sides

from pbmstar.errors import IllegalMove
from pbmstar.games.base import Ending, Position
from pbmstar.games.pentagon import pentahex
from pbmstar.games.pentagon.board import pentagon
from pbmstar.games.pentagon.pentahex import PentaHex
from pbmstar.render.letters import Renderer

# -- shapes


CATALOGUE = """
0,0 0,1 0,2 0,3 0,4 | 0,0 0,1 0,2 0,3 1,3 | 0,0 0,1 0,2 1,2 1,3 | 0,0 0,1 0,2 1,2 2,1
0,0 0,1 0,2 1,2 2,2 | 0,0 0,1 0,3 1,1 1,2 | 0,0 0,1 1,1 1,2 2,0 | 0,0 0,1 1,1 1,2 2,2
0,0 0,1 1,1 2,1 2,2 | 0,0 0,1 1,1 2,1 3,0 | 0,1 0,2 1,0 1,2 2,0 | 0,1 1,1 1,2 1,3 2,0
0,0 0,1 0,2 0,3 1,0 | 0,0 0,1 0,2 0,3 1,1 | 0,0 0,1 0,2 1,0 1,2 | 0,0 0,1 0,2 1,0 2,0
0,0 0,1 0,2 1,1 2,1 | 0,0 0,1 1,1 1,2 2,1 | 0,0 0,1 0,2 1,1 1,2 | 0,1 0,2 1,0 1,1 2,1
0,1 0,2 1,1 2,0 2,1 | 0,0 0,1 0,2 1,0 1,1
"""


def test_the_catalogue_of_shapes() -> None:
    listed = [
        tuple((int(cell[0]), int(cell[2])) for cell in shape.split())
        for shape in CATALOGUE.strip().replace("\n", "|").split("|")
    ]
    assert list(pentahex.shapes()) == listed


@pytest.mark.slow
def test_the_shapes_of_all_connected_fives() -> None:
    """On six rings there are 12,340; the cut along a spoke gives the same shape as walking does."""
    grid, _ = pentagon(6, True)
    found = {frozenset([cell]) for cell in range(len(grid))}
    for _ in range(4):
        found = {
            five | {near}
            for five in found
            for cell in five
            for near in grid.neighbours[cell]
            if near not in five
        }
    ring = {"*10", "S10", "T10", "A10", "R10"}
    numbers = {shape: i for i, shape in enumerate(pentahex.shapes(), 1)}
    seen = []
    for five in found:
        names = {grid.names[cell] for cell in five}
        number = pentahex.shape_number(6, tuple(sorted(five)))
        flat = naive_rows.shape(names, 6)
        assert number == (numbers[flat] if flat and names != ring else None)
        assert (number is None) == ("@" in names or names == ring)
        contacts = sum(b in grid.neighbours[a] for a, b in combinations(five, 2))
        if number:
            seen.append(number)
            assert contacts == 4 + sum(number > last for last in (12, 18, 21))
    assert len(seen) == 12_340
    assert set(seen) == set(range(1, 23))


def test_pictures_of_shapes() -> None:
    assert pentahex.pictures([4, 11, 21]).split("\n") == [
        "4           11          21",
        "o            o o           o",
        " o   o      o           o o o",
        "  o o        o o         o",
    ]


def test_the_help_page_shows_all_shapes() -> None:
    page = Renderer(None, "star@pbm.example").help("pentahex").text
    for first in range(1, 23, 5):
        for line in pentahex.pictures(range(first, min(first + 5, 23))).split("\n"):
            assert f"\n  {line}\n" in page


# -- enclosures, relocations, winning


@pytest.mark.slow
def test_penta_hex_by_the_naive_count() -> None:
    """Random crowded boards: which movements are legal, and what they enclose."""
    rng = random.Random(5)
    seen = 0
    for separate in (False, True) * (10 // APART):
        game = PentaHex({"separate": separate})
        position = crowded(rng, game)
        x, o = sides(position)
        rim = set(naive.rim(10))
        for a, b in rng.sample(list(game.movements(position.stones, "X")), 90):
            here, to = NAMES[a], NAMES[b]
            mine = x - {here} | {to}
            lifted = naive_rows.enclosed(mine, o, to)
            seen += len(lifted)
            free = sorted(rim - mine - o, key=NAMES.index)
            expected = {
                " ".join([f"{here}-{to}", *cells])
                for cells in combinations(free, len(lifted))
                if naive_rows.stands(mine, o - lifted | set(cells), separate)
            } if len(lifted) < 2 else None  # fmt: skip
            found = set(game.completions(position.stones, "X", a, b))
            assert expected in (None, found)
    assert seen > 10 // APART


def crowded(rng: random.Random, game: PentaHex) -> Position:
    """A board on which the stones stand close together round the middle, and none has won."""
    while True:
        near = rng.sample(NAMES[:76], 34) + rng.sample(NAMES[76:], 16)
        rng.shuffle(near)
        try:
            position = game.setup(near[:25], near[25:])
        except IllegalMove:
            continue
        if not position.over:
            return position


TRIANGLE = (["R50", "*10", "A10"], ["R10", "T05"])


def test_an_answer_names_the_enclosed_stones_and_an_example_that_plays() -> None:
    position = HEX.setup(*TRIANGLE)
    with pytest.raises(IllegalMove, match="encloses your opponent's stone on R10") as error:
        position.play("R50-R20")
    example = str(error.value).rpartition("like ")[2].rstrip(".")
    assert position.play(example).stones.count(b"o") == 2


def test_no_relocation_can_mend_a_shape_that_the_mover_repeats() -> None:
    """X would complete a second row of five and enclose a stone: every cell is refused."""
    rows = [*(f"S{n}0" for n in range(4, 9)), *(f"R{n}0" for n in range(3, 7))]
    position = HEX.setup([*rows, "R90", "A10", "*10"], ["R10", "T05"])
    assert not position.over
    assert position.play("R90-R80").to_move == "O"
    assert "R90-R20" not in {move.split(" ")[0] for move in position.moves()}
    position = HEX.setup([*rows, "*31", "A10", "*10"], ["R10", "T05"])
    assert "R20" in naive_rows.reach("*31", set(rows))
    assert not [move for move in position.moves() if move.startswith("*31-R20")]
    assert refusal(position, "*31-R20") == refusal(position, "*31-R20 T00") == "shape-taken"


def test_a_relocation_mends_a_repeated_shape_by_joining_a_pentahex_of_its_side() -> None:
    """X's row of five repeats that of O at the edge, unless the stone put there makes it six."""
    x = ["R30", "R40", "R50", "R60", "*31", "A10", "*10"]
    position = HEX.setup(x, ["R10", *(f"S0{k}" for k in range(1, 6))])
    moves = [move for move in position.moves() if move.startswith("*31-R20")]
    assert moves == ["*31-R20 S00", "*31-R20 S06"]
    assert refusal(position, "*31-R20 T00") == "shape-taken"
    assert HEX.score(position.play(moves[0]).stones).points == (1, 0)


def test_five_pentahexes_win_at_once_and_letters_name_the_shapes() -> None:
    four = "T30 T40 T50 T60 T70 S30 S31 S40 S41 S42 *40 *41 *42 *50 *51 A40 A50 A60 A70 A71"
    position = HEX.setup([*four.split(), "R50", "R51", "R52", "R60", "R90"], ["T05", "T07"])
    score = HEX.score(position.stones)
    assert score.points == (4, 0)
    assert tuple(map(str, score.notes)) == ("4 pentahexes (1, 13, 19, 22)", "0 pentahexes")
    after = position.play("R90-R70")
    assert after.ending == Ending("pentahexes", "X")
    assert str(HEX.verdict(after)) == "X has five pentahexes"
    assert str(HEX.verdict(after, reader="X")) == "you have five pentahexes"
    assert len(HEX.score(after.stones).detail["shapes"]["X"]) == 5


def test_a_random_game_stays_legal() -> None:
    rng = random.Random(6)
    position = HEX.start()
    for _ in range(150):
        player = position.mover
        pairs = list(HEX.movements(position.stones, player))
        rng.shuffle(pairs)
        moves = (HEX.completions(position.stones, player, a, b) for a, b in pairs)
        position = position.play(next(move for found in moves for move in found))
        x, o = sides(position)
        assert (len(x), len(o)) == (25, 25)
        assert naive_rows.stands(x, o, False)
        if position.over:
            break
    assert len(position.history) == position.played
