"""One word of a command: the value that it stands for.

No error repeats the word: it may be a password in the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .. import games
from ..errors import BadInput
from ..games.text import plain
from ..match import DRAW, REASONS
from ..match.lessons import LESSONS

MASK = "******"
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,15}")
_ADDRESS = re.compile(  # one, and nothing around it
    r"[!#-'*+.-9=?A-Z^-~/-]+@[!#-'*+.-9=?A-Z^-~/-]+"
)
LEAST = 4  # characters of a password
_PASSWORD = re.compile(rf"[!#-&(-9;-~]{{{LEAST},64}}")  # printable ASCII, no blank, quotes, colon
STATES = ("next", "active", "finished", "won", "lost", "drawn", "late")
_BEHIND = ("vs", "since", "last")  # filters of games with a word behind them
LETTERS = ("each", "mine", "daily", "short")  # how often letters come, or that they say little
DRAWINGS = ("ascii", "unicode", "words", "none", "short")  # how their text shows a board

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
    "abuse", "admin", "administrator", "all", "anyone", "block", "bot", "bots", "bounce", "bounces",
    "daemon", "everyone", "help", "hostmaster", "info", "mailer-daemon", "nobody", "noreply",
    "operator", "password", "pbmserv", "pbmstar", "postmaster", "root", "security", "server",
    "support", "system", "userid", "userid1", "userid2", "webmaster",
)) | {word for game in games.GAMES for word in (game.word, *game.aliases)} | {
    f"bot{level}" for level in range(100)
} | {*STATES, *_BEHIND}  # fmt: skip


class Secret:
    """A password or token; it shows itself to nobody who prints it."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return MASK


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


def read_points(word: str) -> str:
    """A score, X's points first, as ``11 10``; or ``draw``. Raises BadInput."""
    typed = plain(word).strip(".,*").lower()
    match = re.fullmatch(r"(-?[0-9]{1,3})[-:](-?[0-9]{1,3})", typed)
    if not match and typed != DRAW:
        raise BadInput(
            "What you propose is a score like 11-10, X's points first, or the word draw.",
            "bad-points",
        )
    return f"{int(match[1])} {int(match[2])}" if match else DRAW


def read_reason(word: str) -> str:
    """Why something is declined. Raises BadInput."""
    typed = plain(word).strip(".,:*!").lower()
    if typed not in REASONS:
        raise BadInput(f"The reason is one of {', '.join(REASONS)}.", "bad-reason")
    return typed


def read_board(word: str) -> int:
    """A board's number. Raises BadInput."""
    digits = plain(word).strip("#*.,:")
    if not re.fullmatch(r"[0-9]{1,9}", digits):
        raise BadInput("That is no board number.", "bad-board")
    return int(digits)


def read_board_at(word: str) -> tuple[int, int | None]:
    """A board's number, and that of a move or None. Raises BadInput."""
    number, _, at = plain(word).strip("*.,:").lstrip("#").partition("#")
    return read_board(number), read_board(at) if at else None


def read_token(word: str) -> Secret:
    """A token as it stood in a mail. Raises BadInput."""
    token = plain(word).strip("<>.,*_").lower()
    if not re.fullmatch(r"[a-z0-9]{16,64}", token):
        raise BadInput(
            "A token is a word of letters and digits, as it stood in the mail.", "bad-token"
        )
    return Secret(token)


@dataclass(frozen=True)
class Filters:
    """Which games are wanted.

    state  one of STATES, or empty
    vs     against this player
    since  something has happened since that month (UTC), 2027-01
    last   so many, the newest ones
    """

    state: str = ""
    vs: str = ""
    since: str = ""
    last: int = 0

    @property
    def kept(self) -> str:
        """The state as boards are kept by it: ``next``, ``active``, ``finished`` or empty."""
        of_state = {"won": "finished", "lost": "finished", "drawn": "finished", "late": "active"}
        return of_state.get(self.state, self.state)

    def __str__(self) -> str:
        words = [self.state, self.vs and f"vs {self.vs}", self.since and f"since {self.since}"]
        return " ".join(filter(None, [*words, f"last {self.last}" if self.last else ""]))


