"""Words that others can guess, which are never passwords."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path

# Of the most used passwords so many bytes of a digest each, sorted; tests/identity/common.py makes them.
_COMMON = Path(__file__).with_name("common")
_BYTES = 4
_DIGITS = 6  # a number with fewer digits is none
_SHORTEST = 3  # letters of a part of a name that counts
_AN_ADDRESS = re.compile(r"[^@]*@[^@]*\.[^@]*[^@\W\d]\W*")


def is_guessable(password: str, names: Iterable[str], public: frozenset[str]) -> bool:
    """Return True if others can guess a password.

    It is such a word if it is a mail address, an option, a few digits or two letters again and again; if
    very many people use it; or if it has nothing but words that anybody may know, digits and marks.
    ``names``: its owner's names, and addresses, which count with their ``parts``; ``public``: words
    that all players know, in small letters.
    """
    word = password.lower()
    is_option = word[:1] == "-" and word.lstrip("-").partition("=")[0] in public
    if is_option or _AN_ADDRESS.fullmatch(word) or len(set(word)) < 3:
        return True
    if (word.isdigit() and len(word) < _DIGITS) or digest(word) in _common():
        return True
    known = public.union(*map(parts, names))
    return word in known or _has_nothing_but(known, word)


def _has_nothing_but(known: frozenset[str], word: str) -> bool:
    """Return True if a word is made of known ones, with digits and marks anywhere between them."""
    ends = {0}  # of what is made of them
    for at, letter in enumerate(word):
        if at in ends:
            ends.update(end for end in range(at + 2, len(word) + 1) if word[at:end] in known)
            ends.update(() if letter.isalpha() else (at + 1,))
    # A number may be known too, like the name of an address.
    has_one = any(map(str.isalpha, word)) or any(len(n) >= _DIGITS and n in word for n in known)
    return len(word) in ends and has_one


@lru_cache(1_000)
def parts(name: str) -> frozenset[str]:
    """Return a name in small letters, its parts, and for an address the parts of each side joined."""
    name = name.lower()
    found = {name}
    for side in name.split("@"):
        for whole in (side, side.partition("+")[0], *side.split(".")):
            words = re.findall("[a-z0-9]+", whole)
            found |= {whole, "".join(words), *(each for each in words if len(each) >= _SHORTEST)}
    return frozenset(found - {""})


def digest(word: str) -> bytes:
    """Return what is kept of a word that many people use."""
    return blake2b(word.encode(), digest_size=_BYTES).digest()


@cache
def _common() -> frozenset[bytes]:
    kept = _COMMON.read_bytes()
    return frozenset(kept[at : at + _BYTES] for at in range(0, len(kept), _BYTES))
