"""Days and times of a zone as people write them, for letters; the names of days and months are sentences.

Time zones: the one that a player means, and times by its clocks. The names are the system's.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from ..errors import BadInput, Sentence, say
from ..machine.times import Epoch

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
HERE = "UTC"  # known even where the system has no names


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


def find(typed: str) -> str:
    """Return the name of the zone that a player means. Raises BadInput.

    The case of letters does not matter. A city alone is enough if it is the only one of its name.
    """
    word = typed.strip().casefold().replace(" ", "_")
    names = _names()
    cities = {name for name in names.values() if name.casefold().endswith(f"/{word}")}
    name = names.get(word) or (cities.pop() if len(cities) == 1 else "")
    if not name:
        raise BadInput(
            say(
                "I don't know that time zone. Use a name like America/New_York, "
                "Europe/Berlin or UTC."
            ),
            "unknown-zone",
        )
    return name


def date_of(at: Epoch) -> str:
    """Return the day (UTC) of a time: ``2027-01-15``."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def minute_of(at: Epoch) -> str:
    """Return a time (UTC) to the minute: ``2027-01-15 14:20``."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}"


def year_of(at: Epoch, zone: str) -> int:
    """Return the year that a calendar in that zone shows at that time."""
    return datetime.fromtimestamp(at, zone_of(zone)).year


def days_later(at: Epoch, days: int, zone: str) -> Epoch:
    """Return the time ``days`` later at which the clocks of a zone show the same time of day.

    An hour that is skipped when the clocks change begins at the change.
    """
    return (datetime.fromtimestamp(at, zone_of(zone)) + timedelta(days=days)).timestamp()


def next_day(minute: int, zone: str, now: Epoch, last: Epoch | None) -> Epoch:
    """Return the next time at which the clocks of a zone show that minute of a day.

    It is after ``now``, and on a later day in that zone than ``last``.
    """
    clocks = zone_of(zone)
    day = datetime.fromtimestamp(now, clocks).date()
    if last is not None:
        day = max(day, datetime.fromtimestamp(last, clocks).date() + timedelta(days=1))
    while True:
        at = datetime.combine(day, time(minute // 60, minute % 60), clocks).timestamp()
        if at > now:
            return at
        day += timedelta(days=1)


def zone_of(name: str) -> tzinfo:
    """Return the zone of that name; UTC if the system does not know it any more."""
    known = _names().get(name.casefold(), HERE)
    return UTC if known == HERE else ZoneInfo(known)


@cache
def _names() -> dict[str, str]:
    """Return all names, each under its lower case."""
    return {name.casefold(): name for name in {HERE, *available_timezones()}}
