"""Talk that may mean a move: what is found in a line, and what is passed on as words."""

from __future__ import annotations

from typing import Any

import pytest
from harness.positions import match_of
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.command import found
from pbmstar.games.hexagon.star import Star
from pbmstar.match import Act, act

STAR = match_of("star", {}, 4)
TAKEN = STAR.record[0].move
FREE = next(STAR.position.moves())


def offered(line: str, match: Any = STAR) -> str:
    """What is found in a line of the player to move."""
    return found.offered(line, match, match.to_move)


@pytest.mark.parametrize(
    "line",
    [
        "I play {}", "{} please", "Zug: {}", "cell {}", "({})", "My answer is {}.",
        "{} and thanks for the game", "I'll go {} this time", "\u2192 {}",
    ],
)  # fmt: skip
def test_one_free_cell_is_found(line: str) -> None:
    assert offered(line.format(FREE)) == FREE
    assert offered(line.format(FREE.lower())) == FREE
    assert offered(line.format(f"{FREE[0]} {FREE[1:]}")) == FREE


@pytest.mark.parametrize(
    "line",
    [
        f"{FREE} or {TAKEN}", f"I play {TAKEN}", f"not {FREE}", f"{FREE}?", f"Why {FREE}",
        f"I don't want {FREE}", f"{FREE} was good", f"{FREE}#9 please", "I play Z99", "Hello", "",
        f"if {FREE} then {TAKEN}", f"say {FREE}", f"on board 3 {FREE}", f"resign or {FREE}",
        f"tar move 3 alice s3cret {FREE}", "I have a 7 year old", f"resign, {FREE}", FREE, "resign",
        "word " * 20 + FREE,
    ],
)  # fmt: skip
def test_what_is_doubtful_is_not_guessed_at(line: str) -> None:
    assert offered(line) == ""


@pytest.mark.parametrize(
    ("line", "word"),
    [("I resign", "resign"), ("undo please", "undo"), ("resgin", "resign"), ("I pass.", "pass"),
     ("I swap", ""), ("should I resign", ""), ("please don't undo", ""), ("I never resign", "")],
)  # fmt: skip
def test_a_word_of_the_game_is_found_where_it_is_possible(line: str, word: str) -> None:
    assert offered(line) == word


@pytest.mark.parametrize("word", ["*star", "stary", "polyy", "hex", "y", "queens", "pentaline"])
@given(data=st.data())
def test_only_what_is_possible_is_offered(word: str, data: st.DataObject) -> None:
    match = match_of(word, {}, 6)
    names = match.game.grid.names
    cell = data.draw(st.sampled_from(names))
    line = data.draw(st.sampled_from(["I play {}", "{} please", "{}!"])).format(cell)
    meant = offered(line, match)
    assert meant in ("", cell)
    if meant:
        act(match, Act(match.to_move, "move", meant), 0.0)


WORDS = [
    ["Ha ha, no!"], ["who are you?"], ["Nice move.", "", "Greetings from the lake"], ["Thanks!"],
    ["Should I resign?"],
]  # fmt: skip
PRIVATE = [
    ["I would answer C4 with C5"], ["Nice move.", "if C4 then C5"], ["plan something"], ["note to me"],
    ["H8 -> J9"], ["undo please"], ["I resign"], ["chnage password alice s3cret other"], ["s3cret77"],
    ["extned 5"], ["Well.", "star moev 3 alice s3cret C3"], [""], [],
]  # fmt: skip


@pytest.mark.parametrize("lines", WORDS)
def test_small_talk_is_passed_on(lines: list[str]) -> None:
    assert found.is_small_talk(lines, Star)


@pytest.mark.parametrize("lines", PRIVATE)
def test_what_may_be_a_plan_a_move_or_a_password_is_not(lines: list[str]) -> None:
    assert not found.is_small_talk(lines, Star)
