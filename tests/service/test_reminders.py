"""Reminders, last warnings and forfeits: each once, and nobody forfeits unwarned."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from harness.office import DAY, Office, address
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.service.turns import Turn, next_stage, remind, stage
from pbmstar.store import Tx

# -- what is due, as a pure function

NAG, FORFEIT = 7.0, 21.0
WARNED = frozenset({"nag 11", "warning"})


@pytest.mark.parametrize(
    ("waited", "sent", "warned", "due"),
    [
        *((waited, frozenset(), None, "") for waited in (-3.0, 0.0, 6.999)),
        *((waited, frozenset(), None, "nag 0") for waited in (7.0, 7.999)),
        (8.0, frozenset(), None, "nag 1"),
        (18.5, frozenset(), None, "nag 11"),
        *((waited, frozenset(), None, "warning") for waited in (19.0, 20.9, 400.0)),
        *((waited, WARNED, 0.5, "") for waited in (19.0, 19.5, 20.0, 20.9)),
        *((21.0, WARNED, warned, "") for warned in (None, 1.999)),
        *((500.0, WARNED, warned, "") for warned in (None, 0.0, -1.0)),
        (20.999, WARNED, 3.0, ""),
        (21.0, WARNED, 2.0, "forfeit"),
        (500.0, WARNED, 2.5, "forfeit"),
    ],
)
def test_what_is_due(waited: float, sent: frozenset[str], warned: float | None, due: str) -> None:
    """After so many days, with these stages sent and the warning delivered so many days ago."""
    assert stage(Turn(waited, NAG, FORFEIT, sent, warned)) == due


def test_a_board_is_looked_at_when_something_is_due_and_not_before() -> None:
    """Nothing is due before the next stage, and something is at it, unless a letter is under way."""
    for sent, warned in [(frozenset[str](), None), (frozenset({"nag 3"}), None), (WARNED, 0.5)]:
        at = next_stage(Turn(12.0, NAG, FORFEIT, sent, warned))
        assert at is not None
        later = None if warned is None else warned + at - 12.0
        assert stage(Turn(at, NAG, FORFEIT, sent, later))
        assert not stage(Turn(at - 0.01, NAG, FORFEIT, sent, later and later - 0.01))
    assert next_stage(Turn(25.0, NAG, FORFEIT, WARNED, None)) is None


hours = st.floats(0.05, 24 * 12, allow_nan=False)


@given(
    nag_days=st.floats(0.001, 30),
    forfeit_days=st.floats(0.001, 60),
    runs=st.lists(st.tuples(hours, st.integers(0, 3)), min_size=1, max_size=60),
    jumps=st.dictionaries(st.integers(0, 59), st.sampled_from([-1.0, 1.0, -0.04, 0.04, 20.0])),
)
def test_whatever_the_runs_and_the_clock_do(
    nag_days: float, forfeit_days: float, runs: list[tuple[float, int]], jumps: dict[int, float]
) -> None:
    """D7: no stage comes twice, and no forfeit but two days after a warning was delivered.

    Runs come at any times, the clock jumps by a day now and then, and a letter is delivered some
    runs after it was written, or never.
    """
    clock, stages, delivered = 0.0, set[str](), None
    waiting: int | None = None  # runs until the warning is delivered
    newest = -1
    for number, (pause, delay) in enumerate(runs):
        clock += pause / 24 + jumps.get(number, 0.0)
        if waiting is not None and waiting <= 0 and delivered is None:
            delivered = clock
        waiting = None if waiting is None else waiting - 1
        warned = None if delivered is None else clock - delivered
        due = stage(Turn(clock, nag_days, forfeit_days, frozenset(stages), warned))
        if due == "forfeit":
            assert delivered is not None
            assert clock - delivered >= 2
            assert clock >= forfeit_days
            return
        if due:
            assert due not in stages
            assert clock >= nag_days
            assert "warning" not in stages
            stages.add(due)
        if due == "warning":
            waiting = delay if delay < 3 else None
        elif due:
            assert int(due[4:]) > newest
            assert clock < forfeit_days - 2
            newest = int(due[4:])


@given(nag_days=st.floats(0.1, 10), more=st.floats(0.1, 20), every=st.floats(0.02, 0.9))
def test_a_turn_that_is_never_taken_is_forfeited_in_time(
    nag_days: float, more: float, every: float
) -> None:
    """With runs every few hours and letters delivered at once, the forfeit comes when it should."""
    forfeit_days = nag_days + more
    clock, stages, delivered = 0.0, set[str](), None
    while clock < forfeit_days + 4:
        clock += every
        warned = None if delivered is None else clock - delivered
        due = stage(Turn(clock, nag_days, forfeit_days, frozenset(stages), warned))
        if due == "forfeit":
            assert delivered is not None
            assert clock - every <= max(forfeit_days, delivered + 2) + 1e-6
            assert delivered <= max(nag_days, forfeit_days - 2) + every + 1e-6
            return
        if due == "warning":
            delivered = clock
        stages.add(due)
    raise AssertionError("no forfeit")


# -- through the office

NONE, ONE_NAG, WARNING, LOST = [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]


@pytest.mark.parametrize(
    "course",
    [
        # days until a run, and what it does; D8: a second run, at once or an hour later, does nothing
        [
            (7, ONE_NAG),
            (0, NONE),
            (0.04, NONE),
            (1, ONE_NAG),
            (0, NONE),
            (11, WARNING),
            (0, NONE),
            (2, LOST),
        ],
        [(100, WARNING), (1.99, NONE), (0.02, LOST), (30, NONE)],
        # CP30 D7: the clock goes a day wrong, and right again; a day too many takes nothing of what is left
        [(10, ONE_NAG), (-1, NONE), (1, NONE), (-1, NONE), (1, NONE)],
        [(10, ONE_NAG), (1, ONE_NAG), (-1, NONE), (1, NONE), (-1, NONE)],
        [(19, WARNING), (1.5, NONE), (0.49, NONE)],
    ],
)
def test_courses(office: Office, course: list[tuple[float, list[int]]]) -> None:
    office.game()
    for days, counts in course:
        done, letters = office.remind(days)
        assert (done, bool(letters)) == (counts, counts != NONE)


@pytest.mark.parametrize(
    "over", ["star resign 1 bob hunter2", "star decline 1 bob hunter2", "signoff bob hunter2"]
)
def test_games_that_are_over_or_gone(office: Office, over: str) -> None:
    office.game()
    office.send("bob", over)
    assert office.remind(30) == (NONE, [])


def test_a_new_turn_and_a_reset_begin_a_new_count(office: Office) -> None:
    office.game()
    assert office.remind(19)[0] == WARNING
    office.play(1, "F6")
    assert office.remind(3) == (NONE, [])  # alice was warned, but it is bob's turn now
    done, (nag,) = office.remind(4)
    assert (done, nag.to) == (ONE_NAG, address("bob"))
    assert office.remind(12)[0] == WARNING
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
    from pbmstar.store import Tx

    office.game()
    office.remind()
    office.now += 8 * DAY
    office.play(1, "F6")
    office.ask("set_due", 1, office.now + DAY)
    monkeypatch.setattr(Tx, "boards_due", lambda *_: [1])
    assert office.remind() == (NONE, [])


def test_two_runs_at_once(office: Office) -> None:
    """D8: two cron jobs that overlap send one reminder for each board."""
    for _ in range(5):
        office.game()
    office.now += 8 * DAY
    together = threading.Barrier(2)
    done = []

    def run() -> None:
        together.wait()
        done.append(remind(office.context, office.store)["nag"])

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(done) == 5
    assert sorted(letter.mail["X-Pbmstar-Board"] for letter in office.letters()) == list("12345")


def test_more_boards_than_go_together(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards whose turns began at the same time are all seen, batch after batch."""
    monkeypatch.setattr("pbmstar.service.turns.BATCH", 2)
    for _ in range(5):
        office.game()
    assert office.remind(7)[0] == [5, 0, 0]
    assert office.remind()[0] == [0, 0, 0]


