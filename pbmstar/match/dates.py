"""Days and times of a zone as people write them, for letters; the names of days and months are sentences."""

from __future__ import annotations

from datetime import UTC, datetime

from ..errors import Sentence, say
from ..machine.times import Epoch
from .zones import HERE, zone_of

WEEKDAYS = (say("Mon"), say("Tue"), say("Wed"), say("Thu"), say("Fri"), say("Sat"), say("Sun"))
MONTHS = (
    say("Jan"), say("Feb"), say("Mar"), say("Apr"), say("May"), say("Jun"),
    say("Jul"), say("Aug"), say("Sep"), say("Oct"), say("Nov"), say("Dec"),
)  # fmt: skip
LONG_MONTHS = (
    say("January"), say("February"), say("March"), say("April"), say("May"), say("June"),
    say("July"), say("August"), say("September"), say("October"), say("November"), say("December"),
)  # fmt: skip
DAY, DAY_OF_YEAR = say("{day} {month}"), say("{day} {month} {year}")


def moment(at: Epoch, zone: str) -> Sentence:
    """Return a time of a zone, with UTC after it: ``Sun 2026-12-06 14:20 CET (13:20 UTC)``."""
    local = _local(at, zone)
    return _dated(local, _time(at, local))


def on_the_clock(at: Epoch, zone: str) -> Sentence:
    """Return a time by the clocks of a zone alone: ``Sun 2026-12-06 14:20 CET``."""
    local = _local(at, zone)
    return _dated(local, _there(local))


def in_full(at: Epoch, zone: str) -> Sentence:
    """Return a day of a zone with its month in full: ``3 January``."""
    local = _local(at, zone)
    return DAY.given(day=local.day, month=LONG_MONTHS[local.month - 1])


def with_year(at: Epoch, zone: str) -> Sentence:
    """Return a day of a zone with its month in full, and its year: ``3 January 2027``."""
    local = _local(at, zone)
    month = LONG_MONTHS[local.month - 1]
    return DAY_OF_YEAR.given(day=local.day, month=month, year=local.year)


def day(at: Epoch, zone: str) -> Sentence:
    """Return a day of a zone: ``3 Jan``."""
    local = _local(at, zone)
    return DAY.given(day=local.day, month=MONTHS[local.month - 1])


def date(at: Epoch, zone: str) -> Sentence:
    """Return a day of a zone with its weekday: ``Sun 13 Dec``."""
    local = _local(at, zone)
    return say(
        "{weekday} {day} {month}",
        weekday=WEEKDAYS[local.weekday()],
        day=local.day,
        month=MONTHS[local.month - 1],
    )


def hour(at: Epoch, zone: str) -> Sentence:
    """Return a time of a zone without its year: ``Sun 13 Dec 14:20 CET (13:20 UTC)``."""
    return say("{date} {time}", date=date(at, zone), time=_time(at, _local(at, zone)))


def _dated(local: datetime, time: str) -> Sentence:
    weekday, day = WEEKDAYS[local.weekday()], local.date().isoformat()
    return say("{weekday} {date} {time}", weekday=weekday, date=day, time=time)


def _local(at: Epoch, zone: str) -> datetime:
    return datetime.fromtimestamp(at, zone_of(zone))


def _time(at: Epoch, local: datetime) -> str:
    """Return the time of a day by the clocks there: ``14:20 CET (13:20 UTC)``, ``13:20 UTC``."""
    there = _there(local)
    is_utc = there.endswith(f" {HERE}")
    return there if is_utc else f"{there} ({_clock(datetime.fromtimestamp(at, UTC))} UTC)"


def _there(local: datetime) -> str:
    """Return the time of a day with the zone's name: ``14:20 CET``, ``14:20 UTC+0545``."""
    name = local.tzname() or HERE
    return f"{_clock(local)} {f'UTC{name}' if name[0] in '+-' else name}"


def _clock(there: datetime) -> str:
    return there.time().isoformat("minutes")
