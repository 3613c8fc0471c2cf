"""The catalogs of translations follow from the sentences that there are, and name the same values."""

from __future__ import annotations

import re
from collections import Counter
from string import Formatter

import catalogs
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo

from pbmstar.render.translator import Translator

_MARKUP = re.compile(r"</?\w+[^>]*>|&#?\w+;")


def forms(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """The forms of a message: one, or those that count."""
    return (value,) if isinstance(value, str) else tuple(value)


def named(text: str) -> set[str]:
    """The values in a sentence; only plain names stand in it. Raises ValueError for a lone brace."""
    names = [
        (name, spec, how) for _, name, spec, how in Formatter().parse(text) if name is not None
    ]
    assert all(name.isidentifier() and not spec and not how for name, spec, how in names), text
    return {name for name, _, _ in names}


def wrong(catalog: Catalog) -> list[str]:
    """The translations with other values or other HTML than their sentences."""
    found = []
    for message in catalog:
        if not message.id or message.fuzzy:
            continue
        english = forms(message.id)
        values, markup = named(english[-1]), Counter(_MARKUP.findall(english[-1]))
        for each in filter(None, forms(message.string)):
            lacks = values - named(each)
            if lacks or named(each) - values or Counter(_MARKUP.findall(each)) != markup:
                found.append(each)
    return found


def test_the_files_of_catalogs_are_up_to_date() -> None:
    """Else run: python tests/languages/catalogs.py."""
    for path, content in catalogs.files().items():
        assert path.read_bytes() == content, path


def test_all_forms_of_each_sentence_name_the_same_values() -> None:
    for message in catalogs.extracted():
        first, *more = map(named, forms(message.id))
        assert all(first == values for values in more), message.id


@pytest.mark.parametrize("language", ["en", *catalogs.languages()])
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_each_sentence_that_counts_says_the_right_number(language: str, count: int) -> None:
    """In French none is told in the form for one: there it must not say 1."""
    translator = Translator.of(language)
    for message in catalogs.extracted():
        if "count" in named(forms(message.id)[-1]) and message.pluralizable:
            one, many = message.id
            values = dict.fromkeys(named(many) - {"count"}, "x")
            told = translator.tell_many(one, many, count=count, **values)
            numbers, fixed = ({*re.findall("[0-9]+", each)} for each in (told, many))
            assert str(count) in numbers <= {str(count), *fixed}, told


@pytest.mark.parametrize("language", catalogs.languages())
def test_translations_name_the_same_values(language: str) -> None:
    assert not wrong(catalogs.read(language))


@pytest.mark.parametrize("language", catalogs.languages())
def test_what_is_fuzzy_is_not_used(language: str) -> None:
    fuzzy = {forms(each.id)[0] for each in catalogs.read(language) if each.id and each.fuzzy}
    with catalogs.languages()[language].with_suffix(".mo").open("rb") as file:
        used = {forms(each.id)[0] for each in read_mo(file) if each.id}
    assert not fuzzy & used


@pytest.mark.parametrize("language", catalogs.languages())
def test_no_translation_is_of_a_sentence_as_it_was_before(language: str) -> None:
    """Look at each in the .po file, then take its mark "fuzzy" away."""
    assert not catalogs.fuzzy(catalogs.read(language))


def test_a_changed_sentence_keeps_its_translation_until_somebody_has_looked_at_it() -> None:
    """What is only like another sentence, which is still there, gets nothing of it."""
    before, after = Catalog(locale="de"), Catalog()
    before.add("It is the turn of {who} on this board.", "{who} ist am Zug.")
    before.add(("one day on", "{count} days on"), ("ein Tag", "{count} Tage"))
    before.add(("one move", "{count} moves"), ("ein Zug", "{count} Züge"))
    before.add("The game is over now.", "Die Partie ist zu Ende.")
    before.add("Nobody needs this sentence.", "Niemand braucht das.")
    changed = [
        "It's the turn of {who} on this board.",
        ("a day on", "{count} days later on"),
        ("one move", "{count} moves in all"),
    ]
    for each in (*changed, "The game is over now.", "The game is over now?"):
        after.add(each, locations=[("templates/show.txt", 0)])
    for _ in range(2):
        before = catalogs.brought_up(before, after)
        assert catalogs.fuzzy(before) == [changed[0], changed[1][1], changed[2][1]]
        assert [each.string or "" for each in before if each.id] == [
            "{who} ist am Zug.", ("ein Tag", "{count} Tage"), ("ein Zug", "{count} Züge"), "Die Partie ist zu Ende.", "",
        ]  # fmt: skip
    assert catalogs.complete(before) == 20


def test_a_translation_of_a_changed_sentence_stays_in_its_language() -> None:
    """Neither the template nor the next language has it."""
    german, french, after = Catalog(locale="de"), Catalog(locale="fr"), Catalog()
    german.add("It is the turn of {who}.", "{who} ist am Zug.")
    after.add("It's the turn of {who}.")
    assert catalogs.fuzzy(catalogs.brought_up(german, after)) == ["It's the turn of {who}."]
    for catalog in (catalogs.brought_up(french, after), after):
        assert [each.string or "" for each in catalog if each.id] == [""]
        assert not catalogs.fuzzy(catalog)


def test_a_translation_with_another_value_is_found() -> None:
    catalog = Catalog(locale="de")
    catalog.add("It is {who}'s turn.", "{whom} ist am Zug.")
    catalog.add("a <b>stone</b>", "ein Stein")
    catalog.add(("{count} day", "{count} days"), ("ein Tag", "{count} Tage"))
    assert wrong(catalog) == ["{whom} ist am Zug.", "ein Stein", "ein Tag"]
