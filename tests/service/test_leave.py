"""How many days a leave takes: those of the player's calendar, whatever the clocks are set to meanwhile."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from harness.office import DAY, Office


def left(office: Office, subject: str = "away alice s3cret") -> int:
    """How many days of leave alice has after a mail, as the letter says."""
    (letter,) = (each for each in office.send("alice", subject) if each.to.startswith("alice@"))
    found = re.search(r"(\d+)\s+days?\s+of\s+leave\s+left", letter.text)
    assert found, letter.text
    return int(found[1])


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("zone", "span", "days"),
    [
        ("Europe/Berlin", "2027-10-25 2027-11-04", 11),  # clocks are set back
        ("Europe/Berlin", "2027-03-22 2027-04-01", 11),  # and forward
        ("America/New_York", "2027-11-07 2027-11-07", 1),  # a day of 25 hours
        ("America/New_York", "2027-03-14 2027-03-14", 1),  # of 23
        ("Asia/Kolkata", "2027-10-25 2027-11-04", 11),
        ("Australia/Lord_Howe", "2027-03-30 2027-04-09", 11),  # set back by half an hour
        ("Australia/Lord_Howe", "2027-09-28 2027-10-08", 11),
        ("Africa/Cairo", "2027-04-20 2027-04-29", 10),  # ends at a midnight that is left out
        ("Africa/Cairo", "2027-04-30 2027-05-04", 5),  # begins at it
        ("Africa/Cairo", "2027-10-20 2027-10-28", 9),  # ends at one that comes twice
        ("UTC", "2027-10-25 2027-11-04", 11),
    ],
)
def test_dates_take_as_many_days_as_the_calendar_has(
    office: Office, zone: str, span: str, days: int
) -> None:
    office.send("alice", f"zone alice s3cret {zone}")
    assert left(office, f"away alice s3cret {span}") == 30 - days


@pytest.mark.parametrize("month", [3, 10])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe"])
def test_a_number_of_days_takes_so_many_and_ends_at_the_same_time_of_the_day(
    office: Office, zone: str, month: int
) -> None:
    clocks = ZoneInfo(zone)
    office.now = datetime(2027, month, 20, 15, 0, tzinfo=clocks).timestamp()
    office.send("alice", f"zone alice s3cret {zone}")
    assert left(office, "away alice s3cret 24") == 6
    (absence,) = office.ask("clocks.absences", "alice")
    end = datetime.fromtimestamp(absence.until, clocks)
    assert (end.hour, end.minute) == (15, 0)
    office.now = absence.until + 1
    assert left(office) == 6


def test_another_zone_during_a_leave_changes_nothing_of_what_it_takes(office: Office) -> None:
    office.send("alice", "zone alice s3cret Europe/Berlin")
    assert left(office, "away alice s3cret 2027-03-22 2027-04-01") == 19
    office.now = datetime(2027, 3, 25).timestamp()
    for other in ("UTC", "Asia/Kolkata", "America/New_York", "Pacific/Kiritimati"):
        office.send("alice", f"zone alice s3cret {other}")
        assert left(office) == 19, other


def test_a_day_of_the_next_year_is_one_by_the_players_calendar(office: Office) -> None:
    """Midnight in Berlin, where the year begins, is an hour before."""
    office.send("alice", "zone alice s3cret Europe/Berlin")
    assert left(office, "away alice s3cret 2027-12-31 2028-01-03") == 29
    office.now = datetime(2027, 12, 31, 23, 30, tzinfo=ZoneInfo("UTC")).timestamp()
    assert left(office) == 27


def test_back_gives_days_that_have_not_begun(office: Office) -> None:
    office.now = datetime(2027, 3, 27, 15, 0, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
    office.send("alice", "zone alice s3cret Europe/Berlin")
    assert left(office, "away alice s3cret 14") == 16
    office.now += 2 * DAY - 3600 + 1  # one day had 23 hours, and the third has begun
    assert left(office, "back alice s3cret") == 27


def test_a_leave_of_thousands_of_years_is_refused(office: Office) -> None:
    (letter,) = office.send("alice", "away alice s3cret 2027-02-01 9998-01-01")
    assert "You can't book more than a year of leave." in letter.text


def test_nobody_is_told_of_a_leave_that_stops_no_clock(office: Office) -> None:
    """Of a puzzle, and of a game without a time limit; and a clock that does not run yet is not extended."""
    office.game("queens challenge alice")
    office.game("star challenge -time=none alice bob")
    told = office.send("alice", "away alice s3cret 3")
    assert [letter.to for letter in told] == ["alice@alice.example"]
    board = office.game()
    (letter,) = office.send("bob", f"star extend {board} bob hunter2 3")
    assert "the clocks start once you've both moved." in letter.words
