"""Read a line that begins with a reply word of another language as the line in English. Pure."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import UsageError, either, say
from ..games.spelling import shown
from ..grammar.arguments import like_a_move
from ..grammar.words import ENGLISH, beginning
from .courtesy import is_courtesy

_ANSWERS = ("yes", "no")
_NO_SUBJECTS = (
    "away",
    "back",
    "match",
    "say",
)  # alone they say what a message is about: "Vacances"


def in_english(
    line: str,
    is_read: Callable[[str], bool],
    language: str = ENGLISH,
    *,
    is_asked: bool = False,
    before: str = "",
) -> str | UsageError:
    """Return a line with the word that it begins with in English; any other line as it is.

    A word that is not done at once is a UsageError that says how to do it. Words after it must be its
    arguments; otherwise the line is talk. It never does more than the line in English would.

    is_read   returns True for a line in English that can be read
    language  of the account
    is_asked  the opponent asks something: then more words may follow a yes or a no
    before    what the line that is suggested must begin with, like the number of a board
    """
    found = beginning(line, language)
    if found is None:
        return line
    rest = " ".join(found.rest)
    understood = f"{before}{' '.join(map(shown, found.typed.split()))}"
    if len(found.meanings) > 1:
        text = say(
            "That could mean {words}. Reply with the one you mean.",
            words=either(found.meanings),
        )
        return line if rest else UsageError(text, "two-meanings", understood)
    (word,) = found.meanings
    if word == "move":
        is_move = any(c.isalnum() or c == "@" for c in rest) and all(map(like_a_move, found.rest))
        return rest if is_move else line
    english = f"{word} {rest}".rstrip()
    if rest and not _may_follow(word, rest, is_asked) and (word == "no" or not is_read(english)):
        return line
    if found.is_done:
        return english
    text = say(
        "That line seems to mean {word}. If so, reply: {words}",
        word=word,
        words=f"{before}{english}",
    )
    return UsageError(text, "other-language", understood)


def _may_follow(word: str, rest: str, is_asked: bool) -> bool:
    """Return True if words after an answer are words for the opponent: "nein danke"."""
    return word in _ANSWERS and (is_asked or (word == "no" and is_courtesy(rest)))


def subject_in_english(
    subject: str, is_read: Callable[[str], bool], language: str = ENGLISH
) -> str | UsageError:
    """Return the same for a Subject. A word that may be its topic alone is not a command."""
    found = beginning(subject, language)
    if found and not found.rest and not set(_NO_SUBJECTS).isdisjoint(found.meanings):
        return subject
    return in_english(subject, is_read, language)


def as_typed(understood: str, line: str, english: str) -> str:
    """Return a line as letters show it, with the word that its writer has typed in place of the English."""
    found = beginning(line) if line != english else None
    if found is None or not understood:
        return understood
    _, _, rest = understood.partition(" ")
    is_move = found.meanings == ("move",)
    return " ".join(
        [*map(shown, found.typed.split()), *filter(None, [understood if is_move else rest])]
    )
