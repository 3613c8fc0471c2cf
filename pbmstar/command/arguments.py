"""The arguments of commands: what each is called, which words it takes, what value they stand for.

No error repeats a word: it may be a password in the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import games
from ..errors import BadInput, BadOption
from ..games.base import PASS_WORDS, Game
from ..games.text import plain, shown

MASK = "******"
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,15}")
_ADDRESS = re.compile(  # one, and nothing around it
    r"[!#-'*+.-9=?A-Z^-~/-]+@[!#-'*+.-9=?A-Z^-~/-]+"
)
_PASSWORD = re.compile(r"""[!#-&(-9;-~]{4,64}""")  # printable ASCII, no blank, quotes, colon
_STATES = ("next", "active", "finished")

# English words that begin or continue a sentence; none of them can be a userid.
SENTENCE_WORDS = frozenset((
    "a", "also", "am", "an", "and", "are", "as", "at", "be", "because", "been", "but", "by",
    "can", "did", "do", "does", "every", "for", "from", "had", "has", "have", "he", "her", "his",
    "how", "if", "in", "is", "it", "its", "just", "like", "me", "mine", "more", "my", "no", "not",
    "now", "of", "on", "or", "our", "she", "so", "some", "such", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "too", "us", "very", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
    "your", "yours", "yourself",
))  # fmt: skip
RESERVED = SENTENCE_WORDS | frozenset((
    "abuse", "admin", "administrator", "all", "anyone", "block", "bounce", "bounces", "daemon",
    "everyone", "help", "hostmaster", "info", "mailer-daemon", "next", "nobody", "noreply",
    "operator", "pbmserv", "pbmstar", "postmaster", "root", "security", "server", "star",
    "starstar", "stary", "support", "system", "webmaster",
))  # fmt: skip


class Secret:
    """A password or token; it shows itself to nobody who prints it."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return MASK


class Taken(NamedTuple):
    """What an argument took from the line: its values, the words as letters show them, the rest."""

    values: dict[str, Any]
    shown: list[str]
    rest: list[str]


@dataclass(frozen=True)
class Argument:
    """One argument of a verb.

    name      its key in ``Command.args``
    label     what stands for it in a usage line
    take      takes it from the words, which are not empty unless it is ``eager``; raises BadInput
    optional  may be absent
    secret    a password or token
    distinct  its words look like no password, so that a missing password is noticed
    eager     is asked even if no word is left: it has a value, or an error, of its own then
    """

    name: str
    label: str
    take: Callable[[list[str], type[Game] | None], Taken]
    optional: bool = False
    secret: bool = False
    distinct: bool = False
    eager: bool = False

    @property
    def usage(self) -> str:
        """How a usage line says it."""
        return f"[{self.label}]" if self.optional else self.label


# -- one word


def read_userid(word: str) -> str:
    """A userid, lower case. Raises BadInput."""
    userid = plain(word).lower().rstrip(",.")
    foreign = any(c.isalnum() and not c.isascii() for c in word)  # letters of full width too
    if foreign or not _USERID.fullmatch(userid):
        raise BadInput(
            "That is no userid: 2 to 16 letters a-z, digits, _ and -, a letter first.", "bad-userid"
        )
    return userid


def read_password(word: str) -> Secret:
    """A password. Raises BadInput."""
    if not _PASSWORD.fullmatch(word):
        raise BadInput(
            "A password has 4 to 64 printable ASCII characters, and no blanks, quotes or colons.",
            "bad-password",
        )
    return Secret(word)


def read_address(word: str) -> str:
    """A word that may be a mail address. Raises BadInput."""
    address = plain(word).strip("<>,")
    if not _ADDRESS.fullmatch(address) or len(address) > 254 or address.startswith("-"):
        raise BadInput("That is no mail address that this server can use.", "bad-address")
    return address


def _points(word: str) -> tuple[int, int]:
    match = re.fullmatch(r"(-?[0-9]{1,3})[-:](-?[0-9]{1,3})", plain(word).strip(".,*"))
    if not match:
        raise BadInput("A score is written like 11-10, X's points first.", "bad-points")
    return int(match[1]), int(match[2])


def read_board(word: str) -> int:
    """A board's number. Raises BadInput."""
    digits = plain(word).strip("#*.,:")
    if not re.fullmatch(r"[0-9]{1,9}", digits):
        raise BadInput("That is no board number.", "bad-board")
    return int(digits)


def _board_at(word: str) -> tuple[int, int | None]:
    number, _, at = plain(word).strip("*.,:").lstrip("#").partition("#")
    return read_board(number), read_board(at) if at else None


def _token(word: str) -> Secret:
    token = plain(word).strip("<>.,*_").lower()
    if not re.fullmatch(r"[a-z0-9]{16,64}", token):
        raise BadInput(
            "A token is a word of letters and digits, as it stood in the mail.", "bad-token"
        )
    return Secret(token)


def _player_or_state(word: str) -> str | None:
    return None if plain(word).lower() in _STATES else read_userid(word)


def _state(word: str) -> str:
    typed = plain(word).lower()
    states = [state for state in _STATES if typed and state.startswith(typed)]
    if len(states) != 1:
        raise BadInput(f"That is none of {', '.join(_STATES)}.", "bad-state")
    return states[0]


def _number_or_off(word: str) -> int | None:
    typed = plain(word).lower()
    if typed != "off" and not re.fullmatch(r"[0-9]{1,4}", typed):
        raise BadInput("That is neither a number nor off.", "bad-number")
    return None if typed == "off" else int(typed)


def _on_or_off(word: str) -> bool:
    typed = plain(word).lower()
    if typed not in ("on", "off"):
        raise BadInput("That is neither on nor off.", "bad-switch")
    return typed == "on"


def _game_word(word: str) -> str:
    game = games.find(plain(word).lower())
    if game is None:
        raise BadInput("That is no game of this server.", "unknown-game")
    return game.word


def _topic(word: str) -> str:
    return plain(word).lower().strip(".?!")[:40]


def _one(
    name: str,
    read: Callable[[str], Any],
    label: str = "",
    *,
    optional: bool = False,
    secret: bool = False,
    distinct: bool = False,
    or_absent: Callable[[Any], bool] = lambda value: False,
) -> Argument:
    """An argument of one word; if its value is ``or_absent`` the word belongs to the next one."""

    def take(words: list[str], game: type[Game] | None) -> Taken:
        value = read(words[0])
        if or_absent(value):
            return Taken({}, [], words)
        return Taken({name: value}, [MASK if secret else shown(words[0])], words[1:])

    return Argument(name, label or name, take, optional, secret, distinct)


# -- several words


def _take_boards(words: list[str], game: type[Game] | None) -> Taken:
    if not words:
        raise BadInput("Which board? A board's number is missing.", "missing-board")
    return Taken({"boards": [_board_at(word) for word in words]}, [shown(w) for w in words], [])


_GUARD = re.compile(r"(.*)#([0-9]{1,5})")
_MOVE_WORDS = 4  # two cells, the guard, and something to spare for what mail programs add
_LIKE_A_MOVE = re.compile(
    r"[\W_]*(pass|swap|resign|star|[a-z]{0,2}[0-9]{1,3}([,+]+\W?[a-z]{0,2}[0-9]{1,3})?)?"
    r"[\W_]*(#[0-9]{1,5})?[\W_]*",
    re.I,
)


def like_a_move(word: str) -> bool:
    """Whether a word has the form of a move or of a part of one; marks and dashes alone have."""
    return len(word) <= 24 and bool(_LIKE_A_MOVE.fullmatch(plain(word)))


def may_be_secret(word: str) -> bool:
    """Whether a word in the place of a move may be a password: letters and digits, but no move.

    A password of letters only cannot be known from a word that a player just says.
    """
    has_both = re.search(r"[a-z].*[0-9]|[0-9].*[a-z]", plain(word), re.I)
    return bool(has_both) and not like_a_move(word)


def show_move(words: Sequence[str]) -> list[str]:
    """The words of a move, or of what stands in its place, as letters show them."""
    return [MASK if may_be_secret(word) else shown(plain(word)) for word in words]


def take_move(words: list[str], game: type[Game] | None) -> Taken:
    """``move``: the words of a move, plain; ``guard``: its #moveno or None. Raises BadInput."""
    bare = [plain(word).strip("\"'`.,;!") for word in words]
    bare = [word for word in bare if word]
    guard = None
    if bare and (match := _GUARD.fullmatch(bare[-1].rstrip("*_"))):
        guard = int(match[2])
        bare = [*bare[:-1], match[1]] if match[1] else bare[:-1]
    if bare and all(word in PASS_WORDS for word in bare):  # a longer row of dashes is a rule
        bare = ["pass"]
    if not bare:
        raise BadInput("The move is missing.", "missing-move")
    if (
        len(bare) > _MOVE_WORDS
        or any(len(word) > 24 for word in bare)
        or any(map(may_be_secret, words))
    ):
        raise BadInput("That is no move.", "no-move")
    move = [word.strip("_") if word.strip("_*").isalpha() else word for word in bare]
    return Taken({"move": move, "guard": guard}, show_move(words), [])


def _take_options(words: list[str], game: type[Game] | None) -> Taken:
    """The options of a game anywhere among the words, full names to texts."""
    assert game is not None
    values: dict[str, str] = {}
    dashed = [word for word in words if plain(word).startswith("-")]
    for word in dashed:
        typed, _, value = plain(word).lstrip("-").lower().partition("=")
        names = [option.name for option in game.options]
        full = [name for name in names if name == typed] or [
            name for name in names if typed and name.startswith(typed)
        ]
        if len(full) != 1:
            usages = ", ".join(option.usage() for option in game.options)
            raise BadInput(
                f"There is no option -{shown(typed)}; {game.title} has {usages}.", "unknown-option"
            )
        if full[0] in values:
            raise BadInput(f"The option -{full[0]} stands there twice.", "double-option")
        values[full[0]] = value
    try:
        game(values)
    except BadOption as error:
        raise BadInput(str(error), "bad-option") from None
    others = [word for word in words if word not in dashed]
    return Taken({"options": values}, [shown(word) for word in dashed], others)


BOARD = _one("board", read_board, "board#")
BOARDS = Argument("boards", "board#[#moveno]...", _take_boards, eager=True)
USERID = _one("userid", read_userid)
USERID1 = _one("userid1", read_userid)
USERID2 = _one("userid2", read_userid)
PASSWORD = _one("password", read_password, secret=True)
NEW_PASSWORD = _one("new", read_password, secret=True)
TOKEN = _one("token", _token, secret=True)
ADDRESS = _one("address", read_address, distinct=True)
OWN_ADDRESS = _one("address", read_address, optional=True)
MOVE = Argument("move", "move...", take_move, distinct=True, eager=True)
POINTS = _one("points", _points, distinct=True)
OPTIONS = Argument("options", "options", _take_options, optional=True, eager=True)
PLAYER = _one("userid", _player_or_state, optional=True, or_absent=lambda value: value is None)
STATE = _one("state", _state, "|".join(_STATES), optional=True)
MOST = _one("most", _number_or_off, "number|off", distinct=True)
SWITCH = _one("on", _on_or_off, "on|off", distinct=True)
GAME = _one("game", _game_word, optional=True)
TOPIC = _one("topic", _topic, optional=True)
