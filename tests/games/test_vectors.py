"""Every line of the vector files, by our rules and by the naive count."""

from __future__ import annotations

from typing import Any

import naive
import pytest
from boards_of import names_of, set_up, vectors

VECTORS = {name: vectors(name) for name in ("star", "starstar", "stary")}
LINES = [(name, i) for name, lines in VECTORS.items() for i in range(len(lines))]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_vector(name: str, line: int) -> None:
    vector = VECTORS[name][line]
    position = set_up(vector)
    game = position.game
    score, bounds = game.score(position.stones), game.bounds(position.stones)
    told: dict[str, Any] = {
        "over": position.over,
        "winner": position.winner,
        "to_move": position.to_move,
        "scores": dict(zip("XO", score.points, strict=True)),
        "bounds": {"X": list(bounds.of("X")), "O": list(bounds.of("O"))},
        "settled": bounds.settled,
        **score.detail,
    }
    assert {key: told[key] for key in vector["expect"]} == vector["expect"]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_the_naive_count_agrees_with_the_vector(name: str, line: int) -> None:
    vector = VECTORS[name][line]
    expect, options = vector["expect"], vector["options"]
    stones = set_up(vector).stones
    x, o = (names_of(set_up(vector).game, stones, stone) for stone in "xo")
    if name == "star":
        chains = {"X": naive.star(options["size"], x), "O": naive.star(options["size"], o)}
        assert chains == expect["chains"]
    elif name == "starstar":
        points, detail = naive.starstar(options["rings"], options.get("nobridge", False), x, o)
        assert dict(zip("XO", points, strict=True)) == expect["scores"]
        assert detail == expect["detail"]
    else:
        holders = [p for p, cells in (("X", x), ("O", o)) if naive.stary(options["rings"], cells)]
        assert holders == [expect["winner"]]
