"""Reminders, last warnings and forfeits: each once, and nobody forfeits unwarned."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from harness.office import DAY, Office, at_once
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.service.upkeep.rounds import remind
from pbmstar.service.work.schedule import (
    Expiring,
    OutOfReach,
    Phase,
    Running,
    Schedule,
    UnderWay,
    schedule_of,
    stage,
    wait,
)
from pbmstar.service.work.timekeeping import Limit
from pbmstar.store.play.boards import Boards

# -- what is due, as a pure function

D = 86_400
LAST = 21 * D - 21 * D // 10
USUAL = Schedule((7 * D, 14 * D), LAST, 21 * D)


@pytest.mark.parametrize(
    ("limit", "how", "schedule"),
    [
        (Limit(21 * D), {}, USUAL),
        (Limit(21 * D), {"often": 0}, Schedule((), LAST, 21 * D)),
        (Limit(21 * D), {"early": True}, Schedule((7 * D, 14 * D), LAST - D, 21 * D)),
        (Limit(21 * D), {"first": 2.5 * D}, Schedule((5 * D // 2, 14 * D), LAST, 21 * D)),
        (Limit(21 * D), {"first": 20 * D}, Schedule((), LAST, 21 * D)),
        (Limit(10 * D), {"often": 2}, Schedule(tuple(range(10 * D // 3, 8 * D, D)), 8 * D, 10 * D)),
        (Limit(60 * D), {}, Schedule((20 * D, 40 * D), 54 * D, 60 * D)),
        (Limit(3 * D), {}, Schedule((), D, 3 * D)),  # never before a third
        (Limit(2 * D), {}, Schedule((), 2 * D // 3, 2 * D)),
        (Limit(14 * D, first=True), {}, Schedule((7 * D, 28 * D // 3), 12 * D, 14 * D)),
        (Limit(None), {}, Schedule((7 * D, 14 * D, LAST), None, None)),
        (Limit(None), {"alone": True}, Schedule((7 * D,), None, None)),
        (Limit(None), {"alone": True, "often": 0}, Schedule((), None, None)),
    ],
)
def test_when_something_is_said(limit: Limit, how: dict[str, float], schedule: Schedule) -> None:
    """At a third, at two thirds, and two days or a tenth before the end."""
    assert schedule_of(limit, **how) == schedule  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("phase", "due"),
    [
        (UnderWay(), ""),
        *((Running(used), "") for used in (0, 7 * D - 1)),
        *((Running(used), "nag 0") for used in (7 * D, 14 * D - 1)),
        (Running(14 * D), "nag 1"),
        (Running(LAST - 1, 1), ""),
        *((Running(used, 1), "warning") for used in (19 * D, 400 * D)),
        *((Expiring(used, -1, D // 2), "") for used in (19 * D, 500 * D)),
        (Expiring(21 * D, -1, 2 * D - 1), ""),
        (Expiring(21 * D - 1, -1, 3 * D), ""),
        (Expiring(21 * D, -1, 2 * D), "forfeit"),
        (OutOfReach(30 * D, -1, 14 * D - 1, 0.0, True, False), ""),
        (OutOfReach(30 * D, -1, 14 * D, 0.0, True, False), "ask"),
        (OutOfReach(30 * D, -1, 14 * D, 0.0, True, True), ""),
    ],
)
def test_what_is_due(phase: Phase, due: str) -> None:
    """After so much of the time, with the warning delivered so long ago."""
    assert stage(USUAL, phase) == due


@given(
    limit=st.integers(1, 120 * D).map(Limit) | st.just(Limit(None)) | st.just(Limit(14 * D, True)),
    first=st.none() | st.floats(60, 30 * D),
    often=st.integers(0, 2),
    runs=st.lists(st.integers(60, 12 * D), min_size=1, max_size=60),
    delays=st.lists(st.integers(0, 3), min_size=9, max_size=9),
)
def test_whenever_the_runs_come(
    limit: Limit, first: float | None, often: int, runs: list[int], delays: list[int]
) -> None:
    """D7: each stage once, in order, and when ``wait`` says so; no forfeit but two days after a warning."""
    schedule = schedule_of(limit, first, often)
    used, newest, warned, delay = 0, -1, False, list(delays)
    delivered: int | None = None
    due_at: int | None = 0

    def phase_now() -> Phase:
        if not warned:
            return Running(used, newest)
        return UnderWay() if delivered is None else Expiring(used, newest, used - delivered)

    for pause in runs:
        used += pause
        if warned and delivered is None:
            delay[0] -= 1
            delivered = used if delay[0] < 0 else None
        done = stage(schedule, phase_now())
        if done:
            assert due_at is not None and used >= due_at
        if done == "forfeit":
            assert limit.seconds is not None and used >= limit.seconds
            assert delivered is not None and used - delivered >= 2 * D
            return
        if done.startswith("nag"):
            assert int(done[4:]) > newest and not warned
            newest = int(done[4:])
        elif done == "warning":
            assert not warned and used * 3 >= (limit.seconds or 0) - 3
            warned = True
        phase = phase_now()
        if isinstance(phase, Running | Expiring):
            left = wait(schedule, phase)
            due_at = None if left is None else used + left
        else:
            due_at = used  # a letter is under way: it is looked at again soon


@given(limit=st.integers(1, 120 * D), every=st.integers(600, 20 * 3600))
def test_a_turn_that_is_never_taken_is_forfeited_in_time(limit: int, every: int) -> None:
    """With runs every few hours and letters delivered at once, the forfeit comes when it should."""
    schedule, newest = schedule_of(Limit(limit)), -1
    warned_at: int | None = None
    for used in range(every, 2 * limit + 4 * D + every, every):
        running = Running(used, newest)
        done = stage(
            schedule, running if warned_at is None else Expiring(used, newest, used - warned_at)
        )
        if done == "forfeit":
            assert warned_at is not None and used - every <= max(limit, warned_at + 2 * D)
            return
        if done == "warning":
            warned_at = used
        elif done:
            newest = int(done[4:])
    raise AssertionError("no forfeit")


# -- through the office

NONE, ONE_NAG, WARNING, LOST = [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]


@pytest.mark.parametrize(
    "schedule",
    [
        # CP30 D7: the clock goes a day wrong, and right again; a day too many takes nothing of what is left
        [(10, ONE_NAG), (-1, NONE), (1, NONE), (-1, NONE), (1, NONE)],
        [(10, ONE_NAG), (4, ONE_NAG), (-1, NONE), (1, NONE), (-1, NONE)],
        [(19, WARNING), (1.5, NONE), (0.49, NONE)],
    ],
)
def test_a_clock_that_goes_wrong_by_a_day(
    office: Office, schedule: list[tuple[float, list[int]]]
) -> None:
    office.begun()
    for days, counts in schedule:
        done, letters = office.remind(days)
        assert (done, bool(letters)) == (counts, counts != NONE)


@pytest.mark.parametrize(
    "over", ["star resign 1 bob hunter2", "star decline 1 bob hunter2", "signoff bob hunter2"]
)
def test_games_that_are_over_or_gone(office: Office, over: str) -> None:
    office.game()
    office.send("bob", over)
    assert office.remind(30) == (NONE, [])


def test_a_reset_begins_a_new_count(office: Office) -> None:
    office.game()
    office.play(1, "F6")
    assert office.remind(19)[0] == WARNING
    office.run("admin", "board", "reset", "1")
    office.letters()
    assert office.remind(3) == (NONE, [])
    assert office.remind(4)[0] == ONE_NAG


@pytest.mark.parametrize("fate", ["later", "dead"])
def test_a_warning_that_was_not_delivered_forfeits_nothing(office: Office, fate: str) -> None:
    """It waits, and counts from when it is delivered; refused for good, it is written again."""
    office.game()
    office.tray.verdict = Verdict(fate, "550 or 421")
    assert office.remind(19)[0] == WARNING
    assert office.remind(0.5)[0] == NONE, "not sooner than a day later"
    office.tray.verdict = SENT
    (done, letters) = office.remind(3.5)
    assert (done, len(letters)) == (NONE if fate == "later" else WARNING, 1)
    assert office.remind(1.9)[0] == NONE
    assert office.remind(0.1)[0] == LOST
    assert office.remind(20)[0] == NONE


def test_a_move_between_two_looks_at_a_board(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a board is due is decided by what stands in it when it is worked on."""
    office.game()
    office.remind()
    office.now += 8 * DAY
    office.play(1, "F6")
    office.ask("boards.set_due", 1, office.now + DAY)
    monkeypatch.setattr(Boards, "due", lambda *_: [1])
    assert office.remind() == (NONE, [])