def test_other_days_than_at_the_last_run(
    office_of: Callable[..., Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    """B4: what the operator sets counts at once, for every board; also if the first run by the new
    days is broken off when it has looked at some."""
    monkeypatch.setattr("pbmstar.store.boards.LOOKED_AT", 2)
    office = office_of()
    for _ in range(5):
        office.game()
    assert office.remind(3)[0] == NONE
    look_again = Tx.look_again

    def broken(tx: Tx, after: int) -> int:
        return look_again(tx, after) if after < 4 else 1 // 0

    with monkeypatch.context() as patch:
        patch.setattr(Tx, "look_again", broken)
        with pytest.raises(ZeroDivisionError):
            office.run("remind", nag_days="2")
    done = office.run("remind", nag_days="2")
    assert done.output.startswith("5 reminders, 0 last warnings")
    assert office.run("remind", nag_days="2", forfeit_days="4").output.startswith("0 reminders, 5 ")


def test_a_corrupt_board_keeps_no_other_from_its_reminder(office: Office) -> None:
    for _ in range(2):
        office.game()
    office.play(1, "F6")
    with office.store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE moves SET move = 'Q99'")
    assert office.remind(8)[0] == ONE_NAG
    assert len(office.check()) == 1


@pytest.mark.parametrize(
    ("nag_days", "forfeit_days"), [("0.5", "3"), ("0.001", "0.002"), ("1", "2.5")]
)
def test_other_days(office_of: Callable[..., Office], nag_days: str, forfeit_days: str) -> None:
    """Fractions of days: the reminder comes as set, the forfeit never sooner than 48 hours after."""
    office = office_of(nag_days=nag_days, forfeit_days=forfeit_days)
    office.game()
    at: dict[int, float] = {}
    for hour in range(24 * 6):
        done = list(remind(office.context, office.store).values())
        office.letters()
        for kind in (kind for kind, count in enumerate(done) if count):
            at.setdefault(kind, hour / 24)
        office.now += 3600
    assert float(nag_days) <= min(at.values()) < float(nag_days) + 1 / 24 + 1e-9
    assert at[2] >= max(at[1] + 2, float(forfeit_days))
