"""Every line of the vector files: what ``analyse`` answers, and what the naive counts say.

A message has the names of its common sentences (harness/common.py).
"""

from __future__ import annotations

import json
import re

import pytest
from games.boards_of import VECTORS, names_of, set_up, vectors
from games.naive_counts import COUNTS
from harness.common import named

from pbmstar import games
from pbmstar.cli.analyse import answer, draw
from pbmstar.errors import Refusal

NAMES = sorted(path.stem for path in VECTORS.glob("*.jsonl"))


def test_each_game_has_vectors() -> None:
    assert {kind.word.replace("*", "star") for kind in games.GAMES} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_vectors(name: str) -> None:
    for line, vector in enumerate(vectors(name), 1):
        facts = json.loads(answer(json.dumps(vector)))
        if "message" in facts:
            facts["message"] = named(facts["message"])
        found = {key: facts.get(key, "nothing") for key in vector["expect"]}
        assert found == vector["expect"], f"{name}.jsonl, line {line}"


@pytest.mark.parametrize("name", NAMES)
def test_refusals_have_a_code_and_a_plain_sentence(name: str) -> None:
    refused = [vector for vector in vectors(name) if "code" in vector]
    for vector in refused:
        with pytest.raises(Refusal) as error:
            set_up(vector)
        assert error.value.code == vector["code"], vector
        assert re.fullmatch(r"[ -~ı]+\.", str(error.value)), vector


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
        counted = COUNTS[name](vector["options"], x, o)
        both = counted.keys() & expect.keys()
        assert {key: counted[key] for key in both} == {key: expect[key] for key in both}, line


@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_of_a_game_that_is_over_says_why_in_whole_words(name: str) -> None:
    for vector in vectors(name):
        if vector["moves"] and "setup" not in vector and "error" not in vector["expect"]:
            options = (
                f"-{key}={value}" for key, value in vector["options"].items() if value is not False
            )
            words = [vector["game"], *(option.removesuffix("=True") for option in options)]
            told = draw([*words, *(move.replace(" ", ",") for move in vector["moves"])])
            assert not set("{}") & set(told), vector
