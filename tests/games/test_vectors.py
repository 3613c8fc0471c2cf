"""Every line of the vector files: what ``analyse`` answers, and what the naive counts say."""

from __future__ import annotations

import json
import re
from typing import Any

import naive
import naive_rows
import pytest
from boards_of import VECTORS, names_of, set_up, vectors

from pbmstar import games
from pbmstar.cli.analyse import answer
from pbmstar.errors import Refusal

NAMES = sorted(path.stem for path in VECTORS.glob("*.jsonl"))


def test_each_game_has_vectors() -> None:
    assert {kind.word.replace("*", "star") for kind in games.GAMES} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_vectors(name: str) -> None:
    for line, vector in enumerate(vectors(name), 1):
        facts = json.loads(answer(json.dumps(vector)))
        found = {key: facts.get(key, "nothing") for key in vector["expect"]}
        assert found == vector["expect"], f"{name}.jsonl, line {line}"


@pytest.mark.parametrize("name", NAMES)
def test_refusals_have_a_code_and_a_plain_sentence(name: str) -> None:
    refused = [vector for vector in vectors(name) if "code" in vector]
    for vector in refused:
        with pytest.raises(Refusal) as error:
            set_up(vector)
        assert error.value.code == vector["code"], vector
        assert re.fullmatch(r"[ -~]+\.", str(error.value)), vector


def naively(name: str, options: dict[str, Any], x: set[str], o: set[str]) -> dict[str, Any]:
    """What the naive count says of a board of that game, under the keys of ``analyse``."""
    rings = options.get("rings", 6)
    if name == "star":
        return {
            "chains": {p: naive.star(options.get("size", 6), s) for p, s in (("X", x), ("O", o))}
        }
    if name == "starstar":
        points, detail = naive.starstar(rings, options.get("nobridge", False), x, o)
        return {"scores": dict(zip("XO", points, strict=True)), "detail": detail}
    if name == "polyy":
        corners = {p: naive.polyy(rings, s) for p, s in (("X", x), ("O", o))}
        return {
            "corners": {p: sorted(arms, key=naive.ARMS.index) for p, arms in corners.items()},
            "scores": {p: len(arms) for p, arms in corners.items()},
        }
    if name == "queens":
        free = 275 - len(naive_rows.guarded(x) - {"@"})
        return {"unguarded": free, "scores": {"X": len(x)}}
    if name.endswith(("solitaire", "supplyline")):
        return {"legal": len(naive_rows.jumps(x)), "scores": {"X": len(x)}}
    if name == "pentahex":
        return {"scores": {p: len(naive_rows.hexes(s)) for p, s in (("X", x), ("O", o))}}
    if name == "pentaline":
        rows = naive_rows.longest_row(x), naive_rows.longest_row(o)
        return {"five": max(rows) >= 5}
    if name == "stary":
        wins = [naive.stary(rings, s) for s in (x, o)]
    elif name == "hex":
        size = options.get("size", 11)
        wins = [naive.hex_ends(size, x)[0], naive.hex_ends(size, o)[1]]
    else:
        size = options.get("size", 17)
        wins = [naive.bent_y(s) if options.get("bent") else naive.y(size, s) for s in (x, o)]
    return {"winner": "X" if wins[0] else "O" if wins[1] else None}


@pytest.mark.parametrize("name", NAMES)
def test_the_naive_count_agrees_with_the_vectors(name: str) -> None:
    for line, vector in enumerate(vectors(name), 1):
        expect = vector["expect"] | {"five": "row" in vector["expect"]}
        if "error" in expect:
            continue
        if "resign" in vector["moves"]:  # that ends the game, whatever the board is like
            expect = {key: expect[key] for key in expect.keys() - {"winner", "legal"}}
        position = set_up(vector)
        x, o = (names_of(position.game, position.stones, stone) for stone in "xo")
        counted = naively(name, vector["options"], x, o)
        both = counted.keys() & expect.keys()
        assert {key: counted[key] for key in both} == {key: expect[key] for key in both}, line
