"""The values of single words of a command, and of dates.

No error repeats a word: it may be a password in the wrong place.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from .. import games
from ..errors import BadInput, Sentence, either, say, say_many, together
from ..games.base import Game
from ..games.spelling import plain
from ..match import DRAW, REASONS
from .words import NAMES, folded

T = TypeVar("T")

MASK = "******"
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,15}")
_ADDRESS = re.compile(  # one, and nothing around it
    r"[!#-'*+.-9=?A-Z^-~/-]+@[\w!#-'*+.-9=?A-Z^-~/-]+"
)
LEAST = 4  # characters of a password
_PASSWORD = re.compile(rf"[!#-&(-9;-~]{{{LEAST},64}}")  # printable ASCII, no blank, quotes, colon
STATES = {  # of games in a list, and what the title of the list calls them
    "next": say("moves due"),
    "active": say("running"),
    "finished": say("finished"),
    "won": say("wins"),
    "lost": say("losses"),
    "drawn": say("draws"),
    "late": say("late"),
}
BEHIND = ("vs", "since", "last")  # filters of games with a word after them
LETTERS = ("each", "mine", "daily", "short")  # how often letters come, or that they say little
COPYING = ("copies", "short", "none")  # the letters that an address other than the first gets
DRAWINGS = ("ascii", "unicode", "words", "none", "short")  # how the text of letters shows a board

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


class Secret:
    """A password or token; printed, it shows only a mask."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return MASK


def _matched(form: str, typed: str, why: Sentence, code: str) -> re.Match[str]:
    """Return the match of a word that has that form. Raises BadInput with the text and the code."""
    if match := re.fullmatch(form, typed):
        return match
    raise BadInput(why, code)


def read_userid(word: str) -> str:
    """Return a userid in lower case. Raises BadInput."""
    userid = plain(word).lower().rstrip(",.")
    # Letters of full width too.
    foreign = not word.isascii() and any(c.isalnum() and not c.isascii() for c in word)
    if foreign or not _USERID.fullmatch(userid):
        raise BadInput(
            say(
                "You can't use that name. Names must be 2 to 16 characters long (a-z, digits, _ "
                "or -) and start with a letter."
            ),
            "bad-userid",
        )
    return userid


def read_password(word: str) -> Secret:
    """Return a password. Raises BadInput."""
    if not _PASSWORD.fullmatch(word):
        raise BadInput(
            say(
                "Passwords must be 4 to 64 characters long: plain letters (without accents), "
                "digits and symbols, but no spaces, quotes or colons."
            ),
            "bad-password",
        )
    return Secret(word)


def read_address(word: str) -> str:
    """Return a word that may be a mail address. Raises BadInput."""
    address = re.sub(
        r"\A(?:e-?mail|mailto|address)[=:]", "", plain(word).strip("<>()[],.;:"), flags=re.I
    )
    if not _ADDRESS.fullmatch(address) or len(address) > 254 or address.startswith("-"):
        raise BadInput(
            say("That doesn't look like an email address we can write to."), "bad-address"
        )
    return address


def read_own_address(word: str) -> str:
    """Return the address that follows a new account's userid and password. Raises BadInput."""
    if "@" not in plain(word):  # a name or a password of more than one word
        raise BadInput(say("Names and passwords can't have spaces in them."), "too-much")
    return read_address(word)


def read_points(word: str) -> str:
    """Return a score, X's points first, as ``11 10``; or ``draw``. Raises BadInput."""
    typed = plain(word).strip(".,*").lower()
    match = re.fullmatch(r"(-?[0-9]{1,3})[-:](-?[0-9]{1,3})", typed)
    if not match and typed != DRAW:
        raise BadInput(
            say("Propose a score like 11-10 (X's points first), or write draw."),
            "bad-points",
        )
    return f"{int(match[1])} {int(match[2])}" if match else DRAW


def read_reason(word: str) -> str:
    """Return the reason for declining something. Raises BadInput."""
    typed = plain(word).strip(".,:*!").lower()
    if typed not in REASONS:
        raise BadInput(
            say("Give one of these reasons: {words}.", words=", ".join(REASONS)), "bad-reason"
        )
    return typed


def number_in(form: str, why: Sentence, code: str, marks: str = "#*.,:") -> Callable[[str], int]:
    """Return a reader of numbers of that form, perhaps between marks; it raises BadInput for other words."""

    def read(word: str) -> int:
        return int(_matched(form, plain(word).strip(marks), why, code)[0])

    return read


read_board = number_in("[0-9]{1,9}", say("That isn't a board number."), "bad-board")
read_division = number_in(
    "[1-9][0-9]{0,2}", say("Write the division as a number, like 2."), "bad-division", ".#"
)
_read_count = number_in(
    "[1-9][0-9]{0,3}", say("Put a number after last, like: last 10"), "bad-number", ""
)