def test_two_runs_at_once(office: Office) -> None:
    """D8: two cron jobs that overlap send one reminder for each board."""
    for _ in range(5):
        office.game()
    office.now += 8 * DAY
    run = partial(remind, office.context, office.store)
    assert sum(done["nag"] for done in at_once(run, run)) == 5
    assert sorted(letter.mail["X-Pbmstar-Board"] for letter in office.letters()) == list("12345")


@pytest.mark.parametrize("wrong", [0, 400 * DAY])
def test_more_boards_than_go_together(
    office: Office, monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    """Boards whose turns began at the same time are all seen, batch after batch; by a wrong clock too."""
    monkeypatch.setattr("pbmstar.service.upkeep.rounds.BATCH", 2)
    for _ in range(5):
        office.game()
    office.sql(f"UPDATE boards SET due = due + {wrong}")
    assert office.remind()[0] == NONE
    assert office.remind(7)[0] == [5, 0, 0]
    assert office.remind()[0] == NONE


def test_other_days_than_at_the_last_run(
    office_of: Callable[..., Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the operator sets counts at once, for every board; also if the first run is broken off midway."""
    monkeypatch.setattr("pbmstar.store.play.boards.LOOKED_AT", 2)
    office = office_of()
    for _ in range(5):
        office.game()
    assert office.remind(3)[0] == NONE
    look_again = Boards.look_again

    def broken(boards: Boards, after: int) -> int:
        return look_again(boards, after) if after < 4 else 1 // 0

    with monkeypatch.context() as patch:
        patch.setattr(Boards, "look_again", broken)
        with pytest.raises(ZeroDivisionError):
            office.run("remind", nag_days="2")
    done = office.run("remind", nag_days="2")
    assert done.output.startswith("Done: 5 reminders, 0 last warnings")
    assert office.run("remind", nag_days="2", start_days="4").output.startswith(
        "Done: 0 reminders, 5 "
    )


def test_a_corrupt_board_keeps_no_other_from_its_reminder(office: Office) -> None:
    for _ in range(2):
        office.game()
    office.play(1, "F6")
    office.sql("UPDATE moves SET move = 'Q99'")
    assert office.remind(8)[0] == ONE_NAG
    assert len(office.check()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nag_days", "forfeit_days"),
    [
        ("0.5", "2.5"),
        *(
            pytest.param(*days, marks=pytest.mark.slow)
            for days in (("0.5", "3"), ("0.001", "0.002"))
        ),
    ],
)
def test_other_days(office_of: Callable[..., Office], nag_days: str, forfeit_days: str) -> None:
    """Fractions of days: the reminder comes as set, the forfeit never sooner than 48 hours after."""
    office = office_of(nag_days=nag_days, forfeit_days=forfeit_days)
    office.begun()
    at: dict[int, float] = {}
    for hour in range(24 * 6):
        done = list(remind(office.context, office.store).values())
        office.letters()
        for kind in (kind for kind, count in enumerate(done) if count):
            at.setdefault(kind, hour / 24)
        if 2 in at:
            break
        office.now += 3600
    assert float(nag_days) <= min(at.values()) < float(nag_days) + 1 / 24 + 1e-9
    # With less than 48 hours in all the letter that tells of the turn is the warning.
    assert (1 in at) == (float(forfeit_days) >= 2)
    assert at[2] >= max(at.get(1, 0) + 2, float(forfeit_days))
