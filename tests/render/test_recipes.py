"""Recipes: what they keep, and what is remembered of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbmstar.match import Act, Match, act
from pbmstar.render import Recipe
from pbmstar.render import recipe as recipes

from .kinds import TALK, played, recipe


def test_a_record_that_goes_on_is_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next letter of a board replays what is new; a record cut back is replayed from the start."""
    recipes._replayed.clear()
    steps, after = [], Match.after

    def counted(match: Match, userid: str, move: str, *more: float) -> Match:
        steps.append(move)
        return after(match, userid, move, *more)  # type: ignore[arg-type]

    records = ("C3 swap D4", "C3 swap D4", "C3 swap D4 pass", "C3 D4")
    letters = [recipe("board", played(moves)).to_bytes() for moves in records]
    monkeypatch.setattr(Match, "after", counted)
    matches = [Recipe.from_bytes(letter).match for letter in letters]
    assert steps == ["C3", "swap", "D4", "pass", "C3", "D4"]
    assert matches[0] is matches[1]
    monkeypatch.setattr(recipes, "_BOARDS", 3)
    for number in range(20):
        Recipe.from_bytes(recipe("board", replace(played(), number=number)).to_bytes())
        assert len(recipes._replayed) <= 3


def test_a_recipe_keeps_what_a_letter_shows() -> None:
    asked, happened = act(played("C3 swap D4"), Act("alice", "propose", "11 8"), 5.0)
    one = replace(recipe("board", asked, facts=TALK), happenings=happened)
    again = Recipe.from_bytes(one.to_bytes())
    assert replace(again, match=None) == replace(one, match=None)
    assert again.match is not None and again.match.request == asked.request
    assert again.match.players == asked.players
    assert again.match.position.stones == asked.position.stones
