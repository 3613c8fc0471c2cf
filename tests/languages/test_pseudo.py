"""All scripts of mails in a language that nobody speaks: what is left in plain letters is not translated.

Each letter is written in English too, which the script goes on with, and compared with that: the same parts,
the same headers, the same beginning of the Subject.
"""

from __future__ import annotations

import email
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import catalogs
import lxml.html
import pseudo
import pytest
from harness.letters import PASSWORD
from harness.office import Office
from mails.script import Script, settings, steps
from mails.test_scripts import SCRIPTS

from pbmstar import command, games
from pbmstar.grammar.literals import STATES
from pbmstar.match import Terms
from pbmstar.match.acts import REASONS
from pbmstar.parts import FEATURES
from pbmstar.render import translator
from pbmstar.render.letters import Renderer
from pbmstar.render.pages import found_on, topics
from pbmstar.render.recipe import Recipe
from pbmstar.render.text import WIDTH
from pbmstar.render.translator import Translator

_TYPED = ("if", "then", "else", "or", "vs", "since", "last", "NAME", "NEW")
# Every day: between them they write nearly every kind of letter, refusals and answers. The others are slow.
EVERYDAY = {
    "course_without_bots",
    "inviting",
    "never",
    "notes",
    "opponents",
    "playout_bots",
    "queens",
    "ratings",
    "settings",
    "signoff",
    "sunday",
    "titles",
    "watching",
}
FOR_OPERATORS = {"alert", "report"}  # letters that are English for everybody
_WORD = re.compile(r"(?<![^\W\d_])[A-Za-z](?:[A-Za-z]|'(?=[a-z]))+(?![^\W\d_])")
_MAIL = re.compile(r"\S+@\S+|https?://\S+|\b[a-z2-7]{32}\b|-\w+(?:=\S+)?|\b[A-Z][a-z]+/[A-Z]\w+")


def _vocabulary() -> set[str]:
    """The words of commands, and the titles of games."""
    kinds = [*games.GAMES, None]
    lines = {
        word
        for game in kinds
        for verb in command.verbs(game)
        for word in re.findall(
            r"[A-Za-z]+", " ".join((verb.name, *verb.aliases, *command.usage(verb, game)))
        )
    }
    titles = {word for game in games.GAMES for word in re.findall(r"[A-Za-z]+", game.title)}
    terms = {*Terms._fields, "none", "ask", "no", "free"}
    typed = {*REASONS, *STATES, *_TYPED}
    record = {"forfeit", "judged", "Pass"}  # in the place of moves
    zones = {"UTC", "CET", "CEST", "JST", "EST"}
    seats = {"first", "second"}  # in a preview without a board: userids of nobody
    shown = {"Star", "RD", "English", "cut"}  # the last one is in somebody's words
    people = PASSWORD.keys()
    return (
        lines | titles | terms | typed | record | zones | seats | shown | people | {*topics(None)}
    )


VOCABULARY, TOPICS = _vocabulary(), topics(None)


class Fault(NamedTuple):
    """What is wrong with a letter; ``words`` in English may be somebody's own."""

    line: str
    words: frozenset[str] = frozenset()


