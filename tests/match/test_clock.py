"""Terms and clocks as pure functions: what is used of a player's time, whatever stands still."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from harness.tables import rows
from hypothesis import example, given
from hypothesis import strategies as st

from pbmstar.errors import BadInput, BadOption
from pbmstar.match import Stops, Terms
from pbmstar.match.clock import at_most
from pbmstar.match.terms import dump, load, read_term, read_time, time_of_server

TIMES = Path(__file__).parent / "times.txt"
H, D = 3600, 86_400
T = 1_800_000_000  # a Friday, 08:00 UTC

moments = st.integers(T, T + 60 * D)
spans = st.lists(
    st.tuples(moments, st.integers(1, 20 * D)).map(lambda span: (span[0], span[0] + span[1])),
    max_size=6,
)
zones = st.sampled_from(["", "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"])


@given(spans, zones, moments, moments, moments)
def test_used_time_adds_up(stops: list[tuple[int, int]], zone: str, a: int, b: int, c: int) -> None:
    """It is never negative, never more than the interval, and its parts make up the whole."""
    first, middle, last = sorted((a, b, c))
    clock = Stops(stops, zone)
    whole = clock.elapsed(first, last)
    assert 0 <= whole <= last - first
    assert clock.elapsed(first, middle) + clock.elapsed(middle, last) == whole


@given(spans, zones, moments, moments, moments, st.integers(1, 20 * D))
def test_a_stop_takes_away_its_own_length_at_most(
    stops: list[tuple[int, int]], zone: str, a: int, b: int, begin: int, length: int
) -> None:
    first, last = sorted((a, b))
    before = Stops(stops, zone).elapsed(first, last)
    after = Stops([*stops, (begin, begin + length)], zone).elapsed(first, last)
    assert before - length <= after <= before


@given(spans, zones, moments, st.integers(0, 120 * D))
@example([(T, T + 20 * D)], "", T, H)
def test_a_turn_ends_when_its_time_has_run(
    stops: list[tuple[int, int]], zone: str, begin: int, seconds: int
) -> None:
    """The end is the first moment at which so much has run."""
    clock = Stops(stops, zone)
    end = clock.end(begin, seconds)
    assert end is not None and clock.elapsed(begin, end) == seconds
    assert seconds == 0 or clock.elapsed(begin, end - 1) == seconds - 1
    assert Stops([*stops, (begin, inf)], zone).end(begin, seconds) in (None, begin)


@given(spans, moments, st.integers(0, 30 * D))
def test_only_so_much_of_some_stops_counts(
    stops: list[tuple[int, int]], since: int, most: int
) -> None:
    """An address that bounces stops a clock for 14 days of a turn, and no more."""
    far = T + 100 * D
    counted = Stops(at_most(stops, since, most))
    stood = far - since - counted.elapsed(since, far)
    assert stood == min(most, far - since - Stops(stops).elapsed(since, far))


@pytest.mark.parametrize(
    ("zone", "begin", "end"),
    [  # hours from Friday 08:00 UTC
        ("UTC", 16, 64),
        ("Europe/Berlin", 15, 63),
        ("Asia/Kathmandu", 10.25, 58.25),
        ("Nowhere/Gone", 16, 64),
    ],
)
def test_a_weekend_is_that_of_the_players_zone(zone: str, begin: float, end: float) -> None:
    clock = Stops(zone=zone)
    assert clock.until(T + begin * H - 1) is None
    assert clock.until(T + begin * H) == T + end * H
    assert clock.elapsed(T, T + 7 * D) == 5 * D


# -- terms


def test_a_time_is_spelled_in_one_way() -> None:
    """T1."""
    for typed, time in rows(TIMES, "times"):
        assert read_time(typed) == time, typed
        if time not in ("none", "normal"):
            assert str(Terms(time=time).pace) == time == time_of_server(typed), typed


def test_a_time_that_is_not_possible() -> None:
    for (typed,) in rows(TIMES, "no times"):
        with pytest.raises(BadOption):
            read_time(typed)
        with pytest.raises(BadInput):
            read_term("time", typed)


def test_what_pbmserv_called_it() -> None:
    read = [read_term(name, "14") for name in ("forfeittime", "totaltime", "nagtime")]
    assert read == [{"time": "14d"}, {"time": "14d+0d"}, {}]


@pytest.mark.parametrize(
    "terms",
    [Terms(), Terms(time="none"), Terms("10d+36h", False, ("UTC", "Europe/Berlin")),
     Terms(undo="free", claim=False, private=True), Terms(undo="no", weekends=("UTC", "UTC"))],
)  # fmt: skip
def test_terms_are_kept_whole(terms: Terms) -> None:
    """In the store, and as a challenge spells them: what it says is read as the same."""
    assert load(dump(terms)) == terms
    read: dict[str, object] = {}
    for word in terms.described().split():
        name, _, value = word[1:].partition("=")
        read |= read_term(name, value)
    zones = terms.weekends if read.pop("weekends", False) else ()
    assert Terms(**read)._replace(weekends=zones) == terms  # type: ignore[arg-type]


@given(
    bank=st.integers(1, 90), increment=st.none() | st.integers(0, 10), more=st.integers(0, 30),
    used=st.lists(st.integers(0, 20 * D), max_size=30),
)  # fmt: skip
def test_the_sum_of_a_bank(bank: int, increment: int | None, more: int, used: list[int]) -> None:
    """What a player began with, and got, less what was used and cut off, is what the player has."""
    time = f"{bank}d" if increment is None else f"{bank}d+{increment}d/{bank + more}d"
    pace = Terms(time=time).pace
    assert pace is not None
    have = total = pace.bank
    for seconds in used:
        taken = min(seconds, have)
        after = pace.after(have, seconds)
        if increment is None:
            assert after == pace.bank
            continue
        total += increment * D - taken
        cut = max(0, have - taken + increment * D - pace.cap)
        total -= cut
        assert 0 <= after <= pace.cap and after == total
        have = after
