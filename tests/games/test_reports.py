"""The detailed reports, and the short notes of letters."""

from __future__ import annotations

import random

import pytest
from boards_of import random_board, set_up, sizes, vectors

from pbmstar import games
from pbmstar.games.base import Game

EXAMPLE_1 = """\
X has 1 star.
  1. 7 peries, 2 quarks, 4 arms, uses the bridge
     holds *40 *41 S41 T41 A40 A41 R43
O has 3 stars.
  1. 8 peries, 2 quarks, 2 arms, uses the bridge
     holds *42 S40 A42 R40 R42
     encloses *43 A43 R41
  2. 3 peries, 1 quark, 1 arm
     holds S42 T40
     encloses S43
  3. 2 peries, 0 quarks, 1 arm
     holds T42 T43

                    X    O
peries              7   13
quark peri          0   +1
award              +4   -4
standard           11   10
alternative        +1   -1
simplified          3    2
arms and bridge     9    8
X is ahead by 1 however it is counted.
"""


def report(name: str, line: int) -> str:
    """The report of a vector's board."""
    position = set_up(vectors(name)[line])
    return "\n".join(position.game.report(position.stones)) + "\n"


def test_the_first_published_example() -> None:
    assert report("starstar", 0) == EXAMPLE_1
    position = set_up(vectors("starstar")[0])
    assert position.game.score(position.stones).notes == (
        "7 peries, 2 quarks, 1 star, award +4",
        "13 peries, 3 quarks (+1), 3 stars, award -4",
    )


def test_the_second_published_example() -> None:
    told = report("starstar", 1)
    assert "  1. 5 peries, 1 quark, 1 arm\n     holds *41 *42 R42 R43\n     encloses *40\n" in told
    assert "  sparks: S43\n" in told
    assert "award               0    0\nstandard           11   10\n" in told


def test_points_given_and_equal_scores() -> None:
    game = games.make("*star", {"rings": 3, "points": 4})
    full = game.start().stones.replace(b".", b"x")
    assert "points given       -4   +4" in game.report(full)
    tied = next(
        v
        for v in vectors("starstar")
        if len(set(v["expect"].get("scores", {0: 0, 1: 1}).values())) == 1
    )
    position = set_up(tied)
    assert position.game.report(position.stones)[-1] == (
        "Equal points: whoever has more quarks is ahead."
    )


def test_nobodys_and_shared_peries() -> None:
    game = games.make("*star", {"rings": 3})
    position = game.setup(["*31", "*32", "T31", "T32"], [])
    told = "\n".join(game.report(position.stones))
    assert "X has 2 stars.\n" in told
    assert "  enclosed by several stars: *30 S30" in told
    assert "arms and bridge" not in told
    position = game.setup(["*31", "*32"], ["T31", "T32"])
    assert "Nobody's: *30 S30 S31" in "\n".join(game.report(position.stones))


def test_the_worked_example_of_star() -> None:
    assert (
        report("star", 0)
        == """\
X has 0 points: 0 chains at the edge, 0 off it.
O has 8 points: 3 chains at the edge, 1 off it.
  9 external cells - 2 = 7
    H1 I1 H2 H3 H4 I4 H5 J3 G6 G7 G8 G9 F10
  3 external cells - 2 = 1
    A6
  2 external cells - 2 = 0
    B10
  off the edge: C7 C8

O is ahead by 8.
"""
    )
    assert report("star", 1).endswith(
        "The best chain counts, then the next best. O is ahead by 7.\n"
    )


def test_star_y() -> None:
    game = games.make("stary", {"rings": 3})
    position = game.setup(["@", "*10", "*20", "*30", "A10", "A20", "A30"], ["S31", "S10"])
    assert game.report(position.stones) == (
        "X has 1 chain at the sides, 0 off them.",
        "  *-S T-A A-R R-*: 7 stones, a Star Y",
        "    @ *10 A10 *20 A20 *30 A30",
        "O has 1 chain at the sides, 1 off them.",
        "  S-T: 1 stone",
        "    S31",
    )


@pytest.mark.parametrize("game", sizes(), ids=lambda game: f"{game.word} {game.described()}")
def test_lines_fit_in_a_mail(game: Game) -> None:
    rng = random.Random(5)
    for empty in (1.0, 0.3, 0.0):
        stones = random_board(rng, game, empty)
        for line in game.report(stones):
            assert len(line) <= 72
            assert line.isascii()
            assert line == line.rstrip()
        score = game.score(stones)
        assert all(len(note) <= 250 and note.isascii() for note in score.notes)
