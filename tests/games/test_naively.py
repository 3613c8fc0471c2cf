"""The naive counts beside ours, on boards that nobody chose."""

from __future__ import annotations

import random

import pytest
from games import naive
from games.boards_of import BOARDS, names_of, random_board
from games.test_scores import HEXES, POLYYS, STARS, STARSTARS, STARYS, YS

from pbmstar import games
from pbmstar.games.adjudicate import reading
from pbmstar.games.base import PLAYERS, STONE, Game


@pytest.mark.parametrize("empty", [0.0, 0.1, 0.5])
def test_star_by_the_naive_count(empty: float) -> None:
    rng = random.Random(2)
    for _ in range(BOARDS):
        game = rng.choice(STARS[:6])
        stones = random_board(rng, game, empty)
        chains = {
            player: naive.star(game.value("size"), names_of(game, stones, chr(STONE[player])))
            for player in PLAYERS
        }
        score = game.score(stones)
        assert score.detail["chains"] == chains
        x, o = chains.values()
        if game.value("maxi"):
            assert score.points == (max(x, default=0), max(o, default=0))
        else:
            assert score.points == (sum(x), sum(o))


@pytest.mark.parametrize("empty", [0.0, 0.1, 0.5])
def test_starstar_by_the_naive_count(empty: float) -> None:
    rng = random.Random(3)
    for _ in range(3 * BOARDS // 2):
        game = rng.choice(STARSTARS)
        stones = random_board(rng, game, empty)
        x, o = names_of(game, stones, "x"), names_of(game, stones, "o")
        rings, nobridge = game.value("rings"), bool(game.value("nobridge"))
        points, detail = naive.starstar(rings, nobridge, x, o)
        score = game.score(stones)
        assert (score.points, score.detail) == (points, {"detail": detail})


@pytest.mark.parametrize("empty", [0.0, 0.2])
def test_stary_by_the_naive_count(empty: float) -> None:
    rng = random.Random(4)
    for _ in range(BOARDS):
        game = rng.choice(STARYS)
        stones = random_board(rng, game, empty)
        holders = tuple(
            int(naive.stary(game.value("rings"), names_of(game, stones, stone))) for stone in "xo"
        )
        assert game.score(stones).points == holders


def naive_wins(game: Game, x: set[str], o: set[str]) -> tuple[bool, bool]:
    """Which of the two has the chain that wins Hex or Y."""
    size = game.value("size")
    if game.word == "hex":
        return naive.hex_ends(size, x)[0], naive.hex_ends(size, o)[1]
    if game.value("bent"):
        return naive.bent_y(x), naive.bent_y(o)
    return naive.y(size, x), naive.y(size, o)


@pytest.mark.parametrize("empty", [0.0, 0.2])
def test_hex_and_y_by_the_naive_count(empty: float) -> None:
    rng = random.Random(5)
    for _ in range(3 * BOARDS // 2):
        game = rng.choice((*HEXES[:5], *YS[:3], YS[-1]))
        stones = random_board(rng, game, empty)
        x, o = names_of(game, stones, "x"), names_of(game, stones, "o")
        wins = naive_wins(game, x, o)
        assert game.score(stones).points == tuple(map(int, wins))
        chain = set(game.winning_chain(stones))
        assert chain <= (x if wins[0] else o if wins[1] else set())
        if chain:
            parts = (chain, set()) if wins[0] else (set(), chain)
            assert naive_wins(game, *parts) == wins
            for cell in chain:
                fewer = tuple(part - {cell} for part in parts)
                assert not any(naive_wins(game, *fewer)), "no cell of it can be missed"


@pytest.mark.parametrize("empty", [0.0, 0.2])
def test_misere_hex_by_the_naive_count(empty: float) -> None:
    """Who joins the sides has lost; before that nobody can tell, since a stone may hurt its owner."""
    rng = random.Random(7)
    game = games.make("miserehex", {"size": 4})
    for _ in range(BOARDS):
        stones = random_board(rng, game, empty)
        x, o = names_of(game, stones, "x"), names_of(game, stones, "o")
        x_joins, o_joins = naive_wins(HEXES[1], x, o)
        assert game.score(stones).points == (int(o_joins), int(x_joins))
        bounds = game.bounds(stones)
        if b"." in stones:
            assert bounds.decided is None and not bounds.settled
            assert reading(game, stones, bounds) is None
        else:
            assert bounds.decided == ("O" if x_joins else "X")


@pytest.mark.parametrize("empty", [0.0, 0.2])
def test_polyy_by_the_naive_count(empty: float) -> None:
    rng = random.Random(6)
    for _ in range(3 * BOARDS // 2):
        game = rng.choice(POLYYS)
        stones = random_board(rng, game, empty)
        score = game.score(stones)
        for player in PLAYERS:
            owned = naive.polyy(game.value("rings"), names_of(game, stones, chr(STONE[player])))
            assert set(score.detail["corners"][player]) == owned


def test_the_lattice_is_the_naive_one() -> None:
    grid = YS[-1].grid
    assert {cell: set(near) for cell, near in naive.bent()[0].items()} == {
        name: {grid.names[cell] for cell in near}
        for name, near in zip(grid.names, grid.neighbours, strict=True)
    }
    assert sum(map(len, grid.neighbours)) == 2 * 252
    for game in STARSTARS:
        grid = game.grid
        near = naive.pentagon(game.value("rings"), bool(game.value("nobridge")))
        assert near.keys() == set(grid.names)
        for name, others in zip(grid.names, grid.neighbours, strict=True):
            assert {grid.names[cell] for cell in others} == near[name]
