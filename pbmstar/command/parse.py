"""Read a line as a command and forgive slips where that is safe; UsageError gives the reason if it fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import permutations
from types import MappingProxyType
from typing import Any, NamedTuple

from ..errors import BadInput, Sentence, UsageError, say, together
from ..games import GAMES
from ..games.base import Game
from ..games.spelling import plain, shown
from ..grammar.arguments import (
    LANGUAGE,
    MOVE,
    PASSWORD,
    PLAYERS,
    Argument,
    is_plan_word,
    like_a_move,
    may_be_secret,
    missing,
    parts,
    show_move,
    take_move,
)
from ..grammar.literals import MASK, game_of, is_language
from ..grammar.verb import Verb, Who
from .table import (
    GAME_VERBS,
    for_others,
    named,
    reply_usage_text,
    reply_verbs,
    usage,
    usage_of,
    usage_text,
    verbs,
)

_LINK = re.compile(r"[<\[(](https?|mailto):.*[>\])]", re.I)
_SMILE = re.compile("[:;=]-?[()]+|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]+")
PLAIN_MOVES = ("pass", "swap")  # verbs that are moves too
_ALIKE = 0.75  # a misspelled verb is at least so like it, by difflib
_FEW_WORDS = 5  # of a line whose words are tried in other orders
_NEAREST = 3  # names that an unknown word may have been
_SHOWN_WORDS = 8  # of a line that cannot be read
# Words of other servers for play by mail, and our verbs that do the same.
_CALLED_HERE = {
    "list": "who", "message": "say", "chat": "say", "moveq": "plan", "limit": "limit", "notify": "watch",
    "subscribe": "watch", "unsubscribe": "unwatch", "showas": "show", "submit": "preview",
    "delete": "signoff",
}  # fmt: skip
# Arguments that take any word, and the test of a word that looks like one.
_LOOKS: dict[str, Callable[[str], bool]] = {MOVE.name: like_a_move, LANGUAGE.name: is_language}
_OF_GAMES = frozenset(verb.name for verb in GAME_VERBS)  # some are of other games: review, preview


@dataclass(frozen=True)
class Command:
    """One command as it was understood; it does not change.

    verb        its row of the table, which names its handler
    game        the game whose word began the line; None for the server's own verbs
    args        the names of its arguments to their values; an optional one may be absent
    understood  the line as letters show it, its password masked
    """

    verb: Verb
    game: type[Game] | None
    args: Mapping[str, Any] = field(default_factory=dict)
    understood: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", MappingProxyType(dict(self.args)))

    def __getitem__(self, name: str) -> Any:
        return self.args[name]

    def knowing(self, args: Mapping[str, Any]) -> Command:
        """Return the command with these arguments besides its own, or in their place."""
        return replace(self, args={**self.args, **args})

    def masked(self, text: str) -> str:
        """Return a text in which a mask stands for the password of the command."""
        password = self.args.get("password")
        return text.replace(password.value, MASK) if password else text


class ReadArguments(NamedTuple):
    """The arguments of a line that could be read: those up to ``error``, or to its end.

    shown  the words that were read, as letters show them, each with its argument
    """

    args: dict[str, Any]
    shown: list[tuple[Argument, str]]
    error: BadInput | None


class Attempt(NamedTuple):
    """The part of a line that could be read, see ReadArguments.

    exact  the verb stands there by its name or an alias, not cut short
    verb   None if the words name none
    rest   the words after the verb
    start  the words up to the verb as they were typed
    """

    game: type[Game] | None
    verb: Verb | None
    exact: bool
    rest: list[str]
    args: dict[str, Any]
    shown: list[tuple[Argument, str]]
    error: BadInput | None
    start: list[str]


_NO_COMMAND = say("That isn't a command. For all commands, send: help commands")
_NO_VERB = BadInput(_NO_COMMAND, "unknown-verb")  # ``finish`` says more


def parse(line: str) -> Command:
    """Return the command of a line. Raises UsageError."""
    return finish(attempt(words_of(line)))


def parse_reply(line: str, game: type[Game]) -> Command:
    """Return the command of a line of a reply: one of ``reply_verbs``, or a bare move. Raises UsageError.

    The reply address gives the board, the player and the proof of identity: they are not among
    ``args``. The word "move" may stand before a move. The board checks later if a move names its cells.
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
        verb = None  # a move, and a plan after it
    try:
        if verb is None:
            _require_here(bare(words[0]) if words else "", game)
            taken = take_move([word for word in words if not _SMILE.fullmatch(word)], game)
            return Command(named(game)["move"], game, taken.values, " ".join(taken.shown))
        if verb.name == "plan" and bare(" ".join(words[1:])) not in ("", "none"):
            plan = {"plan": " ".join(words[1:])}  # the board names its faults
            return Command(verb, game, plan, " ".join(map(shown, words)))
        args, spoken, error = read_args(verb.reply_args, game, words[1:])
        if error is not None:
            raise error
        understood = " ".join([shown(words[0]), *(word for _, word in spoken)])
        return Command(verb, game, args, understood)
    except BadInput as error:
        why = error.said
        if error.code == "too-much":  # the line may say the opposite
            has_opponent = len(game.seats) > 1
            below = say("Messages to your opponent go on the lines below.") if has_opponent else ""
            why = together(
                say("Don't put anything else on the line with {word}.", word=first), below
            )
        raise UsageError(
            together(why, reply_usage_text(first, verb, game), by="\n") if verb else why,
            error.code,
            " ".join(show_move(words[:_SHOWN_WORDS]) + ["..."] * (len(words) > _SHOWN_WORDS)),
        ) from None


