"""Drawings: to the letter where they are given, and for all sizes what a reader finds in them."""

from __future__ import annotations

import random

import pytest
from boards_of import names_of, random_board, read_drawing, set_up, sizes, vectors

from pbmstar import games
from pbmstar.games.base import Game

STAR_6 = r"""
           1-   . . . . .
          2-   . . . . . .
         3-   . . . . . . .
        4-   . . . . . . . .
       5-   . . . . . . . . .
      6-   . . . . . . . . . .
       7-   . . . . . . . . .
        8-   . . . . . . . .   \
         9-   . . . . . . .   \ J
         10-   . . . . . .   \ I
                            \ H
                 \ \ \ \ \ \ G
                  A B C D E F
"""
STARSTAR_10 = """
                                 A

                                 0
                              .     .
                           .     9     .
                        .     .     .     .
                     .     .     8     .     .
                  .     .     .     .     .     .
               .     .     .     7     .     .     .
            .     .     .     .     .     .     .     .
         .     .     .     .     6     .     .     .     .
T     .     .     .     .     .     .     .     .     .     .     R
   0     .     .     .     .     5     .     .     .     .     0
      9     .     .     .     .     .     .     .     .     9
    .    8     .     .     .     4     .     .     .     8    .
       .    7     .     .     .     .     .     .     7    .
     .    .    6     .     .     3     .     .     6    .    .
        .    .    5     .     .     .     .     5    .    .
      .    .    .    4     .     2     .     4    .    .    .
         .    .    .    3     .     .     3    .    .    .
       .    .    .    .    2     1     2    .    .    .    .
          .    .    .    .    1     1    .    .    .    .
        .    .    .    .    .    *    .    .    .    .    .
           .    .    .    .    1   1    .    .    .    .
         .    .    .    .    2   .   2    .    .    .    .
            .    .    .    3   .   .   3    .    .    .
          .    .    .    4   .   .   .   4    .    .    .
             .    .    5   .   .   .   .   5    .    .
           .    .    6   .   .   .   .   .   6    .    .
              .    7   .   .   .   .   .   .   7    .
            .    8   .   .   .   .   .   .   .   8    .
               9   .   .   .   .   .   .   .   .   9
             0   .   .   .   .   .   .   .   .   .   0
           S                                           *
"""
EXAMPLE_1 = """
               A

               x
            o     x
         o     x     o
T     x     x     o     .     R
   o     x     x     o     o
      o     o     .     o
    .    x     o     x    .
       o    x     o    o
     o    x    *    o    o
        x    o   x    x
      x    o   o   x    x
         o   o   .   3
       o   .   o   x   x
     S                   *
"""
HEX_5 = """
      A B C D E
    1  . . . . .  1
     2  . . . . .  2
      3  . . . . .  3
       4  . . . . .  4
        5  . . . . .  5
            A B C D E
"""
Y_8 = r"""
        1- .
       2- . .
      3- . . .
     4- . . . .
    5- . . . . .
   6- . . . . . .
  7- . . . . . . .
 8- . . . . . . . .
     \ \ \ \ \ \ \ \
      A B C D E F G H
"""
BENT_Y = """
                           T

                           8

                           7
                        .     .
                           6
                        .     .
                     .     5     .
                        .     .
                     .     4     .
                  .     .     .     .
                     .           .
                  .     .     .     .
               .     .           .     .
                  .                 .
               .     .     1     .     .
            .     .                 .     .
               .                       .
            .     .     1     1     .     .
         .     .                       .     .
            .                             .
         .     4     .     .     .     4     .
      .     5     .     .     .     .     5     .
         6     .     .     .     .     .     6
      7     .     .     .     .     .     .     7
   8     .     .     .     .     .     .     .     8
L                                                     R
"""


def test_star_6() -> None:
    game = games.make("star", {})
    assert "\n" + game.draw(game.start().stones) == STAR_6


def test_hex_and_y() -> None:
    for word, options, drawing in (
        ("hex", {"size": 5}, HEX_5),
        ("y", {"size": 8}, Y_8),
        ("y", {"bent": True}, BENT_Y),
    ):
        game = games.make(word, options)
        assert "\n" + game.draw(game.start().stones) == drawing


def test_starstar_10() -> None:
    game = games.make("*star", {})
    drawing = game.draw(game.start().stones)
    assert "\n" + drawing == STARSTAR_10
    lines = drawing.splitlines()
    assert (len(lines), max(map(len, lines))) == (34, 67)


def test_the_first_published_example() -> None:
    position = set_up(vectors("starstar")[0])
    assert "\n" + position.game.draw(position.stones) == EXAMPLE_1


def test_a_playable_star_is_drawn_like_a_cell() -> None:
    for word, options in (("*star", {"nobridge": True}), ("stary", {})):
        game = games.make(word, options)
        empty = game.draw(game.start().stones)
        assert "\n" + empty == STARSTAR_10.replace(".    *    .", ".    .    .")
        played = game.draw(game.start().play(game.read(["@"])).stones)
        assert "\n" + played == STARSTAR_10.replace(".    *    .", ".    x    .")


@pytest.mark.parametrize("game", sizes(), ids=lambda game: f"{game.word} {game.described()}")
def test_a_drawing_read_back_is_the_board(game: Game) -> None:
    rng = random.Random(1)
    for empty in (1.0, 0.5, 0.0):
        stones = random_board(rng, game, empty)
        drawing = game.draw(stones)
        assert read_drawing(game, drawing) == (
            names_of(game, stones, "x"),
            names_of(game, stones, "o"),
        )
        assert "\n--" not in drawing
        assert not any(line.startswith(">") for line in drawing.splitlines())
