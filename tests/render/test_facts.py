"""The facts of letters: each letter has a class, whose values a recipe keeps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pbmstar.render.facts import Facts, WhoFacts, WhoLine, defaults, kinds

from .kinds import text

TEMPLATES = Path(__file__).parent.parent.parent / "templates"


def test_each_class_of_facts_names_a_template_of_its_own() -> None:
    templates = {path.stem for path in TEMPLATES.rglob("*.txt")}
    assert set(kinds()) <= templates
    every = [each for each in Facts.__subclasses__() if isinstance(vars(each)["template"], str)]
    assert len({each.template for each in every}) == len(every)


def test_a_recipe_keeps_what_differs_from_the_defaults() -> None:
    """As JSON has it: what holds values is a mapping in the template."""
    facts = WhoFacts("alice", (WhoLine("bob", 3, "this week", away=True),))
    bob = {"userid": "bob", "running": 3, "seen": "this week", "away": True}
    assert facts.stored() == {"reader": "alice", "players": [bob]}
    assert "  bob           3  this week  away\n" in text("who", facts=facts.stored())


def test_what_was_added_to_a_letter_has_its_default_in_older_ones() -> None:
    @dataclass(frozen=True)
    class NewerFacts(Facts):
        template = "newer"
        userid: str
        added: int = 0

    assert defaults(NewerFacts) == {"added": 0}
    assert NewerFacts("alice").stored() == {"userid": "alice"}
