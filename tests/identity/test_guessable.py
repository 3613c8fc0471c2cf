"""What anybody can know or guess is no password."""

from __future__ import annotations

from pathlib import Path

import pytest
from common import MOST

from pbmstar.grammar.literals import Secret
from pbmstar.identity import passwords
from pbmstar.identity.passwords import is_guessable

NAMES = (
    "anna77",
    "jo",
    "anna.smith+star@mail.home-office.example",
    "a_b@x.example",
    "20461234@y.example",
)
PUBLIC = frozenset(("star", "size", "solitaire", "maxi"))
BAD = (
    "anna77 ANNA77 anna77! 12anna77 anna anna2026 smith annasmith annasmithstar anna.smith home-office homeoffice "
    "office example mail anna.smith+star@mail.home-office.example b@c.example x@y.zz star star1 Solitaire -size=4 "
    "-maxi 1234 12345 aaaa 1111111 abababab ******** password Password letmein qwerty 123456 iloveyou dragon1 "
    "jo2026 anna_smith smithanna Anna-Smith-77 anna.smith@home office2star star+solitaire 7star-size7 20461234 20461234!"
)
GOOD = "s3cretw n3w.word 83729471 correct-horse annasmyth smithereens stars42x a@b p@ss.w0rd9 starfish7 xanna77 annatanna 20461235 2031-11-28"


@pytest.mark.parametrize("word", BAD.split())
def test_a_word_that_others_can_guess(word: str) -> None:
    assert is_guessable(word, NAMES, PUBLIC)


@pytest.mark.parametrize("word", GOOD.split())
def test_a_word_that_they_cannot(word: str) -> None:
    assert not is_guessable(word, ("", *NAMES), PUBLIC)


def test_a_secret_is_one_for_its_owner_alone() -> None:
    """That a password was found to be secret is remembered with all names that it was compared with."""
    checker = passwords.Passwords(b"key")
    for _ in range(2):
        assert not checker.is_guessable(Secret("xanna"), ["bob", "b@x.example"], PUBLIC)
        assert checker.is_guessable(Secret("xanna"), ["bob", "xanna@x.example"], PUBLIC)
        assert checker.is_guessable(Secret("xanna"), ["bobb@x.example", "xanna"], PUBLIC)
        assert checker.is_guessable(Secret("dragon1"), ["bob", "b@x.example"], PUBLIC)


def test_the_list_of_the_most_used() -> None:
    """Its order is that of its bytes, and it is of the size that it should have."""
    kept = Path(passwords.__file__).with_name("common").read_bytes()
    digests = [kept[at : at + 4] for at in range(0, len(kept), 4)]
    assert digests == sorted(set(digests)) and 0.95 * MOST < len(digests) <= MOST
