"""Which lines of a mail are commands, and which are the comment."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .. import games
from ..errors import UsageError
from ..games.text import plain
from .parse import game_of, parse, words_of
from .table import SERVER_VERBS, Verb
from .words import Secret

# In our capitals: "star board 17" is what a player has typed.
_OWN_SUBJECT = re.compile(r"(New |Nag: )?\S+( Y)? Board [0-9]+( [\w-]+)?( Error)?( \*\*)?")

_FIRST_WORDS = frozenset(
    [name.strip("*") for game in games.GAMES for name in (game.word, *game.aliases)]
    + [verb.name.split()[0] for verb in SERVER_VERBS]
)

_MARKS = "*_`'\"\\"  # what mail programs put around a word, or before an asterisk
_BULLETS = "\u2022\u00b7\u2023\u25aa\u25cf "
_LOOKED_AT = 40  # words of a line of comment
_TELLING = ("signup", "signoff", "change password", "change address")


def is_command(line: str) -> bool:
    """Whether a line is meant as a command: a game word begins it, or a server word that fits."""
    begin = line.split(None, 1)
    if not begin:
        return False
    bare = begin[0].strip(_MARKS).lower()
    if bare.isascii() and bare not in _FIRST_WORDS:  # most lines, and quickly
        return False
    words = words_of(line)
    if not words:
        return False
    first = plain(words[0])
    if game_of(first) and not first[:1].isdigit():
        return True
    first = first.lower()
    for verb in SERVER_VERBS:
        first_word, _, second_word = verb.name.partition(" ")
        if first_word != first:
            continue
        if not second_word:
            return not verb.common or _fits(line, verb)
        if len(words) > 1 and plain(words[1]).lower() == second_word:
            return True
    return False


def is_whole(line: str) -> bool:
    """Whether a line can be read as a command, with all that belongs to it."""
    try:
        parse(line)
    except UsageError:
        return False
    return True


def _fits(line: str, verb: Verb) -> bool:
    """Whether a line that an English word begins is that command, or was meant to be.

    As many words as a verb with a password takes are enough: a password must not be taken for talk.
    """
    if "password" in verb.args:
        least = sum(not arg.startswith("[") for arg in verb.args)
        return least <= len(words_of(line)) - 1 <= len(verb.args)
    try:
        return parse(line).verb == verb.name
    except UsageError:
        return False


def split(subject: str, is_reply: bool, lines: Iterable[str]) -> tuple[list[str], str]:
    """The command lines of a mail, in order, and the comment. Reads nothing into either.

    A Subject that is a command is the only one, the body its comment; else, or if the Subject is but
    the first word of one, the commands are those body lines that are one, and the comment is what
    other text follows the first of them.
    """
    lines = list(lines)
    words = subject.split()
    by_subject = not is_reply and is_command(subject) and not _OWN_SUBJECT.fullmatch(subject)
    if not by_subject or (len(words) == 1 and not is_whole(subject)):
        found, comment = _from_body(lines)
        if found or not by_subject:
            return found, comment
    return [subject], _comment(line for line in lines if line.split() != words)


def _from_body(lines: Iterable[str]) -> tuple[list[str], str]:
    found: list[str] = []
    rest: list[str] = []
    for line in lines:
        stripped = line.strip().lstrip(_BULLETS)
        if is_command(stripped):
            found.append(stripped)
        elif found:
            rest.append(line)
    return found, _comment(rest)


def _comment(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if not is_secretive(line)).strip("\n")


def is_secretive(line: str) -> bool:
    """Whether a line may hold a password: such a line is never shown to an opponent.

    So it is with a command, and with one that stands behind other words.
    """
    line = line.strip().lstrip(_BULLETS)
    lower = line.lower()
    if line.isascii() and not any(
        word in lower for word in _FIRST_WORDS
    ):  # most lines, and quickly
        return False
    if is_command(line):
        return True
    words = words_of(line)[:_LOOKED_AT]
    places = (
        place
        for place, word in enumerate(words)
        if word.strip(_MARKS + "([{<").lower() in _FIRST_WORDS
    )
    return any(_is_telling(" ".join(words[place:]).lstrip("([{<")) for place in places)


def _is_telling(line: str) -> bool:
    """Whether a command that stands behind other words holds a password, or was meant to."""
    try:
        command = parse(line)
    except UsageError as error:
        known = error.command
        return known is not None and ("board#" in known.args or known.verb in _TELLING)
    holds = any(isinstance(value, Secret) for value in command.args.values())
    return holds and (command.game is not None or command.verb in _TELLING)
