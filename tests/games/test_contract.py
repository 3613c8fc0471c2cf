"""What every game promises to the rest of the house, whatever its rules are."""

from __future__ import annotations

import math
import random

import pytest
from boards_of import KINDS

from pbmstar.errors import Refusal
from pbmstar.games.base import Game

every = pytest.mark.parametrize("game", KINDS, ids=lambda game: f"{game.word} {game.described()}")


@every
def test_each_legal_move_is_read_back_and_plays(game: Game) -> None:
    """Along a random game; and what is left out of the moves is refused."""
    rng = random.Random(1)
    position = game.start()
    for _ in range(40):
        moves = list(position.moves())
        assert len(moves) == len(set(moves))
        for move in rng.sample(moves, min(20, len(moves))):
            assert game.read(move.split(" ")) == move
            assert position.play(move).stones.count(b".") <= position.stones.count(b".")
        for move in {"swap", "pass", game.grid.names[0], game.grid.names[-1]} - set(moves):
            with pytest.raises(Refusal) as error:
                position.play(move)
            assert error.value.code != "refused"
        if position.over:
            assert not moves
            break
        position = position.play(rng.choice([move for move in moves if move != "pass"] or moves))


@every
def test_places_of_neighbours_are_about_one_apart(game: Game) -> None:
    """And no two cells are nearer to each other than neighbours."""
    grid = game.grid
    apart = [
        math.dist(grid.places[cell], grid.places[near])
        for cell, around in enumerate(grid.neighbours)
        for near in around
    ]
    assert 0.55 < min(apart) <= max(apart) < 2
    assert 0.9 < sum(apart) / len(apart) < 1.25
    rng = random.Random(2)
    for cell in rng.sample(range(len(grid)), 5):
        others = [math.dist(grid.places[cell], place) for place in grid.places]
        assert sorted(others)[1] >= min(apart) - 1e-9


@every
def test_what_a_first_letter_says(game: Game) -> None:
    assert game.brief.endswith(".") and game.brief.isascii()
    assert game.brief.count(". ") == 2, "three sentences"
    for player in game.seats:
        goal = game.goal(player)
        assert len(goal) <= 70 and goal.isascii() and not goal.endswith(".")
        assert goal or game.has_points
