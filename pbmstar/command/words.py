"""One word of a command line at a time: what it may be, and how it is kept.

No error repeats the word: it may be a password in the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from .. import games
from ..errors import BadInput
from ..games.text import plain

MASK = "******"
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,15}")
_ADDRESS = re.compile(
    r"[!#-'*+.-9=?A-Z^-~/-]+@[!#-'*+.-9=?A-Z^-~/-]+"
)  # one, and nothing around it
_PASSWORD = re.compile(r"""[!#-&(-9;-~]{4,64}""")  # printable ASCII, no blank, quotes, colon
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


def read_points(words: Sequence[str]) -> tuple[int, int]:
    match = re.fullmatch(
        r"(-?[0-9]{1,3})[-:](-?[0-9]{1,3})", plain(words[0]).strip(".,*") if words else ""
    )
    if not match:
        raise BadInput("A score is written like 11-10, X's points first.")
    return int(match[1]), int(match[2])


def read_board(word: str) -> int:
    digits = plain(word).strip("#*.,:")
    if not re.fullmatch(r"[0-9]{1,9}", digits):
        raise BadInput("That is no board number.")
    return int(digits)


def read_board_at(word: str) -> tuple[int, int | None]:
    number, _, at = plain(word).strip("*.,:").lstrip("#").partition("#")
    return read_board(number), read_board(at) if at else None


def read_userid(word: str) -> str:
    """A userid, lower case. Raises BadInput."""
    told = plain(word).lower().rstrip(",.")
    foreign = any(c.isalnum() and not c.isascii() for c in word)  # letters of full width too
    if foreign or not _USERID.fullmatch(told):
        raise BadInput("That is no userid: 2 to 16 letters a-z, digits, _ and -, a letter first.")
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
    if not _ADDRESS.fullmatch(told) or len(told) > 254 or told.startswith("-"):
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
        raise BadInput(f"That is none of {', '.join(_STATES)}.")
    return found[0]


def _number_or_off(word: str) -> int | None:
    told = plain(word).lower()
    if told == "off":
        return None
    if not re.fullmatch(r"[0-9]{1,4}", told):
        raise BadInput("That is neither a number nor off.")
    return int(told)


def _on_or_off(word: str) -> bool:
    told = plain(word).lower()
    if told not in ("on", "off"):
        raise BadInput("That is neither on nor off.")
    return told == "on"


def _game_word(word: str) -> str:
    game = games.find(plain(word).lower())
    if game is None:
        raise BadInput("That is no game of this server.")
    return game.word


KINDS: dict[str, Callable[[str], Any]] = {
    "number|off": _number_or_off,
    "on|off": _on_or_off,
    "game": _game_word,
    "board#": read_board,
    "userid": read_userid,
    "[userid]": _optional_userid,
    "userid1": read_userid,
    "userid2": read_userid,
    "password": read_password,
    "new": read_password,
    "address": read_address,
    "token": _token,
    "points": lambda word: read_points([word]),
    "topic": lambda word: plain(word).lower().strip(".?!")[:40],
    "next|active|finished": _state,
}


def shown(word: str) -> str:
    """A player's word made safe to show: short, printable ASCII."""
    return "".join(c if " " < c <= "~" else "?" for c in word[:20])
