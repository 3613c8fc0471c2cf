"""The terms of a game: the agreement of its players beside its options, such as the time for moves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from ..errors import MISREAD, BadInput, BadOption, Sentence, either, say, together
from ..games.spelling import shown
from ..machine.times import DAY, HOUR, MINUTE
from ..parts import FEATURES, modules

_UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR, "m": MINUTE, "s": 1}
_SPELLED = {"d": DAY, "h": HOUR, "m": MINUTE, "s": 1}  # the largest one without a fraction
NONE, NORMAL = "none", "normal"  # no limit; the server's own time
_WORDS = {"slow": "30d+3d/45d", "fast": "7d+1d", "daily": "3d"}
_SPAN = r"([0-9]{1,6}(?:\.[0-9]{1,6})?)([wdhms])"
_PACE = re.compile(rf"{_SPAN}(?:\+{_SPAN}(?:/{_SPAN})?)?")
_HOW = say(
    "For example, 21d gives each of you 21 days per move (anything from 48h to 90d). "
    "10d+36h gives each of you 10 days for the whole game (from 1d to 90d), plus 36 "
    "hours after each move (up to 10d). 10d+36h/20d is the same, but nobody ever has "
    "more than 20 days (up to 120d). You can also write none, slow, normal, fast or "
    "daily."
)


class Pace(NamedTuple):
    """The time that each player has, in whole seconds.

    bank       the time with which a player begins
    increment  the time that a move adds; None if every move has the whole ``bank`` again
    cap        the most time that a player has after a move
    """

    bank: int
    increment: int | None = None
    cap: int = 0

    def after(self, bank: int, used: int) -> int:
        """Return a player's time after a move that used ``used`` seconds of ``bank``."""
        if self.increment is None:
            return self.bank
        return min(self.cap, max(0, bank - used) + self.increment)

    def __str__(self) -> str:
        if self.increment is None:
            return spell(self.bank)
        cap = "" if self.cap == self.bank else f"/{spell(self.cap)}"
        return f"{spell(self.bank)}+{spell(self.increment)}{cap}"


class Terms(NamedTuple):
    """The agreement of the players of a board.

    time      a canonical spelling: ``21d``, ``10d+36h/20d``, ``none``
    leave     a player's leave stops the clock
    weekends  if clocks are paused on Saturdays and Sundays, each player's zone when the game began, in the
              order of the seats, so that nobody gains a day by a change of zone; otherwise empty
    undo      ``ask`` the opponent; ``no``; ``free``: the player who has moved last need not ask
    claim     the winner of a decided game may end it
    private   only the players see the board
    rated     the game counts for the ratings of both, unless something of the game forbids that
    contest   the name of the feature that the game belongs to; empty for a game on its own
    setup     the moves on the board when the game begins, taken from another board; mostly none
    origin    the number of that board; 0 if it is not known
    """

    time: str = "21d"
    leave: bool = True
    weekends: tuple[str, ...] = ()
    undo: str = "ask"
    claim: bool = True
    private: bool = False
    rated: bool = True
    contest: str = ""
    setup: tuple[str, ...] = ()
    origin: int = 0

    @property
    def pace(self) -> Pace | None:
        """Return the pace of the game; None if there is no limit."""
        return None if self.time == NONE else _read(self.time)

    @property
    def offset(self) -> int:
        """Return the number of moves on the board when the game begins; mostly 0."""
        return sum(move != "swap" for move in self.setup)

    def described(self) -> str:
        """Return the terms that are not default, as a challenge spells them."""
        if self == USUAL:  # most are, and this comparison is quick
            return ""
        agreed = self._asdict() | {"weekends": bool(self.weekends)}
        changed = (name for name in TERMS if getattr(self, name) != getattr(USUAL, name))
        return " ".join(spelled(name, agreed[name]) for name in changed)


@cache
def judged(contest: str) -> Sentence | None:
    """Return the sentence about games without a time limit of a feature that judges them; None of others.

    See ``grammar.verb.Commands``: a feature that judges its games lets nobody out of one.
    """
    found = dict(modules("commands")).get(contest)
    return found.COMMANDS.judged if found else None


@cache
def unrated(contest: str) -> Sentence | None:
    """Return the sentence that the games of a feature are not rated; None of others."""
    found = dict(modules("commands")).get(contest)
    return found.COMMANDS.unrated if found else None


@lru_cache(1024)
def dump(terms: Terms) -> str:
    """Return terms as JSON: the time, and the others that are not default."""
    each = zip(terms._fields, terms, USUAL, strict=True)
    changed = {name: value for name, value, usual in each if value != usual or name == "time"}
    return json.dumps(changed, separators=(",", ":"))


def load(text: str) -> Terms:
    """Return the terms that ``dump`` has written."""
    values: dict[str, Any] = json.loads(text)
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return Terms(**values | lists)


