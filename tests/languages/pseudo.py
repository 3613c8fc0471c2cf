"""A language that nobody speaks: each letter of English has an accent, and each sentence is a third longer.

What a letter in it shows in plain letters was not translated, and what does not fit would not fit in German.
"""

from __future__ import annotations

import re
from string import Formatter

from babel.messages.catalog import Catalog

LANGUAGE = "xx"
_PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ACCENTED = "ÀƁĆĎÈƑĜĤÌĴĶĹṀŃÒṔǬŔŚŤÙṼŴẊỲŹàƀćďèƒĝĥìĵķĺṁńòṕǭŕśťùṽŵẋỳź"
_ACCENTS = str.maketrans(_PLAIN, _ACCENTED)
_KEPT = re.compile(r"(</?\w[^>]*>|&#?\w+;)")  # HTML in a sentence of a template
_VOWEL = re.compile(r"([àèìòùỳÀÈÌÒÙỲ])")


def accented(text: str) -> str:
    """A sentence in it, with the same values and the same HTML."""
    pieces = []
    for literal, name, *_ in Formatter().parse(text):
        parts = _KEPT.split(literal)
        parts[::2] = map(_longer, parts[::2])
        pieces.append("".join(parts).replace("{", "{{").replace("}", "}}"))
        pieces.append("" if name is None else f"{{{name}}}")
    return "".join(pieces)


def _longer(text: str) -> str:
    """A text with accents and doubled vowels, of which English has as many as this needs."""
    return _VOWEL.sub(r"\1\1", text.translate(_ACCENTS))


def catalog_of(template: Catalog) -> Catalog:
    """The catalog of it."""
    made = Catalog(locale="de", fuzzy=False)
    for each in template:
        if each.id:
            one = isinstance(each.id, str)
            made.add(each.id, accented(each.id) if one else tuple(map(accented, each.id)))
    return made
