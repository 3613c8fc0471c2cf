"""Time zones, and times by their clocks."""

from __future__ import annotations

import pytest

from pbmstar.errors import BadInput
from pbmstar.match import dates
from pbmstar.match.dates import on_the_clock

AT = 1796567040.0  # Sunday, 2026-12-06 14:24 UTC


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("utc", "Sun 2026-12-06 14:24 UTC"),
        ("berlin", "Sun 2026-12-06 15:24 CET"),
        ("America/new york", "Sun 2026-12-06 09:24 EST"),
        ("Asia/Kathmandu", "Sun 2026-12-06 20:09 UTC+0545"),
        ("pacific/auckland", "Mon 2026-12-07 03:24 NZDT"),
    ],
)
def test_a_time_is_named_by_the_clocks_of_a_zone(typed: str, shown: str) -> None:
    assert str(on_the_clock(AT, dates.find(typed))) == shown


@pytest.mark.parametrize(
    "typed", ["", "Middle Earth", "/etc/passwd", "../x", "Europe", "Indianapolis"]
)
def test_another_word_is_refused_and_a_zone_of_before_counts_as_utc(typed: str) -> None:
    """Indianapolis is in two regions: nobody guesses."""
    with pytest.raises(BadInput, match="time zone"):
        dates.find(typed)
    assert str(on_the_clock(AT, typed)).endswith(" UTC")
