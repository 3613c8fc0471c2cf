"""From a line to a command. Forgiving where that is safe; what cannot be read raises UsageError."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import games
from ..errors import BadInput, BadOption, UsageError
from ..games.base import Game
from ..games.text import plain
from .table import GAME_VERBS, REPLY_VERBS, Verb, named, usage, verbs
from .words import KINDS, MASK, read_board_at, read_points, shown

_LINK = re.compile(r"[<\[(](https?|mailto):.*[>\])]", re.I)
_GUARD = re.compile(r"(.*)#([0-9]{1,5})")
_SECRETS = frozenset(("password", "new", "token"))
_LIKE_A_MOVE = re.compile(
    r"\W*(pass|swap|resign|star|\w{0,3}([,+]+\W?\w{0,3})?)\W*(#[0-9]{1,5})?[\W_]*", re.I
)


@dataclass(frozen=True)
class Command:
    """One command as it was understood. ``args`` maps the kinds of the verb's arguments to values."""

    verb: str
    game: type[Game] | None
    args: dict[str, Any] = field(default_factory=dict)
    masked: str = ""  # the line with its password masked

    def __getitem__(self, kind: str) -> Any:
        return self.args[kind]


def parse(line: str) -> Command:
    """The command that a line says. Raises UsageError, with the part understood in ``error.command``."""
    words = words_of(line)
    game = game_of(words[0]) if words else None
    rest = words[1:] if game else words
    found, used = _verb(rest, game)
    start = [game.word, found.name] if game else [found.name]
    args: dict[str, Any] = {}
    told: list[tuple[str, str]] = []
    try:
        _read_args(found, game, rest[used:], args, told)
    except BadInput as error:
        known = [*start, *_surely_no_secret(found, told)]
        masked = " ".join(known if len(known) == len(start) + len(rest[used:]) else [*known, "..."])
        text = f"{error}\n{_usage_text(found, game)}"
        raise UsageError(text, Command(found.name, game, args, masked)) from None
    return Command(found.name, game, args, " ".join([*start, *(word for _, word in told)]))


def parse_reply(line: str, game: type[Game]) -> Command:
    """What the first line of a reply says: a bare move, or one of REPLY_VERBS. Raises BadInput.

    The word "move" may stand before a move.
    """
    words = words_of(line)
    first = plain(words[0]).lower().strip("*_.,:!") if words else ""
    if first == "move" and len(words) > 1:
        words = words[1:]
        first = plain(words[0]).lower().strip("*_.,!")
    if first in REPLY_VERBS and first not in ("pass", "swap", "resign"):
        verb = next(verb for verb in GAME_VERBS if verb.name == first)
        args: dict[str, Any] = {}
        if "points" in verb.args:
            args["points"] = read_points(words[1:2])
        if len(words) > 1 + len(args):  # the line may say the opposite
            raise BadInput(f"There is too much on the line for {first}.")
        return Command(first, game, args, " ".join(map(shown, words)))
    args = {}
    told = _read_move(words, args)
    return Command("move", game, args, " ".join(told))


def words_of(line: str) -> list[str]:
    """The words of a line without the links that mail programs add behind some."""
    return [word for word in line.split() if not _LINK.fullmatch(word)]


def game_of(word: str) -> type[Game] | None:
    """The game that a word names, in the spellings that mail programs make of it."""
    word = plain(word).lower().replace("\\", "")
    found = games.find(word)
    if found is None:
        bare = word.strip("*_`'\"")
        found = games.find("*" + bare if "*" in word else bare) or games.find(bare)
    return found


def _verb(rest: Sequence[str], game: type[Game] | None) -> tuple[Verb, int]:
    """The verb that the words begin with, and how many words it takes. Raises UsageError."""
    table = verbs(game)
    typed = [plain(word).lower().strip("*_:") for word in rest[:2]]
    if typed and (exact_verb := named(game).get(typed[0])):
        return exact_verb, 1
    for take in (2, 1):
        said = " ".join(typed[:take])
        exact = [v for v in table if said == v.name or said in v.aliases]
        near = exact or [
            v for v in table if said and any(n.startswith(said) for n in (v.name, *v.aliases))
        ]
        if len(near) == 1 and len(typed) >= near[0].name.count(" ") + 1:
            return near[0], take
        if len(near) > 1 and take == 1:
            break
    start = game.word if game else " ".join(typed[:1])[:20]
    names = ", ".join(v.name for v in table)
    if game is None:
        raise UsageError(
            f"'{shown(start)}' is no whole command. The server's own commands are: {names}.",
            Command("", game, masked=f"{shown(start)} ..."),
        )
    what = "That"
    if typed and re.fullmatch("[a-z]{1,12}", typed[0]):  # a word, and hardly a password
        start += f" {typed[0]}"
        what = f"'{start}'"
    raise UsageError(
        f"{what} is no command. After {game.word} comes one of: {names}.",
        Command("", game, masked=f"{start} ..."),
    )


