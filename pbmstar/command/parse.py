"""From a line to a command. Forgiving where that is safe; what cannot be read raises UsageError."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from .. import games
from ..errors import BadInput, UsageError
from ..games.base import Game
from ..games.text import plain, shown
from .arguments import MOVE, Argument, is_plan_word, like_a_move, parts, show_move, take_move
from .table import Verb, for_others, named, reply_usage_text, reply_verbs, usage_text, verbs

_LINK = re.compile(r"[<\[(](https?|mailto):.*[>\])]", re.I)
_SMILE = re.compile("[:;=]-?[()]+|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]+")
PLAIN_MOVES = ("pass", "swap")  # verbs that are moves too
_SHOWN_WORDS = 8  # of a line that cannot be read


@dataclass(frozen=True)
class Command:
    """One command as it was understood.

    verb        its row of the table, which names its handler
    game        the game whose word began the line; None for the server's own verbs
    args        the names of its arguments to their values; an optional one may be absent
    understood  the line as letters show it, its password masked
    """

    verb: Verb
    game: type[Game] | None
    args: dict[str, Any] = field(default_factory=dict)
    understood: str = ""

    def __getitem__(self, name: str) -> Any:
        return self.args[name]


class Attempt(NamedTuple):
    """How far a line could be read: up to ``error``, or to its end.

    exact  the verb stands there by its name or an alias, not cut short
    verb   None if the words name none
    rest   the words after the verb
    shown  those of them that were read, as letters show them, each with its argument
    """

    game: type[Game] | None
    verb: Verb | None
    exact: bool
    rest: list[str]
    args: dict[str, Any]
    shown: list[tuple[Argument, str]]
    error: BadInput | None


def parse(line: str) -> Command:
    """The command that a line says. Raises UsageError."""
    return finish(attempt(words_of(line)))


def parse_reply(line: str, game: type[Game]) -> Command:
    """What a line of a reply says: one of ``reply_verbs``, or a bare move. Raises UsageError.

    The board, the player and the proof of who writes are the reply address's: they are not among
    ``args``. The word "move" may stand before a move. Whether it is a cell of the board, the board
    knows.
    """
    words = words_of(line)
    first = bare(words[0]) if words else ""
    if first == "move" and len(words) > 1:
        words = words[1:]
        first = bare(words[0])
    verb = reply_verbs(game).get(first)
    if words and is_plan_word(words[0]):
        verb, words = reply_verbs(game).get("plan"), ["plan", *words]
    elif first in PLAIN_MOVES and len(words) > 1 and is_plan_word(words[1]):
        verb = None  # a move, and a plan behind it
    try:
        if verb is None:
            _require_here(bare(words[0]) if words else "", game)
            taken = take_move([word for word in words if not _SMILE.fullmatch(word)], game)
            return Command(named(game)["move"], game, taken.values, " ".join(taken.shown))
        args: dict[str, Any] = {}
        if verb.name == "plan" and bare(" ".join(words[1:])) not in ("", "none"):
            args["plan"] = " ".join(words[1:])  # the board names what is wrong with it
            return Command(verb, game, args, " ".join(map(shown, words)))
        spoken: list[tuple[Argument, str]] = []
        read_args(verb.reply_args, game, words[1:], args, spoken)
        understood = " ".join([shown(words[0]), *(word for _, word in spoken)])
        return Command(verb, game, args, understood)
    except BadInput as error:
        text = str(error)
        if error.code == "too-much":  # the line may say the opposite
            below = "; words to your opponent go below it" if len(game.seats) > 1 else ""
            text = f"There is too much on the line for {first}{below}."
        raise UsageError(
            f"{text}\n{reply_usage_text(first, verb, game)}"
            if verb
            else f"{text} {_begins_reply(game)}",
            error.code,
            " ".join(show_move(words[:_SHOWN_WORDS]) + ["..."] * (len(words) > _SHOWN_WORDS)),
        ) from None


def _require_here(word: str, game: type[Game]) -> None:
    """Raises BadInput for a word that begins replies in other games, and here not even a move."""
    if word not in PLAIN_MOVES and for_others(word, game):
        others = "puzzles" if len(game.seats) > 1 else "games for two"
        raise BadInput(f"The word {word} is for {others}.", "not-here")


def _begins_reply(game: type[Game]) -> str:
    """What the first line of a reply may be."""
    legal = ", ".join(dict.fromkeys(verb.name for verb in reply_verbs(game).values()))
    begins = f"The first line of a reply is a move, or one of: {legal}."
    if len(game.seats) == 1:
        return begins
    return f"{begins} To write to your opponent without a move, begin with say."


def is_reply_word(line: str, game: type[Game]) -> bool:
    """Whether a line is one of ``reply_verbs`` and no more."""
    words = words_of(line)
    return len(words) == 1 and bare(words[0]) in reply_verbs(game)


def words_of(line: str) -> list[str]:
    """The words of a line without the links that mail programs add behind some."""
    return [word for word in line.split() if not _LINK.fullmatch(word)]


@lru_cache(256)
def game_of(word: str) -> type[Game] | None:
    """The game that a word names, in the spellings that mail programs make of it."""
    word = plain(word).lower().replace("\\", "")
    game = games.find(word)
    if game is None:
        bare = word.strip("*_`'\"")
        game = games.find("*" + bare if "*" in word else bare) or games.find(bare)
    return game


def attempt(words: Sequence[str]) -> Attempt:
    """Read words as a command, as far as they can be read. Raises nothing."""
    game = game_of(words[0]) if words else None
    rest = list(words[1:] if game else words)
    verb, length, exact = _verb(rest, game)
    if verb is None:
        return Attempt(game, None, False, rest, {}, [], _no_verb(game, rest))
    rest = rest[length:]
    args: dict[str, Any] = {}
    spoken: list[tuple[Argument, str]] = []
    try:
        read_args(verb.args, game, rest, args, spoken)
    except BadInput as error:
        return Attempt(game, verb, exact, rest, args, spoken, error)
    return Attempt(game, verb, exact, rest, args, spoken, None)


def finish(tried: Attempt) -> Command:
    """The command, if all of it could be read. Raises UsageError, with the usage lines."""
    start = [tried.game.word] if tried.game else []
    if tried.verb is None:
        assert tried.error is not None
        start += [word for word in map(bare, tried.rest[:1]) if _is_plain_word(word)]
        raise UsageError(str(tried.error), tried.error.code, " ".join([*start, "..."]))
    start.append(tried.verb.name)
    if tried.error is None:
        understood = " ".join([*start, *(word for _, word in tried.shown)])
        return Command(tried.verb, tried.game, tried.args, understood)
    # With a word too few a password stands where the userid should: only what is read as a number
    # is shown of such a line.
    words = [word for arg, word in tried.shown if not tried.verb.has_secret or arg.name == "board"]
    words = words[:_SHOWN_WORDS]
    if len(words) < len(tried.rest):
        words.append("...")
    raise UsageError(
        f"{tried.error}\n{usage_text(tried.verb, tried.game)}",
        tried.error.code,
        " ".join([*start, *words]),
        tried.args.get("board", 0),
    )


def read_args(
    wanted: Sequence[Argument],
    game: type[Game] | None,
    words: list[str],
    args: dict[str, Any],
    spoken: list[tuple[Argument, str]],
) -> None:
    """Fill ``args`` and ``spoken``, argument by argument. Raises BadInput at the first unreadable one."""
    wanted = parts(wanted, game)
    for place, arg in enumerate(wanted):
        if not words and arg.optional and not arg.eager:
            continue
        if not (words or arg.eager) or _is_forgotten(arg, wanted[place + 1 :], game, words):
            raise BadInput(f"Something is missing: {arg.label}.", f"missing-{arg.name}")
        taken = arg.take(words, game)
        args |= taken.values
        spoken += [(arg, word) for word in taken.shown]
        words = taken.rest
    if words:
        raise BadInput("There is too much on the line.", "too-much")


def _is_forgotten(
    arg: Argument, after: Sequence[Argument], game: type[Game] | None, words: list[str]
) -> bool:
    """Whether ``arg`` is a password and missing: what stands in its place is all that should come after it.

    That is so if the next argument takes all the words that are left, and looks like no password:
    ``star move 8 dora D4``.
    """
    if not arg.secret or not after or not after[0].distinct:
        return False
    try:
        arg.take(words, game)
        if len(words) > 1:  # a password, and more after it
            return False
    except BadInput:
        pass
    try:
        taken = after[0].take(words, game)
    except BadInput:
        return False
    return not taken.rest and (after[0] is not MOVE or all(map(like_a_move, words)))


def bare(word: str) -> str:
    """A word in lower case, without the marks and stops that stand around words of a text."""
    return plain(word).lower().strip("*_.,:!")


def _is_plain_word(word: str) -> bool:
    return re.fullmatch("[a-z]{1,12}", word) is not None


def _verb(words: Sequence[str], game: type[Game] | None) -> tuple[Verb | None, int, bool]:
    """The verb that the words begin with, how many words it takes, and whether it is uncut.

    A verb may be cut short as long as it is clear which one is meant.
    """
    typed = [plain(word).lower().strip("*_:") for word in words[:2]]
    by_name = named(game)
    for length in (2, 1):
        name = " ".join(typed[:length])
        if name in by_name and len(typed) >= length:
            return by_name[name], length, True
    for length in (2, 1):
        name = " ".join(typed[:length])
        near = {verb.name: verb for full, verb in by_name.items() if name and full.startswith(name)}
        if len(near) == 1:
            (verb,) = near.values()
            if len(typed) >= length == verb.name.count(" ") + 1:
                return verb, length, False
    return None, 0, False


def _no_verb(game: type[Game] | None, rest: Sequence[str]) -> BadInput:
    names = ", ".join(verb.name for verb in verbs(game))
    first = bare(rest[0]) if rest else ""
    if game is None:
        return BadInput(
            f"'{shown(first)}' is no whole command. The server's own commands are: {names}.",
            "unknown-verb",
        )
    what = f"'{game.word} {first}'" if _is_plain_word(first) else "That"
    return BadInput(
        f"{what} is no command. After {game.word} comes one of: {names}.", "unknown-verb"
    )
