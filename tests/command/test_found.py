"""Talk that may mean a move: what is found in a line, and what is passed on as words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness.positions import match_of
from harness.tables import rows
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.command import found
from pbmstar.games.hexagon.star import Star
from pbmstar.match import Act, act

TALK = Path(__file__).parent / "talk.txt"
STAR = match_of("star", {}, 4)
TAKEN = STAR.record[0].move
FREE = next(STAR.position.moves())


def offered(line: str, match: Any = STAR) -> str:
    """What is found in a line of the player to move."""
    return found.offered(line, match, match.to_move)


def test_one_free_cell_is_found() -> None:
    for (line,) in rows(TALK, "one free cell"):
        for cell in (FREE, FREE.lower(), f"{FREE[0]} {FREE[1:]}"):
            assert offered(line.format(cell)) == FREE, line


def test_what_is_doubtful_is_not_guessed_at() -> None:
    for (line,) in rows(TALK, "doubtful"):
        assert offered(line.replace("FREE", FREE).replace("TAKEN", TAKEN)) == "", line


def test_a_word_of_the_game_is_found_where_it_is_possible() -> None:
    for line, word in rows(TALK, "words"):
        assert offered(line) == word, line


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


@pytest.mark.parametrize(("kind", "passed_on"), [("small talk", True), ("private", False)])
def test_small_talk_is_passed_on_and_nothing_else(kind: str, passed_on: bool) -> None:
    """Not what may be a plan, a move or a password."""
    for (text,) in rows(TALK, kind):
        lines = text.split("\n")
        assert found.is_small_talk(lines, Star) == passed_on, lines
    assert not found.is_small_talk([], Star)
