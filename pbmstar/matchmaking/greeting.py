"""The sentence that a player sends to a friend with an invitation. Pure.

A stranger gets it from our address. So it is short, and has nothing that a mail program makes a link of, and
nothing like a password.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import takewhile

from ..errors import Refusal, say
from ..grammar.arguments import may_be_secret

LONGEST = 120  # characters
_LINK = re.compile(r"@|://|\bwww\b|\bmailto:|\w[.\u3002][^\W\d_]{2}|\d[.\u3002]\d+[.\u3002]\d")
_TELEPHONE = re.compile(r"\+?(?:\d[\s()/.-]*){9}")


def greeting_of(words: str, below: Sequence[str]) -> str:
    """Return the sentence of a command: the rest of its line, and the lines directly below it.

    A mail program may have broken the line; a blank line ends the sentence. It is empty if there is none.
    Raises Refusal.
    """
    said = _clean([words, *takewhile(str.strip, below)])
    if len(said) > LONGEST:
        raise Refusal(
            say(
                "Your message to your friend is {number} characters long, but the limit is "
                "{most}. We didn't send anything.",
                number=len(said),
                most=LONGEST,
            ),
            "long-words",
        )
    if _LINK.search(said) or _TELEPHONE.search(said):
        raise Refusal(
            say(
                "Your message can't contain a link, an email address or a phone number. (If you "
                "didn't write one, check for a missing space after a period.) We didn't send "
                "anything."
            ),
            "link-in-words",
        )
    if any(map(_is_like_a_password, said.split())):
        raise Refusal(
            say("Your message to your friend may contain a password, so we didn't send anything."),
            "secret-in-words",
        )
    return said


def _clean(lines: Iterable[str]) -> str:
    """Return lines as one, in letters that look as they are, without characters that nobody sees."""
    text = unicodedata.normalize("NFKC", " ".join(lines))
    seen = (" " if each.isspace() else each for each in text)
    return " ".join("".join(e for e in seen if unicodedata.category(e)[0] != "C").split())


def _is_like_a_password(word: str) -> bool:
    """Return True for letters with digits among them, except a number with its unit: ``10am``."""
    return may_be_secret(word) and not word[0].isdigit()
