"""Days as a player writes them: how many, or from one date to another. Pure; no calendar but the months'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import BadInput
from ..games.text import plain

Date = tuple[int, int, int]  # year, month, day
Span = int | tuple[Date, Date]  # so many days from now on, or the first and the last day

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = rf"({'|'.join(_MONTHS)})[a-z]*"
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_WORDS = re.compile(rf"(\d{{1,2}})\.? {_NAME}\.?,? (\d{{4}})")
_SLASHES = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}")
# The same without groups, and any of them.
_DATE = re.sub(r"\((?!\?)", "(?:", "|".join(form.pattern for form in (_ISO, _DOTS, _WORDS)))
_TWO = re.compile(rf"(?:from )?({_DATE})(?: ?\.\. ?| - | to | until | till | )({_DATE})")
_COUNT = re.compile(r"(\d{1,4}) ?(?:d|days?|(w|weeks?))?")
HOW = "Write a number of days, or the first and the last day like 2026-12-20 2027-01-03."


def read_span(words: Sequence[str]) -> Span:
    """A number of days, or two dates. Raises BadInput; also for a date that can mean two days."""
    typed = _typed(words)
    if (count := _days(words)) is not None:
        if count < 1:
            raise BadInput("A leave is one day at least.", "bad-days")
        return count
    if slashes := _SLASHES.search(typed):
        raise BadInput(f"{slashes[0]} can mean two days. {HOW}", "two-days")
    two = _TWO.fullmatch(typed)
    if not two:
        raise BadInput(f"That is no time to be away. {HOW}", "bad-days")
    return _date(two[1]), _date(two[2])


def read_extension(words: Sequence[str]) -> int:
    """The days that a player gives the opponent. Raises BadInput."""
    days = _days(words)
    if days is None or not 1 <= days <= 14:
        raise BadInput("You can give your opponent 1 to 14 days at a time.", "bad-days")
    return days


def _days(words: Sequence[str]) -> int | None:
    """A number of days, which may be written as weeks: ``14``, ``14 days``, ``2w``; None for other words."""
    count = _COUNT.fullmatch(_typed(words))
    return int(count[1]) * (7 if count[2] else 1) if count else None


def _typed(words: Sequence[str]) -> str:
    return plain(" ".join(words)).lower().strip(" #*.,:!")


def _date(text: str) -> Date:
    if match := _ISO.fullmatch(text):
        year, month, day = map(int, match.groups())
    elif match := _DOTS.fullmatch(text):
        day, month, year = map(int, match.groups())
    else:
        match = _WORDS.fullmatch(text)
        assert match
        day, month, year = int(match[1]), _MONTHS.index(match[2]) + 1, int(match[3])
    # The calendar of Python ends with 9999, and a leave a day later than it says.
    if not (1 <= year < 9999 and 1 <= month <= 12 and 1 <= day <= _length(year, month)):
        raise BadInput(f"There is no day {text}. {HOW}", "no-day")
    return year, month, day


def _length(year: int, month: int) -> int:
    """The days of a month."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31
