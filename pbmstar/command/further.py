"""Commands among the words below the one command of a message. Pure.

Words below such a command belong to it, and not to the opponent of the first one. What merely looks like a
command is talk: "Hex rules are simple", "star challenge accepted!".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Container, Iterable, Sequence

from ..errors import Sentence, UsageError, say, say_many, together
from ..games.spelling import shown
from ..grammar.arguments import PLAYERS, may_be_secret
from ..grammar.literals import Secret, game_of
from .parse import Command, bare, words_of
from .recognition import FIRST_WORDS, goes_on, read, unbulleted
from .table import GAME_VERBS

# Words of the verbs of games.
OF_GAMES = frozenset(name for verb in GAME_VERBS for name in (verb.name, *verb.aliases))
_FIRST_WORDS = FIRST_WORDS | OF_GAMES
_BEGIN = re.compile(r"^[\W_]*([a-z-]+)", re.M)
# Verbs that name a player, and whose lines below are for that player, or for the writer alone.
_NOTE = "note"
_OF_PLAYERS = ("challenge", _NOTE)
_BOARD = re.compile("#?([0-9]{1,9})[.,:]?")
_SHOWN_WORDS = 2  # besides the word of a game: a verb, and a board or an option
_MOST = 20  # players or commands that are looked at
_TWO_WORDS = 3  # words of a line with two below its verb


def players_named(lines: Iterable[str]) -> list[str]:
    """Return the words in the place of a player in lines that may be commands about one, some at most."""
    lines = list(lines)
    if not _may_hold("\n".join(lines)):
        return []
    found = (_players(behind_game(words_of(unbulleted(line)))) for line in lines)
    return list(dict.fromkeys(name for names in found for name in names[:2]))[:_MOST]


def is_further(
    line: str, names: Container[str] = (), players: Container[str] | None = None
) -> bool:
    """Return True if a line among words is a command without doubt, whatever boards there are.

    names    the userids of the writer; empty if they are not known
    players  the userids that lines of the message may name; None if any word may be one
    """
    line = unbulleted(line)
    words, found = words_of(line), read(line)
    rest = behind_game(words)
    has_game = len(rest) < len(words)
    if isinstance(found, Command):
        if any(isinstance(each, Secret) for each in found.args.values()):
            return _is_sure(found, len(words), names)
        if has_game and found.args.keys() & {"board", "boards"}:
            return True
        if players is None and PLAYERS in found.verb.args:
            return True
    elif found and has_game and any(map(may_be_secret, words)):  # misspelt
        return True
    if any(bare(word) in names for word in rest[2:3]) and bare(rest[0]) in OF_GAMES:
        return _BOARD.fullmatch(rest[1]) is not None and not goes_on(rest[3:])
    return players is not None and _is_about(rest, names, players)


def _may_hold(text: str) -> bool:
    """Return True if a line of a text may begin like a command. This rules out most texts at once."""
    return not text.isascii() or not _FIRST_WORDS.isdisjoint(_BEGIN.findall(text.lower()))


def behind_game(words: Sequence[str]) -> Sequence[str]:
    """Return words without the word of a game that they begin with."""
    return words[1:] if words and game_of(bare(words[0])) else words


def _players(words: Sequence[str]) -> list[str]:
    """Return the words behind a verb about players that are no options; none behind other words."""
    if not words or bare(words[0]) not in _OF_PLAYERS:
        return []
    return [bare(word) for word in words[1:] if word[0] != "-"]


def _is_about(words: Sequence[str], names: Container[str], players: Container[str]) -> bool:
    """Return True if words are a verb about a player that there is, and no sentence below it.

    What is noted of one is for nobody else, so any words may follow there.
    """
    first, *more = _players(words) or [""]
    if first in players and bare(words[0]) == _NOTE:
        return True
    known = [each for each in (first, *more) if each in players or each in names]
    is_more = any(each not in known and not any(map(str.isdigit, each)) for each in more)
    return first in known and not is_more


def _is_sure(command: Command, length: int, names: Container[str]) -> bool:
    """Return True if a command with a password or token isn't a sentence, as "Back around 10am" is."""
    secrets = [each.value for each in command.args.values() if isinstance(each, Secret)]
    is_told = any(map(may_be_secret, secrets))
    if "userid" not in command.args:
        return is_told
    if not command.verb.common or command.args["userid"] in names:
        return True
    return not names and (length > _TWO_WORDS or is_told)


def divided(
    lines: Iterable[str], is_one: Callable[[str], bool] = is_further, *, may_be_any: bool = False
) -> tuple[list[str], list[UsageError]]:
    """Return the words below the one command of a message, and why commands among them aren't carried out,
    some at most. ``may_be_any``: such a command may begin with another word than those of commands."""
    lines = list(lines)
    if not may_be_any and not _may_hold("\n".join(lines)):
        return lines, []
    starts = [at for at, line in enumerate(lines) if is_one(line)]
    further = [
        not_first(lines[start], full(lines[start + 1 : end]))
        for start, end in itertools.islice(itertools.pairwise([*starts, len(lines)]), _MOST)
    ]
    return lines[: starts[0] if starts else None], further


def not_first(line: str, unheard: int = 0) -> UsageError:
    """Return why a command among words isn't carried out, nor so many lines of words below it passed on."""
    why = say(
        "We didn't carry out this command, because your message starts with something else. "
        "Please send it in another message."
    )
    found, words = read(unbulleted(line)), words_of(unbulleted(line))
    length = len(words) - len(behind_game(words)) + _SHOWN_WORDS
    some = " ".join(map(shown, words[:length]))
    return UsageError(
        together(why, not_passed_on(unheard)) if unheard else why,
        "not-first",
        found.understood if found else f"{some} ...",
    )


def not_passed_on(count: int) -> Sentence:
    """Return the sentence on so many lines that go to nobody, since they stand below a line refused."""
    return say_many(
        "We didn't pass on {count} line below it.",
        "We didn't pass on {count} lines below it.",
        count,
    )


def full(lines: Iterable[str]) -> int:
    """Count the lines that say something."""
    return sum(bool(line.strip()) for line in lines)
