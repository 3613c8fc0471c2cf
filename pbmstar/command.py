"""The command language: one table of verbs, from which parser, usage lines and help come.

``parse`` reads one line, ``parse_reply`` the bare line of a reply, ``split`` finds the commands of a
mail. All are pure, and forgiving where that is safe: what cannot be read raises UsageError.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from . import games
from .errors import BadInput, BadOption, UsageError
from .games.base import Game
from .games.text import plain

MASK = "******"
COMMANDS_A_MAIL = 20
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,15}")
_PASSWORD = re.compile(r"""[!#-&(-9;-~]{4,64}""")  # printable ASCII, no blank, quotes, colon
_LINK = re.compile(r"[<\[(](https?|mailto):.*[>\])]", re.I)
_GUARD = re.compile(r"(.*)#([0-9]{1,5})")
RESERVED = frozenset(
    [
        "abuse",
        "admin",
        "administrator",
        "all",
        "anyone",
        "block",
        "bounce",
        "bounces",
        "daemon",
        "everyone",
        "help",
        "hostmaster",
        "info",
        "mailer-daemon",
        "me",
        "next",
        "nobody",
        "noreply",
        "operator",
        "pbmserv",
        "pbmstar",
        "postmaster",
        "root",
        "security",
        "server",
        "star",
        "starstar",
        "stary",
        "support",
        "system",
        "webmaster",
        "you",
    ]
)


class Secret:
    """A password or token; it shows itself to nobody who prints it."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return MASK


@dataclass(frozen=True)
class Verb:
    """One row of the table.

    args     the kinds of its arguments, in order; one in ``[]`` may be absent, ``...`` takes the rest
    aliases  other spellings, common typing slips among them
    common   an English word that may begin a sentence: a line is this command only if it parses
    usages   further usage lines, where one line cannot say it
    """

    name: str
    args: tuple[str, ...]
    doc: str
    aliases: tuple[str, ...] = ()
    usages: tuple[str, ...] = ()
    common: bool = False


_SEAT = ("board#", "userid", "password")
GAME_VERBS = (
    Verb(
        "challenge", ("[options]", "userid1", "userid2"), "start a game; userid1 plays X and begins"
    ),
    Verb(
        "move",
        (*_SEAT, "move..."),
        "play; with #moveno only if it is that move",
        ("board", "mvoe", "moev"),
        (
            "board# userid password coord[#moveno]",
            "board# userid password pass | -- | -",
            "board# userid password swap",
        ),
    ),
    Verb("pass", _SEAT, "pass; two passes in succession end the game"),
    Verb("swap", _SEAT, "exchange seats, as the second move only"),
    Verb("resign", _SEAT, "give the game up"),
    Verb("propose", (*_SEAT, "points"), "offer to end the game with a score, X's points first"),
    Verb("accept", _SEAT, "end the game with the score that the opponent proposed"),
    Verb("decline", _SEAT, "refuse a new game, before your own first move"),
    Verb("show", ("board#[#moveno]...",), "mail me boards, or a board as it was before that move"),
    Verb("score", ("board#",), "mail me the detailed score report"),
    Verb("games", ("[userid]", "[next|active|finished]"), "mail me a list of games"),
    Verb("help", (), "mail me the page of this game"),
)
SERVER_VERBS = (
    Verb("signup", ("userid", "password", "[address]"), "open an account"),
    Verb("confirm", ("token",), "confirm an address", common=True),
    Verb(
        "forgot", ("userid",), "mail a token for a new password to the address on file", common=True
    ),
    Verb(
        "change password", ("userid", "password", "new"), "a token of forgot does for the old one"
    ),
    Verb("change address", ("userid", "password", "address"), "move to another address"),
    Verb("signoff", ("userid", "password"), "close the account; running games are resigned"),
    Verb("help", ("[topic]",), "mail me a help page", common=True),
)
REPLY_VERBS = ("pass", "swap", "resign", "propose", "accept", "decline", "show", "score", "help")


@dataclass(frozen=True)
class Command:
    """One command as it was understood. ``args`` maps the kinds of the verb's arguments to values."""

    verb: str
    game: type[Game] | None
    args: dict[str, Any] = field(default_factory=dict)
    masked: str = ""  # the line with its password masked

    def __getitem__(self, kind: str) -> Any:
        return self.args[kind]


def verbs(game: type[Game] | None) -> tuple[Verb, ...]:
    """The verbs after a game word, or those of the server."""
    return GAME_VERBS if game else SERVER_VERBS


def usage(verb: Verb, game: type[Game] | None) -> list[str]:
    """The usage lines of a verb, the promised spelling."""
    start = f"{game.word} {verb.name}" if game else verb.name
    if verb.usages:
        return [f"{start} {rest}" for rest in verb.usages]
    words = [start]
    for arg in verb.args:
        if arg == "[options]":
            assert game is not None
            words += [f"[{option.usage()}]" for option in game.options]
        else:
            words.append(arg)
    return [" ".join(words)]


# -- reading one line


def parse(line: str) -> Command:
    """The command that a line says. Raises UsageError, with the part understood in ``error.command``."""
    words = [word for word in line.split() if not _LINK.fullmatch(word)]
    game = _game(words[0]) if words else None
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
            args["points"] = _points(words[1:2])
        return Command(first, game, args, " ".join(words[:2]))
    args = {}
    _read_move(words, args)
    return Command("move", game, args, " ".join(words))


def _game(word: str) -> type[Game] | None:
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
            args["boards"] = [_board_at(word) for word in words]
            if not words:
                raise BadInput("Which board? A board's number is missing.")
            return
        optional = arg.startswith("[")
        if not words:
            if optional:
                continue
            raise BadInput(f"Something is missing: {kind}.")
        value = (_KINDS.get(arg) or _KINDS[kind])(words[0])
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


def _points(words: Sequence[str]) -> tuple[int, int]:
    match = re.fullmatch(
        r"(-?[0-9]{1,3})[-:](-?[0-9]{1,3})", plain(words[0]).strip(".,*") if words else ""
    )
    if not match:
        raise BadInput("A score is written like 11-10, X's points first.")
    return int(match[1]), int(match[2])


def _board(word: str) -> int:
    digits = plain(word).strip("#*.,:")
    if not re.fullmatch(r"[0-9]{1,9}", digits):
        raise BadInput(f"'{_shown(word)}' is no board number.")
    return int(digits)


def _board_at(word: str) -> tuple[int, int | None]:
    number, _, at = plain(word).strip("*.,:").lstrip("#").partition("#")
    return _board(number), _board(at) if at else None


def read_userid(word: str) -> str:
    """A userid, lower case. Raises BadInput."""
    told = plain(word).lower().rstrip(",.")
    if not _USERID.fullmatch(told):
        raise BadInput(
            f"'{_shown(word)}' is no userid: 2 to 16 letters a-z, digits, _ and -, a letter first."
        )
    return told


def _optional_userid(word: str) -> str | None:
    return None if plain(word).lower() in _STATES else read_userid(word)


def read_password(word: str) -> Secret:
    """A password. Raises BadInput."""
    if not _PASSWORD.fullmatch(word):
        raise BadInput(
            "A password has 4 to 64 printable ASCII characters, and no blanks, quotes or colons."
        )
    return Secret(word)


def read_address(word: str) -> str:
    """A word that may be a mail address. Raises BadInput."""
    told = plain(word).strip("<>,")
    if told.count("@") != 1 or not told.isascii() or len(told) > 254 or told.startswith("-"):
        raise BadInput("That is no mail address that this server can use.")
    return told


def _token(word: str) -> Secret:
    told = plain(word).strip("<>.,*_").lower()
    if not re.fullmatch(r"[a-z0-9]{16,64}", told):
        raise BadInput("A token is a word of letters and digits, as it stood in the mail.")
    return Secret(told)


_STATES = ("next", "active", "finished")


def _state(word: str) -> str:
    told = plain(word).lower()
    found = [state for state in _STATES if told and state.startswith(told)]
    if len(found) != 1:
        raise BadInput(f"'{_shown(word)}' is none of {', '.join(_STATES)}.")
    return found[0]


_KINDS: dict[str, Callable[[str], Any]] = {
    "board#": _board,
    "userid": read_userid,
    "[userid]": _optional_userid,
    "userid1": read_userid,
    "userid2": read_userid,
    "password": read_password,
    "new": read_password,
    "address": read_address,
    "token": _token,
    "points": lambda word: _points([word]),
    "topic": lambda word: plain(word).lower().strip(".?!")[:40],
    "next|active|finished": _state,
}


def _shown(word: str) -> str:
    """A player's word made safe to show: short, printable ASCII."""
    return "".join(c if " " < c <= "~" else "?" for c in word[:20])


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
            told.append(_shown(word))
    return " ".join(told[:8])


def _usage_text(verb: Verb, game: type[Game] | None) -> str:
    return "Write it like this:\n" + "\n".join(f"  {line}" for line in usage(verb, game))


# -- finding the commands of a mail

_OWN_SUBJECT = re.compile(r"(new |nag: )?\S+( y)? board [0-9]+( [\w-]+)?( error)?( \*\*)?", re.I)


def is_command(line: str) -> bool:
    """Whether a line is meant as a command: a game word begins it, or a server word that fits."""
    words = line.split(None, 2)
    if not words:
        return False
    first = plain(words[0])
    if _game(first) and not first[:1].isdigit():
        return True
    first = first.lower()
    for verb in SERVER_VERBS:
        if verb.name.split()[0] != first:
            continue
        if not verb.common:
            return verb.name in ("signup", "signoff") or (
                len(words) > 1 and plain(words[1]).lower() in ("password", "address")
            )
        try:
            return parse(line).verb == verb.name
        except UsageError:
            return False
    return False


def split(subject: str, is_reply: bool, lines: Iterable[str]) -> tuple[list[str], str]:
    """The command lines of a mail, in order, and the comment. Reads nothing into either.

    A Subject that is a command is the only one, the body its comment; else the commands are those
    body lines that are one, and the comment is what other text follows the first of them.
    """
    if not is_reply and is_command(subject) and not _OWN_SUBJECT.fullmatch(subject):
        words = subject.split()
        return [subject], _comment(line for line in lines if line.split() != words)
    found: list[str] = []
    rest: list[str] = []
    for line in lines:
        stripped = line.strip().lstrip("\u2022\u00b7\u2023\u25aa\u25cf ")  # bullets
        if is_command(stripped):
            found.append(stripped)
        elif found:
            rest.append(line)
    return found, _comment(rest)


def _comment(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if not is_secretive(line)).strip("\n")


def is_secretive(line: str) -> bool:
    """Whether a line may hold a password: such a line is never shown to an opponent."""
    return is_command(line)
