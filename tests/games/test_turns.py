"""Turns, passing, swapping, giving up and ending, in all the games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from games import naive
from games.boards_of import PLACED, names_of, sizes

from pbmstar import games
from pbmstar.errors import IllegalMove
from pbmstar.games.base import Ending, Game, Position


@contextmanager
def refused(code: str) -> Iterator[None]:
    """What is within is refused with that code."""
    with pytest.raises(IllegalMove) as error:
        yield
    assert error.value.code == code


every = pytest.mark.parametrize("game", PLACED, ids=lambda game: f"{game.word} {game.described()}")


def a_move(rng: random.Random, position: Position) -> str:
    """Any placement that is allowed."""
    game = position.game
    empty = [n for n, s in zip(game.grid.names, position.stones, strict=True) if s == ord(".")]
    due = 1 if game.one_stone or not position.played else min(2, len(empty))
    return " ".join(rng.sample(empty, due))


@every
def test_a_game_to_the_end(game: Game) -> None:
    rng = random.Random(1)
    position = game.start()
    seats = []
    while not position.over:
        seats.append(position.to_move)
        position = position.play(game.read(a_move(rng, position).split()))
    assert seats == (["X", "O"] * len(seats))[: len(seats)]
    assert position.played == len(seats)
    assert position.to_move is None
    how = "corners" if game.word == "polyy" else "full" if game.has_points else "chain"
    assert position.ending == Ending(how, position.winner)
    told = str(game.verdict(position, {"X": "ann", "O": "bob"}))
    names = {"X": "ann ", "O": "bob ", None: ""}
    assert (
        told.startswith(names[position.winner]) and "{" not in told if how != "full" else not told
    )
    own = str(game.verdict(position, {"X": "ann", "O": "bob"}, position.winner))
    assert own.startswith("you ") if how != "full" else not own
    assert position.winner == game.score(position.stones).winner is not None
    assert game.bounds(position.stones).decided == position.winner
    with refused("game-over"):
        position.play("pass")
    with refused("game-over"):
        position.resign("X")


@every
def test_two_passes_end_it(game: Game) -> None:
    position = game.start().play("pass")
    assert (position.to_move, position.played, position.passes) == ("O", 1, 1)
    position = position.play("pass")
    assert position.ending == Ending("passes", game.score(position.stones).winner)
    between = game.start().play("pass").play(a_move(random.Random(1), game.start().play("pass")))
    assert between.passes == 0
    assert not between.play("pass").over


@every
def test_a_swap_changes_who_plays_what_and_nothing_else(game: Game) -> None:
    start = game.start()
    first = start.play(a_move(random.Random(2), start))
    assert first.swappable == game.has_swap
    if game.has_swap:
        swapped = first.play("swap")
        assert swapped.swapped and not swapped.swappable
        assert (swapped.to_move, swapped.played, swapped.stones) == ("O", 1, first.stones)


@every
def test_resignation_in_turn_and_out_of_turn(game: Game) -> None:
    assert game.start().play("resign").ending == Ending("resignation", "O")
    assert game.start().resign("O").ending == Ending("resignation", "X")
    assert game.start().resign("O", "forfeit").ending == Ending("forfeit", "X")


def test_an_agreement_is_an_ending() -> None:
    game = games.make("*star", {"rings": 4})
    position = game.start().end(Ending("agreement", "X", (11, 10)))
    assert (position.over, position.winner, position.to_move) == (True, "X", None)
    bounds = game.bounds(game.start().stones)
    assert bounds.winner((11, 10)) == "X"
    assert bounds.winner((10, 11)) == "O"
    assert bounds.winner((8, 8)) is None


def test_only_a_score_that_can_come_about_can_end_a_game() -> None:
    game = games.make("*star", {"rings": 4})
    bounds = game.bounds(game.start().stones)
    assert game.can_end(bounds, (11, 10))
    assert not game.can_end(bounds, (11, 11))
    assert not game.can_end(bounds, (30, -9))
    maxi = games.make("star", {"maxi": True})
    assert maxi.can_end(maxi.bounds(maxi.start().stones), (5, 3))


def test_handicap_stones() -> None:
    order = ["S60", "A60", "*60", "T60", "R60", "S30", "A30", "*30", "T30", "R30"]
    for number in range(1, 11):
        position = games.make("*star", {"handicap": number}).start()
        names = position.game.grid.names
        assert {names[i] for i, s in enumerate(position.stones) if s == ord("o")} == set(
            order[:number]
        )
        assert (position.to_move, position.played) == ("X", 0)
    rings = {3: (2, 1), 4: (2, 1), 5: (3, 2), 6: (4, 2), 7: (4, 2), 8: (5, 2), 9: (5, 3)}
    for n, (outer, inner) in rings.items():
        game = games.make("*star", {"rings": n, "handicap": 10})
        assert {f"A{outer}0", f"A{inner}0"} <= {
            game.grid.names[i] for i, s in enumerate(game.start().stones) if s == ord("o")
        }


def test_stary_ends_at_once_and_shows_a_small_chain() -> None:
    rng = random.Random(6)
    for rings in (3, 4, 6, 10) * 3:
        position = games.make("stary", {"rings": rings}).start()
        game = position.game
        while not position.over:
            assert game.winning_chain(position.stones) == ()
            position = position.play(a_move(rng, position))
        chain = set(game.winning_chain(position.stones))
        assert position.winner in ("X", "O")
        assert chain <= names_of(game, position.stones, position.winner.lower())
        assert naive.stary(rings, chain)
        assert not any(naive.stary(rings, chain - {cell}) for cell in chain)
        assert game.score(position.stones).winner == position.winner


def test_every_size_starts_empty_with_its_number_of_cells() -> None:
    for game in sizes():
        cells = len(game.grid)
        rings = [option.range for option in game.options if option.name == "rings"]
        if game.word == "star":
            assert cells == 3 * (game.value("size") - 1) ** 2
        elif game.word in ("hex", "y"):
            n = game.value("size")
            bent = "T80" in game.grid.names
            assert cells == (93 if bent else n * n if game.word == "hex" else n * (n + 1) // 2)
        else:
            n = game.value("rings") if rings else 10
            assert cells == 5 * n * (n + 1) // 2 + ("@" in game.grid.names)
        assert game.start().stones.strip(b"xo.") == b""
        assert len(game.start().stones) == cells