def _require_here(word: str, game: type[Game]) -> None:
    """Raise BadInput for a word that begins replies in other games only, and that is not a move."""
    if word not in PLAIN_MOVES and for_others(word, game):
        why = (
            say("The word {word} only works in puzzles.", word=word)
            if len(game.seats) > 1
            else say("The word {word} only works in games for two.", word=word)
        )
        raise BadInput(why, "not-here")


def is_reply_word(line: str, game: type[Game]) -> bool:
    """Return True if a line is one of ``reply_verbs`` and no more."""
    words = words_of(line)
    return len(words) == 1 and bare(words[0]) in reply_verbs(game)


def words_of(line: str) -> list[str]:
    """Return the words of a line without the links that mail programs add after some."""
    words = line.split()
    return [word for word in words if not _LINK.fullmatch(word)] if ":" in line else words


def attempt(words: Sequence[str]) -> Attempt:
    """Read words as a command, up to the first one that cannot be read. Raises nothing."""
    game = game_of(words[0]) if words else None
    rest = list(words[1:] if game else words)
    verb, length, exact = _verb(rest, game)
    if verb is None:
        return Attempt(game, None, False, rest, {}, [], _NO_VERB, _typed(words[:1] if game else ()))
    rest = rest[length:]
    start = _typed(words[: len(words) - len(rest)])
    return Attempt(game, verb, exact, rest, *read_args(verb.args, game, rest), start)


def _typed(words: Sequence[str]) -> list[str]:
    """Return words as they were typed, without the marks that mail programs put around them."""
    return [shown(word.strip("_:'\"`")) for word in words]


def finish(tried: Attempt) -> Command:
    """Return the command if all of it could be read. Raises UsageError with the usage lines."""
    start = list(tried.start)
    if tried.verb is None:
        start += [word for word in map(bare, tried.rest[:1]) if _is_plain_word(word)]
        said = _no_verb(tried.game, tried.rest)
        raise UsageError(said, _NO_VERB.code, " ".join([*start, "..."]))
    if tried.error is None:
        understood = " ".join([*start, *[word for _, word in tried.shown]])
        return Command(tried.verb, tried.game, tried.args, understood)
    why = _by_reply(tried) or _by_order(tried) or _without_password(tried) or tried.error.said
    raise UsageError(
        together(why, usage_text(tried.verb, tried.game), by="\n"),
        tried.error.code,
        " ".join([*start, *_shown_of(tried)]),
        tried.args.get("board", 0),
    )


