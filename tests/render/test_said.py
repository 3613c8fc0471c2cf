"""Sentences as values: in English, in a recipe, and in a letter."""

from __future__ import annotations

import json
from dataclasses import replace

from pbmstar.errors import Refusal, Sentence, say, say_many
from pbmstar.match import happenings as h
from pbmstar.render.facts import AccountFacts
from pbmstar.render.recipe import Recipe

from .kinds import played, recipe, text

BLUE = say("The cell {name} is blue.", name="C3")
LEFT = say_many(
    "{who} has {count} day left.", "{who} has {count} days left.", 2, who=("a", "b", "c")
)


def test_a_sentence_is_its_english_text() -> None:
    assert str(BLUE) == "The cell C3 is blue."
    assert str(LEFT) == "a, b and c has 2 days left."
    assert str(say_many("{count} day", "{count} days", 1)) == "1 day"
    assert str(say("Not now: {why}", why=BLUE)) == "Not now: The cell C3 is blue."
    assert str(Refusal(BLUE, "blue")) == "The cell C3 is blue."
    assert str(say("A brace { without values stays.")) == "A brace { without values stays."
    assert str(say("{word} is no move.", word="{name}")) == "{name} is no move."


def test_a_sentence_comes_back_from_json_as_it_was() -> None:
    for said in (BLUE, LEFT, say("Wait."), say("{a}: {b}", a=LEFT, b=("x", BLUE, 3))):
        assert Sentence.of(json.loads(json.dumps(said.stored()))) == said


def test_a_letter_has_the_words_of_the_sentences_in_its_recipe() -> None:
    notice = AccountFacts("anna", "leave", say("Not now: {why}", why=BLUE)).stored()
    assert "Not now: The cell C3 is blue." in text("account", facts=notice)
    plain = AccountFacts("anna", "leave", "As an earlier version wrote it.").stored()
    assert "As an earlier version wrote it." in text("account", facts=plain)


def test_a_happening_keeps_the_reason_as_a_value() -> None:
    told = (h.PlanFailed("alice", "C3", BLUE),)
    letter = replace(recipe("board", played("C3 swap"), reader="alice"), happenings=told)
    again = Recipe.from_bytes(letter.to_bytes())
    assert again.happenings == told
    said = text("board", played("C3 swap"), happenings=again.happenings)
    assert "so we dropped the plan. C3: The cell C3 is blue." in " ".join(said.split())
