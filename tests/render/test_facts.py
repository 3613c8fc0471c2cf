"""The facts of letters: each letter has a class, whose values a recipe keeps, and a template that tells them."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

import jinja2
import pytest
from jinja2 import meta, nodes

from pbmstar.parts import modules
from pbmstar.render import facts as of_core
from pbmstar.render.facts import WhoFacts, WhoLine, kinds
from pbmstar.render.letter import Facts, defaults
from pbmstar.render.trans import Trans

from .kinds import text

TEMPLATES = Path(__file__).parent.parent.parent / "templates"
ENVIRONMENT = jinja2.Environment(autoescape=True, extensions=[Trans])
# What each template is told by the renderer: of the server, the reader's board, and pictures; and sentences.
COMMON = {
    "address", "reply_to", "help", "goes_on", "board", "drawing", "shown", "subject", "headline", "subline", "content", "picture",
    "language", "ui", "html", "trans", "_",
}  # fmt: skip
# Facts from which the renderer, or a feature's ``LETTERS``, makes what a template shows; and these.
MADE = {
    # A letter of the Sunday game has a number, and a board too.
    "board": (("result", "used_up", "of_account", "awaits"), ("number",)),
    "digest": (("reader", "boards"), ("waiting", "whole", "others", "images", "offers")),
    "error": ((), ("number",)),
    "history": ((), ("curve",)),
    "page": (("topic",), ("page", "figures")),
    "preview": (("first", "tried"), ("steps",)),
    "review": (("moves", "awaited"), ("review",)),
}
# Letters whose two parts differ in order, or whose HTML is set from the page; no sentence is in both files.
TWO_LAYOUTS = {"board", "digest", "error", "page", "sunday"}


def letters() -> set[str]:
    """The names of all letters: what else lies among the templates is included in them."""
    files = (path for path in TEMPLATES.rglob("*.txt") if "pages" not in path.parts)
    return {path.stem for path in files if path.read_text().startswith(("Subject: ", "{% extends"))}


def folder(name: str) -> Path:
    """The folder of a letter's template."""
    (path,) = (path for path in TEMPLATES.rglob(f"{name}.txt") if "pages" not in path.parts)
    return path.parent


def parsed(file: Path) -> list[nodes.Template]:
    """A template and those that it includes, or extends."""
    tree = ENVIRONMENT.parse(file.read_text())
    found = [tree]
    for name in meta.find_referenced_templates(tree):
        assert name
        near = [each / name for each in (file.parent, TEMPLATES) if (each / name).exists()]
        place = next(iter(near or TEMPLATES.rglob(name)), None)
        found += parsed(place) if place else []  # that of a feature which is left out
    return found


def named(file: Path) -> tuple[set[str], set[str]]:
    """The names that a template uses, and those that it sets itself, or can do without."""
    trees = parsed(file)
    names = [each for tree in trees for each in tree.find_all(nodes.Name)]
    tests = [each for tree in trees for each in tree.find_all(nodes.Test)]
    perhaps = {
        each.node.name
        for each in tests
        if each.name == "defined" and isinstance(each.node, nodes.Name)
    }
    own = {each.name for each in names if each.ctx != "load"} | perhaps | {"loop", "super"}
    return {each.name for each in names if each.ctx == "load"}, own


def test_each_letter_has_a_class_of_facts() -> None:
    assert set(kinds()) == letters()


def test_a_letter_has_one_template() -> None:
    """Its text part and its HTML part are set from it."""
    html = {path.stem for path in TEMPLATES.rglob("*.html") if "pages" not in path.parts}
    assert html & letters() == TWO_LAYOUTS & letters()


@pytest.mark.parametrize("template", kinds())
def test_the_facts_of_a_letter_have_types(template: str) -> None:
    """All of them, so that mypy checks what sends the letter."""
    known = vars(inspect.getmodule(kinds()[template]))
    waiting, seen = [kinds()[template]], set[type]()
    while waiting:
        seen.add(kind := waiting.pop())
        words = {word for each in fields(kind) for word in re.findall(r"\w+", str(each.type))}
        assert not words & {"Any", "object"}, kind
        parts = {known[word] for word in words if is_dataclass(known.get(word))}
        waiting += parts - seen


@pytest.mark.parametrize("template", kinds())
def test_a_template_asks_for_the_facts_of_its_letter(template: str) -> None:
    """For all of them, and for no others: mypy then sees that what sends it tells what it asks for."""
    kind = kinds()[template]
    told, own = {each.name for each in fields(kind)}, set(inspect.get_annotations(kind))
    read, made = (set(names) for names in MADE.get(template, ((), ())))
    for file in folder(template).glob(f"{template}.*"):
        used, set_there = named(file)
        read |= used
        made |= set_there
    assert read - told - made <= COMMON
    assert own <= read


def test_no_two_letters_have_one_template() -> None:
    places = [of_core, *(module for _, module in modules("facts"))]
    every = {each for place in places for _, each in inspect.getmembers(place, inspect.isclass)}
    letters = [each for each in every if issubclass(each, Facts) and "template" in vars(each)]
    names = Counter(each.template for each in letters if isinstance(each.template, str))
    assert set(names.values()) == {1}


def test_a_recipe_keeps_what_differs_from_the_defaults() -> None:
    """As JSON has it: what holds values is a mapping in the template."""
    facts = WhoFacts("alice", (WhoLine("bob", 3, "this week", away=True),))
    bob = {"userid": "bob", "running": 3, "seen": "this week", "away": True}
    assert facts.stored() == {"reader": "alice", "players": [bob]}
    assert "  bob           3  this week  away\n" in text("who", facts=facts.stored())


def test_what_was_added_to_a_letter_has_its_default_in_older_ones() -> None:
    @dataclass(frozen=True)
    class NewerFacts(Facts):
        userid: str
        added: int = 0

    assert defaults[NewerFacts] == {"added": 0}
    assert NewerFacts("alice").stored() == {"userid": "alice"}