def read_board_at(word: str) -> tuple[int, int | None]:
    """Return a board's number, and a move's number or None. Raises BadInput."""
    number, _, at = plain(word).strip("*.,:").lstrip("#").partition("#")
    return read_board(number), read_board(at) if at else None


def read_token(word: str) -> Secret:
    """Return a token as it stood in a message. Raises BadInput."""
    why = say("That isn't a token. Please copy it from our letter.")
    typed = plain(word).strip("<>.,*_").lower()
    return Secret(_matched("[a-z0-9]{16,64}", typed, why, "bad-token")[0])


@dataclass(frozen=True)
class Filters:
    """The games that a list shows.

    states the game is in one of these STATES; empty for any state
    vs     the opponent's userid
    since  a month (UTC) like 2027-01: something has happened in the game since then
    last   the number of games, the newest ones; 0 for all
    """

    states: tuple[str, ...] = ()
    vs: str = ""
    since: str = ""
    last: int = 0

    @property
    def kept(self) -> str:
        """Return the state by which boards are stored: ``next``, ``active``, ``finished``.

        Empty for several states, and for none.
        """
        of_state = {"won": "finished", "lost": "finished", "drawn": "finished", "late": "active"}
        states = {of_state.get(state, state) for state in self.states}
        return states.pop() if len(states) == 1 else ""

    @property
    def told(self) -> Sentence:
        """Return the filters in words, for the title of the list; empty if there are none."""
        return together(
            *(STATES[state] for state in self.states),
            self.vs and say("against {opponent}", opponent=self.vs),
            self.since and say("since {month}", month=self.since),
            self.last and say_many("last {count}", "last {count}", self.last),
            by=", ",
        )


def read_filters(words: Sequence[str]) -> Filters:
    """Return filters of games; words may come in any order, a state cut short. Raises BadInput."""
    filters, rest = Filters(), list(words)
    while rest:
        typed = plain(rest.pop(0)).lower().strip(",.")
        names = [typed] if typed in BEHIND else [s for s in STATES if typed and s.startswith(typed)]
        if len(names) != 1 or (typed in BEHIND and not rest):
            raise BadInput(
                say(
                    "You can ask for any of these: {states}, vs bob, since 2027-01, last 10.",
                    states=", ".join(STATES),
                ),
                "bad-filter",
            )
        if typed == "vs":
            filters = replace(filters, vs=read_userid(rest.pop(0)))
        elif typed == "since":
            filters = replace(filters, since=_read_month(rest.pop(0)))
        elif typed == "last":
            filters = replace(filters, last=_read_count(rest.pop(0)))
        else:
            filters = replace(filters, states=(*dict.fromkeys((*filters.states, *names)),))
    return filters


def _read_month(word: str) -> str:
    form = "([12][0-9]{3})-(0?[1-9]|1[0-2])"
    match = _matched(form, plain(word), say("Write a month like 2027-01."), "bad-month")
    return f"{match[1]}-{int(match[2]):02}"


def is_filter(word: str) -> bool:
    """Return True if a word is a filter of games, written out."""
    return plain(word).lower().strip(",.") in (*STATES, *BEHIND)


def read_number_or_off(word: str) -> int | None:
    """Return a number, or None for off. Raises BadInput."""
    why = say("Write a number, or the word off.")
    typed = _matched("off|[0-9]{1,4}", plain(word).lower(), why, "bad-number")[0]
    return None if typed == "off" else int(typed)


def _choose(words: Sequence[str]) -> Sentence:
    return say("Write {words}.", words=either(words))


def reader_of(choices: Mapping[str, T]) -> Callable[[str], T]:
    """Return a reader of the words in ``choices``: it returns a word's value, or raises BadInput."""

    def read(word: str) -> T:
        typed = plain(word).lower()
        if typed not in choices:
            raise BadInput(_choose(tuple(choices)), "bad-switch")
        return choices[typed]

    return read


REMINDERS = {"on": 1, "daily": 2, "few": 0, "off": 0}
read_on_or_off = reader_of({"on": True, "off": False})
read_auto_or_off = reader_of({"auto": True, "off": False})
read_reminders = reader_of(REMINDERS)


def read_one_of(*words: str) -> Callable[[str], str]:
    """Return a reader of these words: it returns the one meant, perhaps cut short, or raises BadInput."""

    def read(word: str) -> str:
        typed = plain(word).lower()
        meant = [each for each in words if typed and each.startswith(typed)]
        if len(meant) != 1:
            raise BadInput(_choose(words), "bad-choice")
        return meant[0]

    return read


def read_language(word: str) -> str:
    """Return the code of a language that is named by its code or its name; any other word as it is.

    Only the server knows in which languages it has letters, so it refuses the others.
    """
    typed = folded(word)
    return next((code for code, name in NAMES.items() if typed in (code, folded(name))), typed)


