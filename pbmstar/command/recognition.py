"""Tell commands from talk, and lines that may hold a password from others.

A line that begins with a game word or a server's verb is a command if all of it can be read as one. If
it cannot, it is a slip in these cases, and the answer shows how to write it:

- a verb follows the game word: written out, or cut short or one letter wrong and with an argument
  that can be read
- a board's number, a userid and more follow the game word or the word after it: these follow every
  verb with a password
- it begins with a server's verb; one that also begins English sentences must have its number of words.

An English word like "is" or "my" in the place of the first argument makes it talk, since no userid
is one. (But few sentences begin with "signup".) Any other line is talk too, and may still hold a password:

    star move 17 alice s3cret F6            command, hidden
    star moove 17 alice s3cret F6           slip, hidden: one letter from a verb, and a number follows
    star 17 alice s3cret F6                 slip, hidden: the verb is missing
    html alice s3cret perhaps               slip, hidden: a verb of the server, and as many words
    star games                              command, open
    Star games are fun                      talk, open: "are" is not a userid
    Accept my apologies                     talk, open: so is "my"
    by the way: star move 17 alice s3cret   talk, hidden: a command stands after other words

A hidden line is never shown to an opponent.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence

from .. import games
from ..errors import BadInput, UsageError, say, together
from ..games.spelling import is_one_slip, plain, shown
from ..grammar.arguments import ACCOUNT, ANY_USERID, PASSWORD, USERID, is_plan_word, may_be_secret
from ..grammar.literals import SENTENCE_WORDS, game_of, read_board, read_userid
from .parse import Attempt, Command, attempt, bare, finish, words_of
from .table import GAME_VERBS, SERVER_VERBS, named, usage_text, verbs

FIRST_WORDS = frozenset(
    [name.strip("*") for game in games.GAMES for name in (game.word, *game.aliases)]
    + [name.split()[0] for verb in SERVER_VERBS for name in (verb.name, *verb.aliases)]
)
_WORD = re.compile("[a-z-]+")  # each of the first words is one
_MARKS = "*_`'\"\\"  # marks that mail programs put around a word, or before an asterisk
_AROUND = f"{_MARKS}:"  # Signup: karl s3cret
_OPENING = "([{<"
_BULLETS = "\u2022\u00b7\u2023\u25aa\u25cf "
_IN_QUOTES = re.compile(r"""(["'`])([^"'`]+)\1[!?.]?|<([^<>:]+)>""")
_DIGIT = re.compile("[0-9]")
# Letters and digits, as most passwords have.
_MIXED = re.compile(r"[^\W\d_]\S*[0-9]|[0-9]\S*[^\W\d_]")
_SECRET_WORDS = (
    "password", "passwort", "passwd", "pass word", "kennwort", "mot de passe", "mdp", "contraseña",
    "contrasena", "clave", "senha", "wachtwoord", "hasło", "haslo", " pw ", "pw:", "pwd",
)  # fmt: skip
_PARTS = re.compile(r"[\s/:=,;]+")
_PASS = ("pass", "pw", "code")  # "alice pass s3cret"
_MORE = 2  # more words than arguments, if there are digits in them: two days, and a word too many
_LOOKED_AT = 40  # words of a line of comment
_SHOWN_WORDS = 8  # of such a line, at most
_LONGEST_SLIP = 20  # characters of a word that may be a verb


def read(line: str) -> Command | UsageError | None:
    """Return the command of a line, or the reason that it cannot be read; None if it is talk."""
    words = _command_words(unquoted(line))
    if not words:
        return None
    tried = attempt(words)
    is_meant = _is_slip(tried, words) if tried.error else not is_sentence(tried)
    return command_of(tried) if is_meant else None


def explain(line: str, any_word: bool) -> UsageError | None:
    """Explain why a line of talk that begins like a command is not a command; return None for other lines.

    Without ``any_word`` only a game word begins one.
    """
    words = _command_words(line)
    if not words or not (any_word or game_of(words[0])):
        return None
    command = command_of(attempt(words))
    return command if isinstance(command, UsageError) else None


def without_game(line: str) -> UsageError | None:
    """Explain that a line begins with a verb of games but lacks a game's word; None for other lines.

    A board's number, or the players of a challenge, must follow the verb: "Show me the way" is talk.
    """
    words, star = words_of(unbulleted(line)), games.GAMES[0]
    name = bare(words[0]) if words else ""
    verb = None if name in named(None) else named(star).get(name)
    if verb is None or not (_has_digits(words[1:2]) or (name == "challenge" and words[1:])):
        return None
    text = say(
        "Start with the name of a game, for example: {example}", example=f"{star.word} {name}"
    )
    why = together(text, usage_text(verb, star), by="\n")
    return UsageError(why, "no-game-word", f"{name} ...")


def command_of(tried: Attempt) -> Command | UsageError:
    """Return the command of an attempt, or the reason that it cannot be read."""
    try:
        return finish(tried)
    except UsageError as error:
        return error


def _command_words(line: str) -> list[str]:
    """Return the words of a line if a command may begin with the first of them; otherwise none."""
    begin = line.split(None, 1)
    return words_of(line) if begin and _may_begin(begin[0].strip(_AROUND)) else []


def unquoted(line: str) -> str:
    """Return a line without the quotes or brackets around it, as people copy a command from a text."""
    match = _IN_QUOTES.fullmatch(plain(line).strip())
    return match[2] or match[3] if match else line


def unbulleted(line: str) -> str:
    """Return a line without the mark of a list before it."""
    return line.strip().lstrip(_BULLETS)


def may_hold_command(text: str) -> bool:
    """Return True if a command may begin somewhere in a text. This quickly rules out most texts."""
    return not text.isascii() or not FIRST_WORDS.isdisjoint(_WORD.findall(text.lower()))


def may_hold_secret(text: str) -> bool:
    """Return True if a word of a text has letters and digits, as most passwords have."""
    return _DIGIT.search(text) is not None and _MIXED.search(text) is not None


def names_secret(text: str, names: Iterable[str]) -> bool:
    """Return True if a text has the word password, or one of these userids; an empty one is none."""
    low = plain(text).lower()
    return any(word in low for word in (*_SECRET_WORDS, *filter(None, names)))


def may_hold_password(line: str, names: Collection[str] = ()) -> bool:
    """Return True if a line may hold a password: such a line is never shown to an opponent.

    Such lines are a command that takes one, a command that cannot be read, either of them after other
    words, and a line that begins like a command and has one of the writer's userids, ``names``, with a
    word after it that does not continue a sentence. So are "my password is s3cret" and "alice s3cret".
    """
    line = unbulleted(line)
    if may_hold_secret(line) and names_secret(line, names) and _tells_secret(line, names):
        return True
    if not may_hold_command(line):
        return False
    words = words_of(line)[:_LOOKED_AT]
    if words and _may_begin(words[0].strip(_MARKS)) and _names_account(words, names):
        return True
    return any(
        _is_telling([word.lstrip(_OPENING), *words[place + 1 :]], place == 0)
        for place, word in enumerate(words)
        if _may_begin(word.strip(_AROUND + _OPENING))
    )


def beginning_of_command(line: str) -> str:
    """Return the part to show of a line like a command with a password; empty for other lines.

    In a reply such a line is not a command if its first word is misspelt: ``tar move 17 alice s3cret F6``.
    """
    words = words_of(line)[:_LOOKED_AT]
    place = next((at for at in range(1, len(words)) if _is_shaped(words[at:])), 0)
    if place:
        return " ".join([*map(shown, words[: place + 1][-_SHOWN_WORDS:]), "..."])
    if len(words) > 2 and not goes_on(words[1:]) and _is_secret_verb(words[0].lower()):
        return f"{shown(words[0])} ..."
    return ""


def _is_secret_verb(typed: str) -> bool:
    """Return True if a word is, or is one slip from, the first of a command with an account's password."""
    names = (verb.name.split()[0] for verb in SERVER_VERBS if verb.has_secret)
    return any(typed == name or is_one_slip(typed, name) for name in names)


def _may_begin(word: str) -> bool:
    """Return True if a command may begin with a word. This quickly rules out most words of a text."""
    return (word if word.isascii() else plain(word).strip(_AROUND)).lower() in FIRST_WORDS


def _is_slip(tried: Attempt, words: Sequence[str]) -> bool:
    """Return True if a line that cannot be read is meant as a command."""
    rest, verb = tried.rest, tried.verb
    if tried.game is None:
        return verb is not None and tried.exact and (not verb.common or _has_its_words(tried))
    if goes_on(rest) and not (tried.exact and is_plan_word(rest[0])):
        return False
    if verb is not None:
        return tried.exact or bool(tried.shown)
    corrected = _corrected(tried, words)
    if corrected is not None and not goes_on(corrected.rest):
        return corrected.error is None or bool(corrected.shown)
    return _is_shaped(rest) or _is_shaped(rest[1:])


def is_sentence(tried: Attempt) -> bool:
    """Return True if a line that can be read as a command is still an English sentence."""
    verb = tried.verb
    if verb is None or not verb.common or not goes_on(tried.rest):
        return False
    if ACCOUNT in verb.args and len(tried.rest) == 1:  # no account takes one word: "problem on"
        return False
    return verb.args[0] in (USERID, ANY_USERID, ACCOUNT)


def goes_on(words: Sequence[str]) -> bool:
    """Return True if the first of some words continues a sentence: "is", "my", "it's"."""
    word = plain(words[0]).lower() if words else ""
    return word.rstrip(".,!?") in SENTENCE_WORDS or "'" in word[1:-1]


def _has_its_words(tried: Attempt) -> bool:
    """Return True if the number of words fits a verb that takes a password: such a line is never talk."""
    verb = tried.verb
    return (
        verb is not None
        and (PASSWORD in verb.args or ACCOUNT in verb.args)
        and verb.least
        <= len(tried.rest)
        <= len(verb.args) + (_MORE if _has_digits(tried.rest) else 0)
        and not goes_on(tried.rest)
    )


def _has_digits(words: Sequence[str]) -> bool:
    return any(letter.isdigit() for word in words for letter in word)


def _corrected(tried: Attempt, words: Sequence[str]) -> Attempt | None:
    """Return the line read with the verb that is one letter from the word after the game word, or None."""
    if tried.game is None or not tried.rest:
        return None
    typed = plain(tried.rest[0]).lower()[:_LONGEST_SLIP]
    name = next((verb.name for verb in verbs(tried.game) if is_one_slip(typed, verb.name)), "")
    return attempt([words[0], name, *words[2:]]) if name else None


def _is_shaped(words: Sequence[str]) -> bool:
    """Return True if words are a board's number, a userid and more."""
    if len(words) < 3 or goes_on(words[1:]) or goes_on(words[2:]):
        return False
    try:
        read_board(words[0])
        read_userid(words[1])
    except BadInput:
        return False
    return True


def _names_account(words: Sequence[str], names: Container[str]) -> bool:
    """Return True if one of the userids has a word after it that may be its password."""
    return any(
        plain(word).lower().strip(".,:;") in names and not goes_on(words[place:])
        for place, word in enumerate(words[:-1], 1)
    )


def _tells_secret(line: str, names: Collection[str]) -> bool:
    """Return True if a word that may be a password stands near one of the userids, or the word password."""
    words = _PARTS.split(plain(line))[:_LOOKED_AT]
    if names_secret(line, ()):
        return any(map(may_be_secret, words))
    for at, word in enumerate(words, 1):
        behind = words[at : at + 2]
        behind = behind[1:] if behind and behind[0].lower() in _PASS else behind[:1]
        if word.lower().strip(_AROUND) in names and any(map(may_be_secret, behind)):
            return True
    return False


def _names_secret_verb(tried: Attempt, words: Sequence[str]) -> bool:
    """Return True if the verb of a line, perhaps one of other games, takes a password."""
    verb = (_corrected(tried, words) or tried).verb
    if verb is None and tried.game is not None and tried.rest:
        verb = next((each for each in GAME_VERBS if each.name == bare(tried.rest[0])), None)
    return verb is not None and verb.has_secret


def _is_telling(words: Sequence[str], first: bool) -> bool:
    """Return True if words, the first of a line or not, hold a password, or were meant to.

    Words that cannot be read and stand after others count as a command only if they are one without
    doubt, unlike "the star of the show".
    """
    tried = attempt(words)
    verb = tried.verb
    sure = first or tried.game is not None
    if sure and _names_secret_verb(tried, words) and any(map(may_be_secret, tried.rest)):
        return True
    if tried.error is None:
        sure = sure or (verb is not None and not verb.common)
        tells = any(arg.secret for arg, _ in tried.shown)  # to sign up needs no password
        return verb is not None and tells and sure and not is_sentence(tried)
    if first and _is_slip(tried, words):
        return True
    tried = _corrected(tried, words) or tried
    verb = tried.verb
    if verb is None or not verb.has_secret or goes_on(tried.rest):
        return False
    if first and len(tried.rest) == 1:  # the userid is missing: "back s3cret", and not "back home"
        return verb.args == (USERID, PASSWORD) and not plain(tried.rest[0]).strip(".,!?").isalpha()
    if first:
        return bool(tried.rest) and (not verb.common or len(tried.rest) <= len(verb.args) + 1)
    if tried.game is None:
        return len(tried.rest) > 1 and not verb.common
    return any(arg.name == "board" for arg, _ in tried.shown)
