"""Spellings: characters that mail programs and phones have changed are mapped back, word by word."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

ASTERISKS = "\u2217\uff0a\u204e\u2731\u2732\u2733\u066d\ufe61"
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
QUOTES = {"\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"'}
_TABLE = (
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # full-width forms of ASCII
    | {ord(mark): "*" for mark in ASTERISKS}
    | {ord(dash): "-" for dash in DASHES}
    | {ord(quote): plain for quote, plain in QUOTES.items()}
)


# ASCII; Latin, but no digits set high; Greek; Cyrillic without its combining marks; more of Latin and Greek;
# dashes, quotes, euro.
_SHOWN = re.compile(
    "[!-~\u00a1\u00aa\u00ab\u00b7\u00ba\u00bb\u00bf-\u024f\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2032-\u203a\u20ac]"
)
_LIKE_ASCII = (
    "\u0131\u017f"  # letters whose capitals are those of a cell: shown, they would be read as such
)
_JOINT = re.compile(r"\s*(?:-?>|\u2192|\bto\b|-)\s*", re.IGNORECASE)
_GAP = re.compile(r"[\s,+;]+")


def plain(word: str) -> str:
    """Return ``word`` with look-alikes of ASCII characters mapped to them.

    This uses no Unicode normal form, because those turn superscripts and circled digits into digits.
    """
    return word if word.isascii() else word.translate(_TABLE)


def steps(words: Sequence[str]) -> list[list[str]]:
    """Return the words between ``-``, ``>``, ``->`` and ``to``, further parted at blanks and commas.

    ``*50-*20 T00`` is ``[["*50"], ["*20", "T00"]]``.
    """
    text = " ".join(plain(word) for word in words)
    return [[word for word in _GAP.split(part) if word] for part in _JOINT.split(text)]


def shown(word: str, most: int = 20) -> str:
    """Return ``word`` as it may stand in a letter, at most ``most`` characters.

    It keeps ASCII, the letters of Latin, Greek and Cyrillic, and the marks of their texts. All else is a
    question mark: a control character, or one that turns the direction of what follows, changes a letter;
    a letter that looks like one of ASCII would show a cell that there is.
    """
    if not word.isascii():
        word = unicodedata.normalize("NFC", word)  # a letter and its accent are one character
    signs = [
        c if _SHOWN.match(c) and c.isprintable() and c not in _LIKE_ASCII else "?"
        for c in word[:most]
    ]
    return "".join(signs)


def is_one_slip(typed: str, name: str) -> bool:
    """Tell if two words of four or more letters differ by one letter, or by two in the wrong order."""
    if min(len(typed), len(name)) < 4:
        return False
    while typed and name and typed[0] == name[0]:
        typed, name = typed[1:], name[1:]
    swapped = typed[:2] == name[:2][::-1] and typed[2:] == name[2:]
    return swapped or typed[1:] == name[1:] or typed[1:] == name or typed == name[1:]


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun: ``1 star``, ``2 stars``; ``nouns`` if an s does not make the plural."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def signed(number: int) -> str:
    """Return a number with its sign: ``+4``, ``-4``, ``0``."""
    return f"{number:+d}" if number else "0"


def listed(head: str, words: Iterable[str]) -> list[str]:
    """Return lines of at most 72 columns: the words after ``head``, with further lines indented as deep."""
    return textwrap.wrap(
        " ".join(words),
        72,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )
