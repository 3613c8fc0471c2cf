"""Letters in a reader's language: what a catalog says, and what happens without one."""

from __future__ import annotations

from pathlib import Path

import catalogs
import jinja2
import pytest
from babel.messages.catalog import Catalog

from pbmstar.errors import say, say_many
from pbmstar.render import letters, translator
from pbmstar.render.translator import Translator

GERMAN = {
    "It is {to_move}'s turn.": "{to_move} ist am Zug.",
    "Welcome, {userid}!": "Willkommen, {userid}!",
    ("one day", "{count} days"): ("ein Tag", "{count} Tage"),
    "{first} and {last}": "{first} und {last}",
    "{who} has <b>{count}</b>": "{count} & <b>{wer}</b>",  # with another value
    "I <b>see</b> {it}.": "Ich <b>sehe</b> {it}.",
}  # fmt: skip
TEMPLATES = {
    "turn.txt": "{% trans %}\nIt is {{ board.to_move }}'s\nturn.\n{% endtrans %}",
    "days.txt": "{% trans count=days %}one day{% pluralize %}{{ count }} days{% endtrans %}",
    "call.txt": "{{ _('Welcome, {userid}!', userid=name) | upper }} {{ _('one day', '{count} days', count=2) }}",
    "see.html": "<p>{% trans %}I <b>see</b> {{ it }}.{% endtrans %}</p>{{ _('Welcome, {userid}!', userid=it) }}",
    "wrong.txt": "{% trans %}{{ who }} has <b>{{ count }}</b>{% endtrans %}",
    "missing.txt": "{% trans %}Nobody knows.{% endtrans %}",
    "around.html": "{% include 'days.txt' %}",
}  # fmt: skip


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    catalog = Catalog(locale="de")
    for english, german in GERMAN.items():
        catalog.add(english, german)
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / "pbmstar.mo").write_bytes(catalogs.compiled(catalog))
    monkeypatch.setattr(translator, "CATALOGS", tmp_path)
    Translator.of.cache_clear()
    yield tmp_path
    Translator.of.cache_clear()


@pytest.mark.parametrize(
    ("name", "facts", "english", "german"),
    [
        ("turn.txt", {"board": {"to_move": "bob"}}, "It is bob's turn.", "bob ist am Zug."),
        ("days.txt", {"days": 1}, "one day", "ein Tag"),
        ("days.txt", {"days": 3}, "3 days", "3 Tage"),
        ("call.txt", {"name": "bob"}, "WELCOME, BOB! 2 days", "WILLKOMMEN, BOB! 2 Tage"),
        (
            "see.html",
            {"it": "<i>"},
            "<p>I <b>see</b> &lt;i&gt;.</p>Welcome, &lt;i&gt;!",
            "<p>Ich <b>sehe</b> &lt;i&gt;.</p>Willkommen, &lt;i&gt;!",
        ),
        ("wrong.txt", {"who": "bob", "count": 2}, "bob has <b>2</b>", "bob has <b>2</b>"),
        ("missing.txt", {}, "Nobody knows.", "Nobody knows."),
        ("around.html", {"days": 2}, "2 days", "2 Tage"),
    ],
)
def test_a_sentence_of_a_template(
    folder: Path, name: str, facts: dict[str, object], english: str, german: str
) -> None:
    for each, text in TEMPLATES.items():
        (folder / each).write_text(text)
    environments = letters.Environments([folder], is_html=name.endswith(".html"))
    assert environments["en"].get_template(name).render(facts) == english
    assert environments["de"].get_template(name).render(facts) == german


@pytest.mark.parametrize(
    "text",
    [
        "{% trans %}{{ days | plural('day') }}{% endtrans %}",
        "{% trans %}{% if days %}some{% endif %} days{% endtrans %}",
        "{% trans %}{{ one.userid }} and {{ two.userid }}{% endtrans %}",
        "{% trans userid=one %}{{ two.userid }}{% endtrans %}",
    ],
)
def test_a_sentence_has_names_for_its_values_and_no_tags(folder: Path, text: str) -> None:
    (folder / "a.txt").write_text(text)
    with pytest.raises(jinja2.TemplateSyntaxError):
        letters.Environments([folder])["en"].get_template("a.txt")


@pytest.mark.usefixtures("folder")
def test_a_sentence_of_python() -> None:
    german, english = Translator.of("de"), Translator.of("en")
    turn = say("It is {to_move}'s turn.", to_move="bob")
    assert (english.say(turn), german.say(turn)) == ("It is bob's turn.", "bob ist am Zug.")
    days = say_many("one day", "{count} days", 3)
    assert (english.say(days), german.say(days)) == ("3 days", "3 Tage")
    assert german.say(("a", "b", days)) == "a, b und 3 Tage"
    assert german.say("as it is") == "as it is"
    assert german.say(say("Nobody knows.")) == "Nobody knows."
    broken = say("{who} has <b>{count}</b>", who="bob", count=2)
    assert german.say(broken) == "bob has <b>2</b>"


@pytest.mark.parametrize("content", [b"", b"no catalog", b"\xde\x12\x04\x95" + b"\xff" * 30])
def test_a_damaged_catalog_leaves_letters_in_english(folder: Path, content: bytes) -> None:
    (folder / "de" / "LC_MESSAGES" / "pbmstar.mo").write_bytes(content)
    Translator.of.cache_clear()
    assert Translator.of("de").say(say("Welcome, {userid}!", userid="bob")) == "Welcome, bob!"


def test_a_language_is_offered_once_it_has_enough(folder: Path) -> None:
    assert Translator.offered() == ("en",)  # nothing says how much it has
    (folder / "complete.txt").write_text("de 95\nfr 94\n")
    assert Translator.offered() == ("en", "de")
