"""What every game promises to the rest of the house, whatever its rules are."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from itertools import islice

import pytest
from games.boards_of import APART, KINDS

from pbmstar.errors import Refusal
from pbmstar.games import GAMES
from pbmstar.games.base import Game

every = pytest.mark.parametrize("game", KINDS, ids=lambda game: f"{game.word} {game.described()}")


@every
def test_each_legal_move_is_read_back_and_plays(game: Game) -> None:
    """Along a random game; and what is left out of the moves is refused."""
    rng = random.Random(1)
    position = game.start()
    for number in range(41):
        moves = list(islice(position.moves(), 3000))
        if position.over:
            assert not moves
            break
        if number % APART:
            position = position.play(rng.choice([m for m in moves if m != "pass"] or moves))
            continue
        assert len(moves) == len(set(moves))
        for move in rng.sample(moves, min(20, len(moves))):
            assert game.read(move.split(" ")) == move
            after = position.play(move)
            assert after.played == position.played + (move != "swap")
            assert after.over == (next(after.moves(), None) is None)
        others = {"swap", "pass"} if len(moves) < 3000 else set()
        if game.one_stone:
            others |= {game.grid.names[0], game.grid.names[-1]}
        for move in others - set(moves):
            with pytest.raises(Refusal) as error:
                position.play(move)
            assert error.value.code != "refused"
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
    assert all(_is_sum(place, grid.steps) for place in grid.places if grid.steps)
    rng = random.Random(2)
    for cell in rng.sample(range(len(grid)), 5):
        others = [math.dist(grid.places[cell], place) for place in grid.places]
        assert sorted(others)[1] >= min(apart) - 1e-9


def _is_sum(place: tuple[float, float], steps: Sequence[tuple[float, float]]) -> bool:
    """Tell if a place is so many times a step and so many times the next one."""
    for a, b in zip(steps, (*steps[1:], steps[0]), strict=True):
        for times in range(28):
            x, y = (place[axis] - times * a[axis] for axis in (0, 1))
            too = x * b[0] + y * b[1]
            if abs(too - round(too)) < 1e-6 and too > -0.5 and abs(x * b[1] - y * b[0]) < 1e-6:
                return True
    return False


@every
def test_what_a_first_letter_says(game: Game) -> None:
    assert str(game.brief).endswith(".") and str(game.brief).isascii()
    assert len(str(game.brief).split()) <= 85, "a paragraph of a letter"
    for player in game.seats:
        goal = str(game.goal(player))
        assert len(goal) <= 70 and goal.isascii() and not goal.endswith(".")
        assert goal or game.has_points


@every
def test_facts_and_reports_along_a_random_game(game: Game) -> None:
    """They can be made of any position; numbers that say how much is legal agree with the moves."""
    rng = random.Random(3)
    position = game.start()
    for number in range(31):
        moves = [move for move in islice(position.moves(), 300) if move not in ("pass", "swap")]
        if number % APART and not position.over:
            position = position.play(rng.choice(moves))
            continue
        facts = game.facts(position)
        assert json.loads(json.dumps(facts)) == facts
        starts = {move.split(" ")[0] for move in islice(position.moves(), 3000)}
        if facts.get("legal", 0) < 500 and game.seats == ("X",):
            assert facts["legal"] == sum(move.count("-") < 2 for move in starts)
        elif "legal" in facts:
            assert facts["legal"] == len(starts - {"swap"})
        score = game.score(position.stones)
        assert len(score.points) == len(score.notes) == len(score.ranks) == len(game.seats)
        assert score.winner in (None, *game.seats)
        assert game.bounds(position.stones).decided in (None, *game.seats)
        assert bool(game.verdict(position)) <= position.over
        assert not set("{}") & set(str(game.verdict(position))), "each name is filled in"
        if position.over:
            break
        position = position.play(rng.choice(moves))


def test_the_rules_in_short_are_there_without_options() -> None:
    """The site shows them for each kind of game."""
    assert all(str(kind.brief).endswith(".") for kind in GAMES)
