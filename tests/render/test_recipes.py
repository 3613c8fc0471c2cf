"""Recipes: what they keep, and what is remembered of them."""

from __future__ import annotations

import email
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.common import sentence

from pbmstar.match import Act, Match, act
from pbmstar.parts import FEATURES
from pbmstar.render.recipe import Recipe, Replays

from .kinds import RENDERER, TALK, part, played, recipe, text

# Letters as the program of store revision 0032 left them in its outbox: one of each kind, and more of boards,
# one for each happening. Each with the features that it needs, and what it then told programs in its headers.
LEFT: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "recipes_0032.json").read_text("ascii")
)


def shown(replays: Replays, letter: bytes) -> Match:
    """The match that a letter shows."""
    board = Recipe.from_bytes(letter).board
    assert board is not None
    return replays.match(board)


def test_a_record_that_goes_on_is_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next letter of a board replays what is new; a record cut back is replayed from the start."""
    replays, steps, after = Replays(most=3), [], Match.after

    def counted(match: Match, userid: str, move: str, *more: float) -> Match:
        steps.append(move)
        return after(match, userid, move, *more)  # type: ignore[arg-type]

    records = ("C3 swap D4", "C3 swap D4", "C3 swap D4 pass", "C3 D4")
    letters = [recipe("board", played(moves)).to_bytes() for moves in records]
    monkeypatch.setattr(Match, "after", counted)
    matches = [shown(replays, letter) for letter in letters]
    assert steps == ["C3", "swap", "D4", "pass", "C3", "D4"]
    assert matches[0] is matches[1]
    for number in range(4):  # more than are remembered
        shown(replays, recipe("board", replace(played(), number=number)).to_bytes())
    steps.clear()
    shown(replays, letters[0])
    assert steps == ["C3", "swap", "D4"]


def test_a_recipe_keeps_what_a_letter_shows() -> None:
    asked, happened = act(played("C3 swap D4"), Act("alice", "propose", "11 8"), 5.0)
    one = replace(recipe("board", asked, facts=TALK), happenings=happened)
    again = Recipe.from_bytes(one.to_bytes())
    assert replace(again, board=None) == replace(one, board=None)
    match = shown(Replays(), one.to_bytes())
    assert match.request == asked.request
    assert match.players == asked.players
    assert match.position.stones == asked.position.stones


def test_letters_that_an_earlier_version_left_are_set_with_the_facts_they_have() -> None:
    """Its list of players said nothing of leave, and its replies were one text."""
    players = [{"userid": "bob", "running": 3, "seen": "this week"}]
    said = text("who", facts={"reader": "alice", "players": players})
    assert "  bob           3  this week\n" in said and "bot1" not in said
    left = {"userid": "alice", "notice": "Done.", "replies": "league leave hex, or leagues"}
    assert text("account", facts=left) == (
        f"Done.\n\n{sentence('reply lines')}:\n  league leave hex\n  leagues\n"
    )


@pytest.mark.few(19)
@pytest.mark.parametrize(
    "left", LEFT, ids=[f"{n} {each['recipe']['template']}" for n, each in enumerate(LEFT)]
)
def test_a_letter_that_waits_while_the_program_is_changed_is_written(left: dict[str, Any]) -> None:
    """With pictures, and with the same Subject and headers for programs."""
    if not set(left["needs"]) <= set(FEATURES):
        pytest.skip(f"needs {left['needs']}")
    waits = Recipe.from_bytes(json.dumps(left["recipe"]).encode("ascii"))
    letter = email.message_from_bytes(RENDERER.write(replace(waits, html=True, pictures=True)))
    assert {name: letter[name] for name in left["told"]} == left["told"]
    assert letter["Reply-To"] == waits.headers.get("Reply-To")
    parts = (part(letter), part(letter, "html"))
    for each in parts:
        assert len(each.split()) > 5 and "None" not in each.split()
    for words in (waits.facts.get("comment") or {}).get("text", "").split():
        assert all(words in each for each in parts)