def read_stored(text: str, seats: int) -> Terms:
    """Return the terms of a board that comes from elsewhere, for so many players. Raises BadInput."""
    try:
        agreed = load(text)
        time_of_server(agreed.time)
        yes_or_no = (agreed.leave, agreed.claim, agreed.private, agreed.rated)
        fits = (
            all(isinstance(each, bool) for each in yes_or_no)
            and agreed.undo in ("ask", "no", "free")
            and agreed.contest in ("", *FEATURES)
            and len(agreed.weekends) in (0, seats)
            and all(isinstance(each, str) for each in (*agreed.weekends, *agreed.setup))
            and isinstance(agreed.setup, tuple)
            and type(agreed.origin) is int
        )
    except MISREAD:
        fits = False
    if not fits:
        raise BadInput(
            say(
                "We can't start this game: one of its settings (such as the time "
                "limit) isn't valid."
            ),
            "bad-board",
        )
    return agreed


@lru_cache(256)  # a server's boards have few paces, and a move asks for its own some eight times
def _read(text: str) -> Pace:
    """Return the pace of a text, which need not be canonical. Raises BadOption."""
    match = _PACE.fullmatch(text)
    if not match:
        raise BadOption(
            together(text and say("{text} isn't a valid time.", text=shown(text)), _HOW), "bad-time"
        )
    bank, increment, cap = [
        round(float(number) * _UNITS[unit]) if number else None
        for number, unit in zip(match.groups()[::2], match.groups()[1::2], strict=True)
    ]
    assert bank is not None
    if increment is None:
        return Pace(bank)
    return Pace(bank, increment, bank if cap is None else cap)


def spell(seconds: int) -> str:
    """Return a length of time as a text: ``10d``, ``36h``."""
    unit = next(unit for unit, length in _SPELLED.items() if seconds % length == 0)
    return f"{seconds // _SPELLED[unit]}{unit}"


def time_of_server(text: str) -> str:
    """Return the canonical spelling of the time that an operator sets, of any length. Raises BadOption."""
    word = text.strip().lower()
    if word == NONE:
        return NONE
    pace = _read(_WORDS.get(word, word))
    if not pace.bank or (pace.increment is not None and pace.cap < pace.bank):
        raise BadOption(say("You can't set the time to {time}.", time=str(pace)), "bad-time")
    return str(pace)


def read_time(text: str) -> str:
    """Return the canonical spelling of the time that a player asks for, or ``normal``. Raises BadOption."""
    word = text.strip().lower()
    if word in (NONE, NORMAL):
        return word
    pace = _read(_WORDS.get(word, word))
    fits = 2 * DAY <= pace.bank <= 90 * DAY
    if pace.increment is not None:
        fits = DAY <= pace.bank <= 90 * DAY and pace.increment <= 10 * DAY
        fits = fits and pace.bank <= pace.cap <= 120 * DAY
    if not fits:
        raise BadOption(
            together(say("You can't set the time to {time}.", time=str(pace)), _HOW), "bad-time"
        )
    return str(pace)


def spelled(name: str, value: str | bool) -> str:
    """Return a term as a challenge spells it: ``-undo=free``, ``-leave=no``, ``-private``."""
    if isinstance(value, str):
        return f"-{name}={value}"
    return f"-{name}" if value and name in _SWITCHES else f"-{name}={_YES[not value]}"


def _is_yes(name: str, text: str) -> bool:
    if name in _SWITCHES and not text:
        return True
    return _one_of(name, _YES, text) == "yes"


def _one_of(name: str, choices: Sequence[str], text: str) -> str:
    if text not in choices:
        ways = either([f"-{name}={choice}" for choice in choices])
        typed = f"-{name}={shown(text)}" if text else f"-{name}"
        raise BadOption(
            say("{typed} isn't possible. Write {ways}.", typed=typed, ways=ways),
            "bad-option",
        )
    return text


USUAL = Terms()
_YES = ("yes", "no")
_SWITCHES = ("weekends", "private")  # without a value they mean yes

# The terms that a challenge may set besides the game's options, each with the reader of its value, which
# raises BadOption.
TERMS: Mapping[str, Callable[[str], Any]] = {
    "time": read_time,
    "undo": partial(_one_of, "undo", ("ask", "no", "free")),
    "leave": partial(_is_yes, "leave"),
    "claim": partial(_is_yes, "claim"),
    "weekends": partial(_is_yes, "weekends"),
    "private": partial(_is_yes, "private"),
    "rated": partial(_is_yes, "rated"),
}
# The words of pbmserv for these terms, with values in days.
OLDER: Mapping[str, str] = {"forfeittime": "time", "totaltime": "time", "nagtime": ""}


def read_term(name: str, text: str) -> dict[str, Any]:
    """Return the value of a term by its name; empty if it has no meaning here. Raises BadInput."""
    try:
        if name in TERMS:
            return {name: TERMS[name](text)}
        if OLDER[name]:
            return {OLDER[name]: read_time(f"{text}d+0d" if name == "totaltime" else f"{text}d")}
    except BadOption as error:
        raise BadInput(error.said, error.code) from None
    return {}