def _shown_of(tried: Attempt) -> list[str]:
    """Return the words after the verb of a line that cannot be read, as its answer shows them.

    If a verb takes a password and a word is missing, the password stands in the place of the userid: of such
    a line only the board's number is shown. Other verbs may be given one anyway, so behind what could be
    read, only names of players and options are shown. On a line with too much, it may have been read as the
    name of a player.
    """
    verb, known = tried.verb, [word for _, word in tried.shown]
    assert verb is not None
    assert tried.error is not None
    if verb.has_secret:
        words = [word for arg, word in tried.shown if arg.name == "board"]
    else:
        is_long = tried.error.code == "too-much"
        read = [] if is_long else known
        named = not is_long and PLAYERS in verb.args
        words = [
            MASK if not named and word not in read and may_be_secret(word) else word
            for word in map(shown, tried.rest)
        ]
        unread = [at for at, word in enumerate(words) if word not in known]
        if unread and PLAYERS not in verb.args:
            words = words[: unread[0] + 1]
    cut = words[:_SHOWN_WORDS]
    return [*cut, "..."] if len(cut) < len(tried.rest) else cut


def _by_reply(tried: Attempt) -> Sentence | None:
    """Return how to send a command without userid and password, if one of them is missing; otherwise None.

    Many players have no password: a reply to a letter proves who they are.
    """
    verb, error = tried.verb, tried.error
    if verb is None or error is None or PASSWORD not in verb.args:
        return None
    if error.code not in ("missing-userid", "missing-password"):
        return None
    (short, *_) = usage_of(verb, tried.game, verb.proved_args)
    is_word = all(arg.optional for arg in verb.proved_args) and tried.game is None
    reply = (
        say(
            "You don't need a password if you reply to one of our letters with the word {word}.",
            word=verb.name,
        )
        if is_word and " " not in verb.name
        else say(
            "You don't need a password if you reply to one of our letters with {words}.",
            words=short,
        )
    )
    return together(
        reply,
        say(
            "In any other message, you do. To set a password, send the word forgot followed by "
            "your name."
        ),
    )


def _by_order(tried: Attempt) -> Sentence | None:
    """Return a sentence if the words of a line with a password would do in another order; otherwise None.

    Otherwise the answer would name the first word that stands in another's place.
    """
    verb, words = tried.verb, tried.rest
    if verb is None or not verb.has_secret or not 3 <= len(words) <= _FEW_WORDS:
        return None
    if MOVE in verb.args and "board" in tried.args:  # anything may be a move
        return None
    for order in permutations(words):
        args, _, error = read_args(verb.args, tried.game, list(order))
        if error is None and "password" in args:
            return say("Those words are in the wrong order.")
    return None


def _without_password(tried: Attempt) -> Sentence | None:
    """Return a sentence before the error if a line may end with a password and the verb needs none."""
    verb, error = tried.verb, tried.error
    if verb is None or error is None or verb.has_secret or verb.who is not Who.ADDRESS:
        return None
    if error.code not in ("too-much", "bad-filter") or not may_be_secret(tried.rest[-1]):
        return None
    return together(say("{word} doesn't need a password.", word=verb.name), error.said)


def _says_more(words: Sequence[str]) -> bool:
    """Return True if words are more than the end of a sentence: "pass !", as the French write it.

    After a question mark or dots nothing is done: who writes them isn't sure.
    """
    return any(word != "." and word.strip("!") for word in words)