def _read_args(
    verb: Verb,
    game: type[Game] | None,
    words: Sequence[str],
    args: dict[str, Any],
    told: list[tuple[str, str]],
) -> None:
    """Fill ``args``, kind by kind, and ``told``: each word's kind, and the word as it may be shown.

    Raises BadInput at the first that cannot be read.
    """
    words = list(words)
    if "[options]" in verb.args:
        assert game is not None
        given = words
        args["options"], words = _options(given, game)
        told += [("options", shown(word)) for word in given if word not in words]
    for arg in verb.args:
        kind = arg.strip("[]")
        if kind == "options":
            continue
        if kind == "move...":
            told += [(kind, word) for word in _read_move(words, args)]
            return
        if kind == "board#[#moveno]...":
            args["boards"] = []
            for word in words:
                args["boards"].append(read_board_at(word))
                told.append((kind, shown(word)))
            if not words:
                raise BadInput("Which board? A board's number is missing.")
            return
        optional = arg.startswith("[")
        if not words:
            if optional:
                continue
            raise BadInput(f"Something is missing: {kind}.")
        value = (KINDS.get(arg) or KINDS[kind])(words[0])
        if value is None and optional:
            continue  # the word belongs to the next optional argument
        args[kind] = value
        told.append((kind, MASK if kind in _SECRETS else shown(words[0])))
        words.pop(0)
    if words:
        raise BadInput("There is too much on the line.")


def _read_move(words: Sequence[str], args: dict[str, Any]) -> list[str]:
    """``args["move"]``: the words of a move, plain; ``args["guard"]``: its #moveno or None.

    Returns the words as they may be shown: what looks like no move may be a password.
    """
    told = [plain(word).strip("\"'`.,;!") for word in words]
    told = [word for word in told if word]
    args["guard"] = None
    if told and (match := _GUARD.fullmatch(told[-1].rstrip("*_"))):
        args["guard"] = int(match[2])
        told = [*told[:-1], match[1]] if match[1] else told[:-1]
    if told and all(set(word) <= {"-"} for word in told):
        told = ["pass"]
    if not told:
        raise BadInput("The move is missing.")
    if len(told) > 4 or any(len(word) > 24 for word in told):
        raise BadInput("That is no move.")
    args["move"] = [word.strip("_") if word.strip("_*").isalpha() else word for word in told]
    return [_move_shown(plain(word)) for word in words]


def _move_shown(word: str) -> str:
    return shown(word) if len(word) <= 24 and _LIKE_A_MOVE.fullmatch(word) else MASK


def _options(words: list[str], game: type[Game]) -> tuple[dict[str, str], list[str]]:
    """The options among the words, full names to texts, and the other words. Raises BadInput."""
    values: dict[str, str] = {}
    others = []
    for word in words:
        told = plain(word)
        if not told.startswith("-"):
            others.append(word)
            continue
        name, _, value = told.lstrip("-").lower().partition("=")
        full = [o.name for o in game.options if o.name == name] or [
            o.name for o in game.options if name and o.name.startswith(name)
        ]
        if len(full) != 1:
            known = ", ".join(option.usage() for option in game.options)
            raise BadInput(f"There is no option -{shown(name)}; {game.title} has {known}.")
        if full[0] in values:
            raise BadInput(f"The option -{full[0]} stands there twice.")
        values[full[0]] = value
    try:
        game(values)
    except BadOption as error:
        raise BadInput(str(error)) from None
    return values, others


def _surely_no_secret(verb: Verb, told: Sequence[tuple[str, str]]) -> list[str]:
    """What may be shown of a line that cannot be read: a word too few, and a password is the userid."""
    if not _SECRETS.intersection(verb.args):
        return [word for _, word in told][:8]
    return [word for kind, word in told if kind == "board#"]


def _usage_text(verb: Verb, game: type[Game] | None) -> str:
    return "Write it like this:\n" + "\n".join(f"  {line}" for line in usage(verb, game))
