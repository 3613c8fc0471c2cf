"""From a line to a command. Forgiving where that is safe; what cannot be read raises UsageError."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import games
from ..errors import BadInput, BadOption, UsageError
from ..games.base import Game
from ..games.text import plain
from .table import GAME_VERBS, REPLY_VERBS, Verb, named, usage, verbs
from .words import KINDS, MASK, read_board_at, read_points, shown

_LINK = re.compile(r"[<\[(](https?|mailto):.*[>\])]", re.I)
_GUARD = re.compile(r"(.*)#([0-9]{1,5})")


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
    words = [word for word in line.split() if not _LINK.fullmatch(word)]
    game = game_of(words[0]) if words else None
    rest = words[1:] if game else words
    found, used = _verb(rest, game)
    start = [game.word] if game else []
    told = Command(found.name, game, masked=" ".join([*start, found.name]))
    args: dict[str, Any] = {}
    try:
        _read_args(found, game, rest[used:], args)
    except BadInput as error:
        told = replace(told, args=args, masked=_masked(told.masked, found, rest[used:]))
        raise UsageError(f"{error}\n{_usage_text(found, game)}", told) from None
    return replace(told, args=args, masked=_masked(told.masked, found, rest[used:]))


def parse_reply(line: str, game: type[Game]) -> Command:
    """What the first line of a reply says: a bare move, or one of REPLY_VERBS. Raises UsageError."""
    words = [word for word in line.split() if not _LINK.fullmatch(word)]
    first = plain(words[0]).lower().strip("*_.,!") if words else ""
    if first in REPLY_VERBS and first not in ("pass", "swap", "resign"):
        verb = next(verb for verb in GAME_VERBS if verb.name == first)
        args: dict[str, Any] = {}
        if "points" in verb.args:
            args["points"] = read_points(words[1:2])
        return Command(first, game, args, " ".join(words[:2]))
    args = {}
    _read_move(words, args)
    return Command("move", game, args, " ".join(words))


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
    start = game.word if game else " ".join(typed[:1])
    names = ", ".join(v.name for v in table)
    what = f"{start} {typed[0][:20]}" if game and typed else start
    raise UsageError(
        f"'{what}' is no command. After {start} comes one of: {names}."
        if game
        else f"'{what}' is no whole command. The server's own commands are: {names}.",
        Command("", game, masked=f"{what} ..."),
    )


def _read_args(
    verb: Verb, game: type[Game] | None, words: Sequence[str], args: dict[str, Any]
) -> None:
    """Fill ``args``, kind by kind. Raises BadInput at the first that cannot be read."""
    words = list(words)
    if "[options]" in verb.args:
        assert game is not None
        args["options"], words = _options(words, game)
    for arg in verb.args:
        kind = arg.strip("[]")
        if kind == "options":
            continue
        if kind == "move...":
            _read_move(words, args)
            return
        if kind == "board#[#moveno]...":
            args["boards"] = [read_board_at(word) for word in words]
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
        words.pop(0)
    if words:
        raise BadInput("There is too much on the line.")


def _read_move(words: Sequence[str], args: dict[str, Any]) -> None:
    """``args["move"]``: the words of a move, plain; ``args["guard"]``: its #moveno or None."""
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
            raise BadInput(f"There is no option -{name[:20]}; {game.title} has {known}.")
        if full[0] in values:
            raise BadInput(f"The option -{full[0]} stands there twice.")
        values[full[0]] = value
    try:
        game(values)
    except BadOption as error:
        raise BadInput(str(error)) from None
    return values, others


def _masked(start: str, verb: Verb, words: Sequence[str]) -> str:
    """The line as understood: all from the first secret on is hidden, but for a move after it."""
    told = [start]
    kinds = [arg for arg in verb.args if arg != "[options]"]
    for place, word in enumerate(words):
        kind = kinds[min(place, len(kinds) - 1)] if kinds else ""
        if kind in ("password", "new", "token"):
            told.append(MASK)
            if len(words) <= place + 1 or "move..." not in kinds:
                break
        else:
            told.append(shown(word))
    return " ".join(told[:8])


def _usage_text(verb: Verb, game: type[Game] | None) -> str:
    return "Write it like this:\n" + "\n".join(f"  {line}" for line in usage(verb, game))