def read_filters(words: Sequence[str]) -> Filters:
    """Filters of games in any order, a state perhaps cut short. Raises BadInput."""
    filters, rest = Filters(), list(words)
    while rest:
        typed = plain(rest.pop(0)).lower().strip(",.")
        names = (
            [typed] if typed in _BEHIND else [s for s in STATES if typed and s.startswith(typed)]
        )
        if len(names) != 1 or (typed in _BEHIND and not rest):
            raise BadInput(
                f"The filters are {', '.join(STATES)}, vs userid, since 2027-01, last 10.",
                "bad-filter",
            )
        if typed == "vs":
            filters = replace(filters, vs=read_userid(rest.pop(0)))
        elif typed == "since":
            filters = replace(filters, since=_read_month(rest.pop(0)))
        elif typed == "last":
            filters = replace(filters, last=_read_count(rest.pop(0)))
        else:
            filters = replace(filters, state=names[0])
    return filters


def _read_month(word: str) -> str:
    match = re.fullmatch(r"([12][0-9]{3})-(0?[1-9]|1[0-2])", plain(word))
    if not match:
        raise BadInput("A month is written like 2027-01.", "bad-month")
    return f"{match[1]}-{int(match[2]):02}"


def _read_count(word: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", plain(word)):
        raise BadInput("Behind last stands a number, like 10.", "bad-number")
    return int(plain(word))


def read_player_or_filter(word: str) -> str | None:
    """A userid; None for a word that is a filter of games. Raises BadInput."""
    return None if plain(word).lower().strip(",.") in (*STATES, *_BEHIND) else read_userid(word)


def read_number_or_off(word: str) -> int | None:
    """A number, or None for off. Raises BadInput."""
    typed = plain(word).lower()
    if typed != "off" and not re.fullmatch(r"[0-9]{1,4}", typed):
        raise BadInput("That is neither a number nor off.", "bad-number")
    return None if typed == "off" else int(typed)


def read_on_or_off(word: str) -> bool:
    """Whether it is on. Raises BadInput."""
    typed = plain(word).lower()
    if typed not in ("on", "off"):
        raise BadInput("That is neither on nor off.", "bad-switch")
    return typed == "on"


REMINDERS = {"on": 1, "daily": 2, "few": 0, "off": 0}


def read_reminders(word: str) -> int:
    """How often reminders come; few are none but the last warning. Raises BadInput."""
    typed = plain(word).lower()
    if typed not in REMINDERS:
        raise BadInput(f"That is none of {', '.join(REMINDERS)}.", "bad-switch")
    return REMINDERS[typed]


def read_auto_or_off(word: str) -> bool:
    """Whether it is automatic. Raises BadInput."""
    typed = plain(word).lower()
    if typed not in ("auto", "off"):
        raise BadInput("That is neither auto nor off.", "bad-switch")
    return typed == "auto"


def read_none(word: str) -> bool:
    """True for the word none. Raises BadInput."""
    if plain(word).lower().strip(".!") != "none":
        raise BadInput("A note is the text below that line; behind note stands none.", "note-below")
    return True


def read_one_of(*words: str) -> Callable[[str], str]:
    """Reads one of some words, perhaps cut short; that raises BadInput."""

    def read(word: str) -> str:
        typed = plain(word).lower()
        meant = [each for each in words if typed and each.startswith(typed)]
        if len(meant) != 1:
            raise BadInput(f"That is none of {', '.join(words)}.", "bad-choice")
        return meant[0]

    return read


def read_minute(word: str) -> int:
    """A time of the day, as its minute. Raises BadInput."""
    match = re.fullmatch(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])", plain(word))
    if not match:
        raise BadInput("A time is written like 7:30 or 18:00.", "bad-time")
    return 60 * int(match[1]) + int(match[2])


def read_lesson(word: str) -> int:
    """The number of a lesson of the course. Raises BadInput."""
    typed = plain(word).strip("#*.,:")
    if not re.fullmatch("[0-9]", typed) or not 1 <= int(typed) <= len(LESSONS):
        raise BadInput(f"The course has the lessons 1 to {len(LESSONS)}.", "bad-lesson")
    return int(typed)


def read_game_word(word: str) -> str:
    """The word of a game, empty for all of them. Raises BadInput."""
    typed = plain(word).lower()
    if typed == "all":
        return ""
    game = games.find(typed)
    if game is None:
        raise BadInput("That is no game of this server, nor the word all.", "unknown-game")
    return game.word


def read_topic(word: str) -> str:
    """The topic of a help page."""
    return plain(word).lower().strip(".?!")[:40]