@pytest.fixture(scope="module", autouse=True)
def _spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The server has the language."""
    folder = tmp_path_factory.mktemp("locale")
    place = folder / pseudo.LANGUAGE / "LC_MESSAGES"
    place.mkdir(parents=True)
    made = pseudo.catalog_of(catalogs.extracted())
    (place / "pbmstar.mo").write_bytes(catalogs.compiled(made))
    before, translator.CATALOGS = translator.CATALOGS, folder
    Translator.of.cache_clear()
    yield
    translator.CATALOGS = before
    Translator.of.cache_clear()


class Interpreter(Renderer):
    """Writes each letter in both languages, gives out the English one, and notes what is wrong with the other.

    Games of most scripts begin alike: each letter is written once.
    """

    known: ClassVar[dict[bytes, tuple[bytes, list[Fault]]]] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.found: list[tuple[str, Fault]] = []

    def write(self, recipe: Recipe) -> bytes:
        key = recipe.to_bytes()
        if key not in self.known:
            english = super().write(recipe)
            other = super().write(replace(recipe, language=pseudo.LANGUAGE))
            # Help pages are translated as a whole, and nobody has done so here.
            topic = recipe.facts.get("topic", "")
            is_page = topic in TOPICS or (recipe.template == "page" and found_on(topic, TOPICS))
            page = self.help(topic) if is_page else None
            self.known[key] = english, list(faults(english, other, page.text if page else ""))
        english, found = self.known[key]
        self.found += [(recipe.template, each) for each in found]
        return english


def faults(english: bytes, other: bytes, page: str) -> Iterator[Fault]:
    """What is wrong with a letter: headers, parts, lines that are too long, and words in English.

    ``page``  the help page in it, which is English
    """
    one, two = email.message_from_bytes(english), email.message_from_bytes(other)
    for name, value in one.items():
        if name == "Subject":
            told = str(make_header(decode_header(two[name])))
            if told.partition(" - ")[0] != value.partition(" - ")[0]:
                yield Fault(f"Subject: {told}")
            yield from _english(told.partition(" - ")[2])
        elif two[name] != value and not name.startswith("Content-"):
            yield Fault(f"{name}: {two[name]}")
    kinds = [[part.get_content_type() for part in each.walk()] for each in (one, two)]
    if kinds[0] != kinds[1]:
        yield Fault(f"parts: {kinds[1]}")
    for kind in ("plain", "html"):
        before, after = (_part(each, kind) for each in (one, two))
        if kind == "html":
            after = "" if page else _shown(after)
        else:
            long = {line for line in after.splitlines() if len(line) > WIDTH}
            yield from (Fault(f"long: {line}") for line in sorted(long - set(before.splitlines())))
        for line in dict.fromkeys(after.splitlines()):
            if line not in page.splitlines():
                yield from _english(line)


def _part(letter: Message, kind: str) -> str:
    found = [part for part in letter.walk() if part.get_content_type() == f"text/{kind}"]
    content = found[0].get_payload(decode=True) if found else b""
    assert isinstance(content, bytes)
    return content.decode(found[0].get_content_charset() or "ascii") if found else ""


def _shown(html: str) -> str:
    """What a reader of HTML sees or hears, by lines."""
    if not html:
        return ""
    tree = lxml.html.fromstring(html)
    for element in tree.xpath("//style | //title"):  # the title is the Subject
        element.drop_tree()
    said = tree.xpath("//@alt | //@title | //@aria-label")
    return "\n".join((*map(str, tree.xpath("//text()")), *map(str, said)))


def _english(line: str) -> Iterator[Fault]:
    """The line, if it has a word that is no command."""
    words = {word for word in _WORD.findall(_MAIL.sub("", line)) if not set(word) <= set("xoXO")}
    if words - VOCABULARY:
        yield Fault(line.strip(), frozenset(words - VOCABULARY))


@pytest.mark.parametrize(
    "name",
    [
        name if name in EVERYDAY else pytest.param(name, marks=pytest.mark.slow)
        for name in sorted(SCRIPTS)
    ],
)
def test_no_letter_of_a_script_is_left_in_english(
    name: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SCRIPTS[name].read_text("utf-8")
    if missing := set(re.findall(r"(?m)^! needs (.*)$", text)) - set(FEATURES):
        pytest.skip(f"without {missing}")
    own = {
        word for step, _ in steps(text) for line in step for word in re.findall(r"[A-Za-z']+", line)
    }
    interpreters: list[Interpreter] = []

    def engaged(*args: Any, **options: Any) -> Interpreter:
        interpreters.append(Interpreter(*args, **options))
        return interpreters[-1]

    monkeypatch.setattr("harness.office.scribe", engaged)
    office = Office(database, tmp_path / "spool", **settings(text))
    Script(office).play(text)
    office.close()
    found = {
        f"{template}: {' '.join(sorted(fault.words - own))}: {fault.line}"
        for each in interpreters
        for template, fault in each.found
        if template not in FOR_OPERATORS and (fault.words - own or not fault.words)
    }
    if path := os.environ.get("PBMSTAR_LEAKS"):
        with Path(path).open("a") as file:
            file.writelines(f"{name}: {each}\n" for each in sorted(found))
    assert not found


def test_the_title_of_a_list_of_games_is_translated_with_its_filters(office: Office) -> None:
    """Here they are no words of a command."""
    office.sql(f"UPDATE users SET language = '{pseudo.LANGUAGE}' WHERE userid = 'bob'")
    for filters in (*STATES, "won late vs alice", "since 2027-01", "last 3"):
        (letter,) = office.send("bob", f"games {filters}")
        title = letter.text[: letter.text.index(":")]
        assert title and not set(_WORD.findall(title)) - {"alice"}, title
