"""Passwords: hashed with argon2id, checked, remembered under a keyed hash; and which are easy to guess."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from ..grammar.literals import Secret

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Verified in place of the hash of an account that does not exist, so that both cost the same.
NOBODY = (
    "$argon2id$v=19$m=19456,t=2,p=1$cGJtc3Rhci1ub2JvZHkhIQ$"
    "Vb8gSFNEQ0tVZW1wdHkgcGFzc3dvcmQgaGFzaCBoZXI"
)
_REMEMBERED = 10_000
# Of the most used passwords so many bytes of a digest each, sorted; tests/identity/common.py makes them.
_COMMON = Path(__file__).with_name("common")
_BYTES = 4
_DIGITS = 6  # a number with fewer digits is none
_SHORTEST = 3  # letters of a part of a name that counts
_AN_ADDRESS = re.compile(r"[^@]*@[^@]*\.[^@]*[^@\W\d]\W*")


def hash_password(password: Secret) -> str:
    """Return the argon2id hash to keep."""
    return HASHER.hash(password.value)


class Passwords:
    """A checker of passwords that remembers its findings under a keyed hash, so that they cost little again.

    It remembers right passwords, and those that nobody else can guess.
    """

    def __init__(self, key: bytes) -> None:
        """Begin with a random ``key`` that lives only in this process."""
        self._key = key
        self._right: dict[bytes, None] = {}
        self._secret: dict[bytes, None] = {}

    def knows(self, hashed: str | None, password: Secret) -> bool:
        """Return True if the password is remembered as the one of that hash. Costs little."""
        return hashed is not None and self._mark(hashed, password) in self._right

    def check(self, hashed: str | None, password: Secret) -> bool:
        """Return True if the password is the one of that hash; None stands for an account that is missing.

        A right one is remembered. The check takes about 20 ms, during which other threads run.
        """
        try:
            HASHER.verify(hashed or NOBODY, password.value)
        except VerifyMismatchError:
            return False
        if hashed is None:
            return False
        self._remember(hashed, password)
        return True

    def hash(self, password: Secret) -> str:
        """Return a new hash of a password, which is remembered; it takes as long as ``check``."""
        hashed = hash_password(password)
        self._remember(hashed, password)
        return hashed

    def is_guessable(self, password: Secret, names: Iterable[str], public: frozenset[str]) -> bool:
        """Return True if others can guess a password; see the function of this name.

        ``public`` is the same in each call, since only names and passwords are remembered.
        """
        names = tuple(names)
        mark = self._mark("\0".join(names), password)
        if mark in self._secret:
            return False
        if is_guessable(password.value, names, public):
            return True
        _keep(self._secret, mark)
        return False

    def _remember(self, hashed: str, password: Secret) -> None:
        _keep(self._right, self._mark(hashed, password))

    def _mark(self, of: str, password: Secret) -> bytes:
        return blake2b(f"{of}\0{password.value}".encode(), key=self._key).digest()


def _keep(marks: dict[bytes, None], mark: bytes) -> None:
    if len(marks) >= _REMEMBERED:
        del marks[next(iter(marks))]
    marks[mark] = None


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