def read_args(
    wanted: Sequence[Argument], game: type[Game] | None, words: list[str]
) -> ReadArguments:
    """Read words as the arguments of a verb, up to the first that cannot be read. Raises nothing."""
    args: dict[str, Any] = {}
    spoken: list[tuple[Argument, str]] = []
    wanted = parts(wanted, game)
    for place, arg in enumerate(wanted):
        if not _says_more(words) and arg.optional and not arg.eager:
            continue
        if not (words or arg.eager):
            return ReadArguments(args, spoken, missing(arg.name, arg.label))
        after = wanted[place + 1 :]
        try:
            taken = arg.take(words, game)
        except BadInput as error:
            if _is_forgotten(arg, after, game, words):
                return ReadArguments(args, spoken, missing(arg.name, arg.label))
            return ReadArguments(args, spoken, error)
        if len(words) == 1 and _is_forgotten(arg, after, game, words):
            return ReadArguments(args, spoken, missing(arg.name, arg.label))
        args |= taken.values
        spoken += [(arg, word) for word in taken.shown]
        words = taken.rest
    extra = BadInput(say("There's something extra on that line."), "too-much")
    too_much = extra if _says_more(words) else None
    return ReadArguments(args, spoken, too_much)


def _is_forgotten(
    arg: Argument, after: Sequence[Argument], game: type[Game] | None, words: list[str]
) -> bool:
    """Return True if a password is missing: its argument can't read the words, or takes the last one.

    That is so if the next argument takes all the words that are left, and looks like no password:
    ``star move 8 dora D4``.
    """
    if not arg.secret or not after or not after[0].distinct:
        return False
    try:
        taken = after[0].take(words, game)
    except BadInput:
        return False
    return not taken.rest and all(map(_LOOKS.get(after[0].name, bool), words))


def bare(word: str) -> str:
    """Return a word in lower case, without the marks and stops that stand around words of a text."""
    return plain(word).lower().strip("*_.,:!")


def _is_plain_word(word: str) -> bool:
    return re.fullmatch("[a-z]{1,12}", word) is not None


def _verb(words: Sequence[str], game: type[Game] | None) -> tuple[Verb | None, int, bool]:
    """Return the verb that the words begin with, the number of its words, and True if it is not cut short.

    A verb may be cut short if only one verb can be meant. Return None for the verb if there is none.
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
        if len(near) == 1 and name not in _CALLED_HERE:
            (verb,) = near.values()
            if len(typed) >= length == verb.name.count(" ") + 1:
                return verb, length, False
    return None, 0, False


def _no_verb(game: type[Game] | None, rest: Sequence[str]) -> Sentence:
    """Return why words name no verb, with the nearest verbs.

    It takes far longer than reading a line, so it is done for a line that is answered, not for each.
    """
    first = bare(rest[0]) if rest else ""
    words = f"{game.word} {first}" if game else shown(first)
    ours = _CALLED_HERE.get(first, "")
    for known in (each for each in (game, None, GAMES[0]) if ours in named(each)):
        (line, *_) = usage(named(known)[ours], known)
        return say(
            "There's no command '{words}' here. Use this one instead: {line}",
            words=words,
            line=line,
        )
    listed = [verb.name for verb in verbs(game) if not verb.unlisted]
    begun = [verb.name for full, verb in named(game).items() if first and full.startswith(first)]
    names = ", ".join(
        list(dict.fromkeys([*begun, *get_close_matches(first, listed, _NEAREST, 0.0)]))[:_NEAREST]
    )
    near = next(iter(get_close_matches(first, listed, 1, _ALIKE)), "")
    if game and first in named(None):
        (line, *_) = usage(named(None)[first], None)
        return say("Leave out the word {game}: {line}", game=game.word, line=line)
    if game and near and _is_plain_word(first) and first not in _OF_GAMES:
        return say(
            "I don't know '{words}'. Did you mean {meant}?",
            words=words,
            meant=f"{game.word} {near}",
        )
    if game and not _is_plain_word(first):
        return _NO_COMMAND
    if game:
        return say(
            "'{words}' isn't a command. After {game}, you can write {names}. For all commands, "
            "send: help commands",
            words=words,
            game=game.word,
            names=names,
        )
    return say(
        "'{word}' isn't a complete command. The closest ones are: {names}. For all commands, "
        "send: help commands",
        word=words,
        names=names,
    )
