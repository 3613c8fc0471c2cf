"""Time zones: the one that a player means, and times by its clocks. The names are the system's."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from ..errors import BadInput, say
from ..machine.times import Epoch

HERE = "UTC"  # known even where the system has no names


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
                "I don't know that time zone. Write it like Europe/Berlin, America/New_York or UTC."
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
