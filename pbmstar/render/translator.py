"""The sentences of letters in a reader's language, from the catalogs in ``locale``.

A sentence is known by its English text, with the names of its values in braces. A catalog that lacks it,
or cannot be used, leaves it in English: no letter waits for a translation. ``docs/how-to/translate.md``
tells how a catalog is made.
"""

from __future__ import annotations

import gettext
import re
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import SAID, Sentence, Value, say
from ..grammar import words

_PACKAGE = Path(__file__).parent.parent
# In the package, or beside it, in the checkout of an editable install.
CATALOGS = _PACKAGE / "locale" if (_PACKAGE / "locale").is_dir() else _PACKAGE.parent / "locale"
_OFFERED = 95  # per cent of the sentences of letters that a language must have
# What a damaged catalog raises, or a sentence that names other values.
_BROKEN = (OSError, ValueError, LookupError, SyntaxError, struct.error)
_COMMA, _AND = say(", "), say("{first} and {last}")  # "a, b and c"
Tell = Callable[..., str]  # ``Translator.tell``


# A sentence that ends with an abbreviation: "jusqu'au dim. 6 févr.."
_TWICE = re.compile(r"(?<=[^\W\d_])\.\.(?=\s|\Z)")


def _once_dotted(text: str) -> str:
    """Return a sentence with one dot behind an abbreviation at its end."""
    return _TWICE.sub(".", text) if ".." in text else text


class _Texts(dict[str, str]):
    """The sentences of ``Translator.tell`` by their English, each looked up once."""

    def __init__(self, catalog: gettext.NullTranslations) -> None:
        self._catalog = catalog

    def __missing__(self, text: str) -> str:
        self[text] = self._catalog.gettext(text)
        return self[text]


class Translator:
    """The sentences of one language, whose code is ``language``."""

    def __init__(self, language: str, catalog: gettext.NullTranslations) -> None:
        self.language, self._catalog, self._texts = language, catalog, _Texts(catalog)

    @classmethod
    @cache
    def of(cls, language: str) -> Translator:
        """Return the translator of a language; without a usable catalog it answers in English."""
        try:
            return cls(language, gettext.translation("pbmstar", CATALOGS, [language]))
        except _BROKEN:
            return cls(language, gettext.NullTranslations())

    @property
    def is_english(self) -> bool:
        """Return True if the sentences stay as they are, not only for want of a catalog."""
        return self.language == words.ENGLISH

    @classmethod
    def offered(cls) -> tuple[str, ...]:
        """Return the languages that a player can choose, English first: those that have enough."""
        try:
            lines = (CATALOGS / "complete.txt").read_text("ascii").splitlines()
        except OSError:
            lines = []
        parts = dict(line.split() for line in lines)
        return (words.ENGLISH, *(each for each, part in parts.items() if int(part) >= _OFFERED))

    def tell(self, text: str, /, **values: str | int) -> str:
        """Return a sentence with its values filled in, like ``errors.say``, for what is told at once."""
        try:
            return _once_dotted(self._texts[text].format_map(values))
        except _BROKEN:
            return text.format_map(values)

    def tell_many(self, one: str, many: str, /, count: int, **values: str | int) -> str:
        """Return a sentence about ``{count}`` things; ``one`` is that for 1. ``Markup`` stays what it is."""
        given = {"count": count, **values}
        try:
            return type(one)(self.many(one, many, count)).format(**given)
        except _BROKEN:
            return (one if count == 1 else many).format(**given)

    def say(self, said: Value) -> str:
        """Return a sentence with its values, a list of values, or one as it is."""
        if isinstance(said, Sentence):
            return self._said(said)
        return self._listed(said) if isinstance(said, tuple) else str(said)

    def told(self, value: Any) -> Any:
        """Return a fact of a letter, a text or what holds texts, with a text in place of each sentence."""
        if isinstance(value, Sentence):
            return self._said(value)
        if isinstance(value, dict):
            if SAID in value:
                return self._said(Sentence.of(value))
            return {key: self.told(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.told(each) for each in value]
        return value

    def _said(self, said: Sentence) -> str:
        if said.plural:
            pattern = self.many(said.text, said.plural, said.values["count"])
        else:
            pattern = self.text(said.text)
        try:
            return _once_dotted(said.filled(pattern, self.say))
        except _BROKEN:
            return str(said)

    def _listed(self, values: tuple[Value, ...]) -> str:
        *others, last = map(self.say, values)
        if not others:
            return last
        return self.text(_AND.text).format(first=self.text(_COMMA.text).join(others), last=last)

    def text(self, text: str) -> str:
        """Return the pattern of a sentence: braces and all."""
        return self._catalog.gettext(text) if text else ""

    def many(self, one: str, many: str, count: Any) -> str:
        """Return the pattern of a sentence about so many things."""
        return self._catalog.ngettext(one, many, count)


ENGLISH = Translator.of(words.ENGLISH)
