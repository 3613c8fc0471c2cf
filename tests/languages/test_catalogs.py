"""The catalogs of translations follow from the sentences that there are, and name the same values."""

from __future__ import annotations

import re
from collections import Counter
from string import Formatter

import catalogs
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo

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
            # The form for one thing may leave out how many there are.
            lacks = values - named(each) - ({"count"} if len(english) > 1 else set())
            if lacks or named(each) - values or Counter(_MARKUP.findall(each)) != markup:
                found.append(each)
    return found


def test_the_files_of_catalogs_are_up_to_date() -> None:
    """Else run: python tests/languages/catalogs.py."""
    for path, content in catalogs.files().items():
        assert path.read_bytes() == content, path


def test_the_form_of_each_sentence_for_one_thing_names_no_other_values() -> None:
    for message in catalogs.extracted():
        first, *more = map(named, forms(message.id))
        assert all(first <= values for values in more), message.id


@pytest.mark.parametrize("language", catalogs.languages())
def test_translations_name_the_same_values(language: str) -> None:
    assert not wrong(catalogs.read(language))


@pytest.mark.parametrize("language", catalogs.languages())
def test_what_is_fuzzy_is_not_used(language: str) -> None:
    fuzzy = {forms(each.id)[0] for each in catalogs.read(language) if each.id and each.fuzzy}
    with catalogs.languages()[language].with_suffix(".mo").open("rb") as file:
        used = {forms(each.id)[0] for each in read_mo(file) if each.id}
    assert not fuzzy & used


def test_a_translation_with_another_value_is_found() -> None:
    catalog = Catalog(locale="de")
    catalog.add("It is {who}'s turn.", "{whom} ist am Zug.")
    catalog.add("a <b>stone</b>", "ein Stein")
    catalog.add(("one day", "{count} days"), ("ein Tag", "{count} Tage"))
    assert wrong(catalog) == ["{whom} ist am Zug.", "ein Stein"]
