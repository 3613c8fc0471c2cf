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
# dashes, quotes, euro; marks of Chinese and Japanese texts.
_SHOWN = re.compile(
    "[!-~\u00a1\u00aa\u00ab\u00b7\u00ba\u00bb\u00bf-\u024f\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2032-\u203a\u20ac\u3001-\u3003\u3005\u3006\u3008-\u3011\u30fb]"
)
_NO_ASCII_SIGN = re.compile("[^!-~]")
# Letters and their vowel signs: Hebrew and Arabic, from right to left; the scripts of India, Thai, Lao,
# Tibetan, Burmese, Georgian; Khmer; Japanese, Chinese, Korean, and katakana of half the width.
_OF_OTHER_SCRIPTS = re.compile(
    "[\u05b0-\u05f4\u0620-\u06ff\u0900-\u11ff\u1780-\u17d3\u3041-\u30ff\u3105-\u318e\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff]"
)
# Letters that nobody sees, and one whose capital names a cell: if it were shown, it would be read as a cell.
_NEVER_SHOWN = "\u115f\u1160\u3164\u17b4\u17b5\u017f"
_VOWEL_SIGNS = 2  # on a letter, at most
_FROM_THE_RIGHT = re.compile("[\u0590-\u06ff]")
_ANY_ASCII = re.compile("[A-Za-z0-9]")
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

    It keeps ASCII, letters that are no look-alikes of ASCII, and the marks of their texts. All else is a
    question mark: a control character, or one that turns the direction of what follows, changes a letter, and
    so do letters from right to left within a word of ASCII; a letter or digit that looks like one of ASCII
    would show a cell that there is.
    """
    if word.isascii():
        return _NO_ASCII_SIGN.sub("?", word[:most])
    word = unicodedata.normalize("NFC", word)  # a letter and its accent are one character
    if _ANY_ASCII.search(word):
        word = _FROM_THE_RIGHT.sub("?", word)
    signs, vowels = list[str](), _VOWEL_SIGNS
    for sign in word[:most]:
        kind = unicodedata.category(sign)[0]
        vowels = vowels + 1 if kind == "M" else 0
        other = kind in "LM" and vowels <= _VOWEL_SIGNS and _OF_OTHER_SCRIPTS.match(sign)
        is_shown = (other or _SHOWN.match(sign)) and sign.isprintable()
        signs.append(sign if is_shown and sign not in _NEVER_SHOWN else "?")
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
