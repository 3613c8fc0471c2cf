"""The time that a player has used: the time between two moments, without the stops in it.

All times are whole seconds since 1970 UTC, so the parts of an interval add up to the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from math import ceil, inf
from typing import NamedTuple

from ..machine.times import DAY, Epoch
from .dates import zone_of

Span = tuple[int, float]  # from, until; until is infinite as long as nobody knows when it ends
LEAST = 2 * DAY  # the least time of every turn, and between a warning and a loss
BOUNCED = 14 * DAY  # the most time of one turn for which a bouncing address stops a clock


class Clock(NamedTuple):
    """The time of a match's players.

    banks         each player's time, in the order of the seats; for the player to move, when the turn began
    announced_by  the number of the letter that tells the player to move; None if there is none: the clock
                  runs from the turn's beginning
    began         the time from which the clock runs; None until the relay is known to have taken that letter
    """

    banks: tuple[int, ...] = ()
    announced_by: int | None = None
    began: Epoch | None = None


UNTIMED = Clock()


class Stops:
    """The spans in which a player's time does not run. Immutable."""

    def __init__(self, spans: Iterable[Span] = (), zone: str = "") -> None:
        """Take the stops, which may overlap. With a ``zone`` its weekends are stops too."""
        self._spans = _merged(spans)
        self._zone = zone

    def elapsed(self, begin: Epoch, end: Epoch) -> int:
        """Return how many seconds run between two moments; 0 if the second is not the later one."""
        first, last = ceil(begin), int(end)
        stood = sum(
            min(until, last) - max(since, first) for since, until in self._within(first, last)
        )
        return max(0, last - first) - int(stood)

    def end(self, begin: Epoch, seconds: int) -> int | None:
        """Return the time when ``seconds`` have run since ``begin``; None if a stop has no known end."""
        at, left = ceil(begin), seconds
        horizon = at
        while True:
            # Beyond all other stops at least five days of a week run.
            horizon = max(horizon, at) + 2 * left + 14 * DAY
            for since, until in self._within(at, horizon):
                if max(0, since - at) >= left:
                    return at + left
                left -= max(0, since - at)
                if until == inf:
                    return None
                at = max(at, int(until))
            if horizon - at >= left:
                return at + left
            left -= max(0, horizon - at)
            at = max(at, horizon)

    def moved(self, end: int, now: Epoch) -> int:
        """Return the end of a turn whose time had run at ``end``; a stop that ended since moves it."""
        later = (int(until) for since, until in self._spans if since <= now and end < until <= now)
        return max([end, *later])

    def until(self, at: Epoch) -> Epoch | None:
        """Return the end of the stop that ``at`` lies in, infinite if it is not known; None if time runs."""
        moment = int(at)
        for since, until in self._within(moment, moment + 1 + 14 * DAY):
            if since <= moment < until:
                return until
        return None

    def _within(self, begin: int, end: Epoch) -> list[Span]:
        """Return the stops, in order, that overlap an interval; those at its ends may reach beyond it."""
        spans = self._spans
        if self._zone and begin < end < inf:
            spans = _merged([*spans, *weekends(self._zone, begin, int(end))])
        return [(since, until) for since, until in spans if since < end and until > begin]


def weekends(zone: str, begin: int, end: int) -> Iterator[Span]:
    """Return the Saturdays and Sundays of a zone that overlap an interval, each pair as one span."""
    place = zone_of(zone)

    def midnight(day: date) -> int:
        return int(datetime.combine(day, time(), place).timestamp())

    day = datetime.fromtimestamp(begin, place).date()
    saturday = day - timedelta(days=(day.weekday() - 5) % 7)
    while (since := midnight(saturday)) < end:
        yield since, midnight(saturday + timedelta(days=2))
        saturday += timedelta(days=7)


def at_most(spans: Iterable[Span], since: Epoch, most: int) -> Iterator[Span]:
    """Return the first ``most`` seconds of the spans after ``since``, as spans."""
    left = most
    for begin, until in _merged(spans):
        begin = max(begin, ceil(since))
        if until > begin and left > 0:
            end = min(until, begin + left)
            yield begin, end
            left -= int(end - begin)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Return the same spans in order; those that touch or overlap become one."""
    merged: list[Span] = []
    for begin, until in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], until)
        elif until > begin:
            merged.append((begin, until))
    return merged