def is_language(word: str) -> bool:
    """Return True if a word names a language that we know of."""
    return read_language(word) in NAMES


def read_minute(word: str) -> int:
    """Return a time of day, in minutes after midnight. Raises BadInput."""
    form = "([01]?[0-9]|2[0-3])[:.]([0-5][0-9])"
    why = say("Write a time like 7:30 or 18:00.")
    match = _matched(form, plain(word), why, "bad-time")
    return 60 * int(match[1]) + int(match[2])


def read_game(word: str) -> str:
    """Return the word of a game. Raises BadInput."""
    game = games.find(plain(word).lower())
    if game is None:
        raise unknown_game()
    return game.word


def read_game_or_all(word: str) -> str:
    """Return the word of a game, empty for all of them. Raises BadInput."""
    return "" if plain(word).lower() == "all" else read_game(word)


def unknown_game() -> BadInput:
    """Return the error of a word that does not name a game."""
    words = tuple(game.word for game in games.GAMES)
    return BadInput(
        say("There's no such game on this server. The games are {words}.", words=words),
        "unknown-game",
    )


def game_of(word: str) -> type[Game] | None:
    """Return the game that a word names, in any spelling that mail programs make of it, or None."""
    word = plain(word).lower().replace("\\", "")
    game = games.find(word)
    if game is None:
        bare = word.strip("*_`'\"")
        game = games.find("*" + bare if "*" in word else bare) or games.find(bare)
    return game


def read_topic(word: str) -> str:
    """Return the topic of a help page."""
    return plain(word).lower().strip(".?!")[:40]


# -- days: a number of them, or from one date to another

Date = tuple[int, int, int]  # year, month, day
Span = int | tuple[Date, Date]  # a number of days from now on, or the first and the last day

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAME = rf"({'|'.join(_MONTHS)})[a-z]*"
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_IN_WORDS = re.compile(rf"(\d{{1,2}})\.? {_MONTH_NAME}\.?,? (\d{{4}})")
_SLASHES = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}")
# Any of these forms, without groups.
_DATE = re.sub(r"\((?!\?)", "(?:", "|".join(form.pattern for form in (_ISO, _DOTS, _IN_WORDS)))
_TWO_DATES = re.compile(rf"(?:from )?({_DATE})(?: ?\.\. ?| - | to | until | till | )({_DATE})")
_DAY_COUNT = re.compile(r"(\d{1,4}) ?(?:d|days?|(w|weeks?))?")
_HOW = say("Write a number of days, or the first and the last day, like: 2026-12-20 2027-01-03")


def read_span(words: Sequence[str]) -> Span:
    """Return a number of days, or two dates. Raises BadInput; also for a date that can mean two days."""
    typed = _typed_days(words)
    if (count := _days(words)) is not None:
        if count < 1:
            raise BadInput(say("You have to take at least one day of leave."), "bad-days")
        return count
    if slashes := _SLASHES.search(typed):
        raise BadInput(
            together(
                say(
                    "{date} could be two different days. Please write it like 2026-12-20.",
                    date=slashes[0],
                ),
                _HOW,
            ),
            "two-days",
        )
    two = _TWO_DATES.fullmatch(typed)
    if not two:
        raise BadInput(together(say("I can't read those dates."), _HOW), "bad-days")
    return _date(two[1]), _date(two[2])


def read_extension(words: Sequence[str]) -> int:
    """Return the days that a player gives the opponent. Raises BadInput."""
    days = _days(words)
    if days is None or not 1 <= days <= 14:
        raise BadInput(say("You can give your opponent 1 to 14 extra days at a time."), "bad-days")
    return days


def _days(words: Sequence[str]) -> int | None:
    """Return a number of days or weeks, ``14``, ``14 days``, ``2w``, as days; None for other words."""
    count = _DAY_COUNT.fullmatch(_typed_days(words))
    return int(count[1]) * (7 if count[2] else 1) if count else None


def _typed_days(words: Sequence[str]) -> str:
    return plain(" ".join(words)).lower().strip(" #*.,:!")


def _date(text: str) -> Date:
    if match := _ISO.fullmatch(text):
        year, month, day = map(int, match.groups())
    elif match := _DOTS.fullmatch(text):
        day, month, year = map(int, match.groups())
    else:
        match = _IN_WORDS.fullmatch(text)
        assert match
        day, month, year = int(match[1]), _MONTHS.index(match[2]) + 1, int(match[3])
    # Python's calendar ends with 9999, and a leave ends on the day after its last.
    if not (1 <= year < 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        raise BadInput(together(say("There's no such day as {date}.", date=text), _HOW), "no-day")
    return year, month, day
