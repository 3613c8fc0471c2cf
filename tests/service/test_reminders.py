"""Reminders, last warnings and forfeits: each once, and nobody forfeits unwarned."""

from __future__ import annotations

import threading

import pytest
from harness.office import DAY, Got, Office, address
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.service import admin
from pbmstar.service.remind import due, remind

# -- what is due, as a pure function

NAG, FORFEIT = 7.0, 21.0


def nothing_sent(waited: float) -> str:
    return due(waited, NAG, FORFEIT, frozenset(), None).stage


@pytest.mark.parametrize(
    ("waited", "stage"),
    [
        (-3.0, ""),
        (0.0, ""),
        (6.999, ""),
        (7.0, "nag 0"),
        (7.999, "nag 0"),
        (8.0, "nag 1"),
        (18.5, "nag 11"),
        (19.0, "warning"),
        (20.9, "warning"),
        (400.0, "warning"),
    ],
)
def test_the_first_run_after_some_time(waited: float, stage: str) -> None:
    assert nothing_sent(waited) == stage


@pytest.mark.parametrize(
    ("waited", "warned", "stage"),
    [
        (21.0, None, ""),
        (21.0, 1.999, ""),
        (21.0, 2.0, "forfeit"),
        (20.999, 3.0, ""),
        (500.0, None, ""),
        (500.0, 0.0, ""),
        (500.0, -1.0, ""),
        (500.0, 2.5, "forfeit"),
    ],
)
def test_a_forfeit_needs_a_warning_that_came_two_days_before(
    waited: float, warned: float | None, stage: str
) -> None:
    assert due(waited, NAG, FORFEIT, frozenset({"warning"}), warned).stage == stage


def test_no_reminder_follows_the_last_warning() -> None:
    for waited in (19.0, 19.5, 20.0, 20.9):
        assert due(waited, NAG, FORFEIT, frozenset({"nag 11", "warning"}), 0.5).stage == ""


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
        stage = due(clock, nag_days, forfeit_days, frozenset(stages), warned).stage
        if stage == "forfeit":
            assert delivered is not None
            assert clock - delivered >= 2
            assert clock >= forfeit_days
            return
        if stage:
            assert stage not in stages
            assert clock >= nag_days
            assert "warning" not in stages
            stages.add(stage)
        if stage == "warning":
            waiting = delay if delay < 3 else None
        elif stage:
            assert int(stage[4:]) > newest
            assert clock < forfeit_days - 2
            newest = int(stage[4:])


@given(
    nag_days=st.floats(0.1, 10),
    more=st.floats(0.1, 20),
    every=st.floats(0.02, 0.9),
)
def test_a_turn_that_is_never_taken_is_forfeited_in_time(
    nag_days: float, more: float, every: float
) -> None:
    """With runs every few hours and letters delivered at once, the forfeit comes when it should."""
    forfeit_days = nag_days + more
    clock, stages, delivered = 0.0, set[str](), None
    while clock < forfeit_days + 4:
        clock += every
        warned = None if delivered is None else clock - delivered
        stage = due(clock, nag_days, forfeit_days, frozenset(stages), warned).stage
        if stage == "forfeit":
            assert delivered is not None
            assert clock - every <= max(forfeit_days, delivered + 2) + 1e-6
            assert delivered <= max(nag_days, forfeit_days - 2) + every + 1e-6
            return
        if stage == "warning":
            delivered = clock
        stages.add(stage)
    raise AssertionError("no forfeit")


# -- through the office


def days(office: Office, many: float) -> tuple[dict[str, int], list[Got]]:
    """So many days later, a run."""
    office.now += many * DAY
    return office.remind()


NONE = {"nag": 0, "warning": 0, "forfeit": 0}


def test_a_turn_from_the_first_reminder_to_the_forfeit(office: Office) -> None:
    office.game()
    office.play(1, "F6")
    assert days(office, 6.99) == (NONE, [])
    done, (nag,) = days(office, 0.01)
    assert done == {**NONE, "nag": 1}
    assert nag.to == address("bob")
    assert nag.subject == "Nag: Star Board 1 bob"
    said = " ".join(nag.text.split())
    assert "Your move has been awaited for 7 days." in said
    assert "the game is forfeited in 14 days, after a last warning." in said
    assert "  star move 1 bob password " in nag.text
    assert nag.mail["Auto-Submitted"] == "auto-generated"
    assert nag.mail["In-Reply-To"] == nag.mail["References"]
    assert nag.mail["List-Unsubscribe"].startswith("<mailto:star+ubob-")
    for _ in range(11):
        done, letters = days(office, 1)
        assert (done, len(letters)) == ({**NONE, "nag": 1}, 1)
    done, (warning,) = days(office, 1)
    assert done == {**NONE, "warning": 1}
    assert warning.subject == "Nag: Star Board 1 bob"
    assert "This is the last warning" in warning.text
    assert "forfeited in 2 days." in " ".join(warning.text.split())
    assert days(office, 1) == (NONE, [])
    assert days(office, 0.99) == (NONE, [])
    done, letters = days(office, 0.01)
    assert done == {**NONE, "forfeit": 1}
    assert sorted(letter.to for letter in letters) == [address("alice"), address("bob")]
    for letter in letters:
        assert letter.subject == "Star Board 1"
        assert "bob has not moved for 21 days and forfeits the game." in letter.text
        assert "\nGame won by alice.\n" in letter.text
        assert letter.mail["X-Pbmstar-Result"] == "alice"
    assert office.record(1) == ["F6", "forfeit"]
    assert days(office, 30) == (NONE, [])
    assert office.check() == []


def test_a_reply_to_a_reminder_is_a_move(office: Office) -> None:
    office.game()
    _, (nag,) = days(office, 8)
    office.send("alice", "Re: Nag", "F6", nag.reply_to)
    assert office.record(1) == ["F6"]
    assert days(office, 5) == (NONE, [])


def test_a_move_begins_a_new_count(office: Office) -> None:
    office.game()
    days(office, 19)
    office.play(1, "F6")
    assert days(office, 3) == (NONE, [])  # alice was warned, but it is bob's turn now
    done, (nag,) = days(office, 4)
    assert (done["nag"], nag.to) == (1, address("bob"))


def test_run_twice(office: Office) -> None:
    """D8: a second run at the same time, or an hour later, mails nobody."""
    office.game()
    for pause in (7, 1, 11, 2):
        done, letters = days(office, pause)
        assert sum(done.values()) == 1
        assert letters
        assert office.remind() == (NONE, [])
        office.now += 3600
        assert office.remind() == (NONE, [])


def test_a_move_while_the_run_is_at_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read a moment ago is read again, locked, before anybody is mailed."""
    from pbmstar.store import Tx

    office.game()
    office.now += 8 * DAY
    pages = [office.ask("boards_due", office.now - 7 * DAY, (0.0, 0)), []]
    assert len(pages[0]) == 1
    office.play(1, "F6")
    monkeypatch.setattr(Tx, "boards_due", lambda *_: pages.pop(0))
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
        done.append(remind(office.context, office.store))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done[0]["nag"] + done[1]["nag"] == 5
    boards = [letter.mail["X-Pbmstar-Board"] for letter in office.letters()]
    assert sorted(boards) == ["1", "2", "3", "4", "5"]


def test_not_run_for_a_long_time(office: Office) -> None:
    """Cron was off for months: one warning, and two days more."""
    office.game()
    done, (warning,) = days(office, 100)
    assert done == {**NONE, "warning": 1}
    assert "This is the last warning" in warning.text
    assert days(office, 1.99) == (NONE, [])
    assert days(office, 0.02)[0] == {**NONE, "forfeit": 1}


def test_not_run_for_a_week(office: Office) -> None:
    """The newest reminder only, not one for each day that was missed."""
    office.game()
    assert days(office, 8)[0]["nag"] == 1
    done, letters = days(office, 7)
    assert (done["nag"], len(letters)) == (1, 1)


def test_a_warning_that_was_not_delivered_forfeits_nothing(office: Office) -> None:
    office.game()
    office.now += 19 * DAY
    assert remind(office.context, office.store)["warning"] == 1  # the letter waits in the outbox
    office.now += 9 * DAY
    assert remind(office.context, office.store) == NONE
    office.letters()  # the relay is up again
    office.now += 1.9 * DAY
    assert remind(office.context, office.store) == NONE
    office.now += 0.1 * DAY
    assert remind(office.context, office.store)["forfeit"] == 1


def test_a_warning_that_was_refused_for_good_forfeits_nothing(office: Office) -> None:
    office.game()
    office.now += 19 * DAY
    remind(office.context, office.store)
    with office.store.transaction() as tx:
        for letter in tx.claim("test", office.now, office.now + 300, 100):
            tx.dead(letter.id, "550 no such user", 1)
    for _ in range(20):
        assert days(office, 5) == (NONE, [])


@pytest.mark.parametrize("jump", [-1.0, 1.0])
def test_the_clock_jumps_by_a_day(office: Office, jump: float) -> None:
    """D7: a clock that goes a day wrong, and right again, mails nobody twice and forfeits nothing."""
    office.game()
    letters = days(office, 10)[1]
    for _ in range(3):
        letters += days(office, jump)[1]
        letters += days(office, -jump)[1]
    assert len(letters) == (2 if jump > 0 else 1)
    assert all("last warning" in letter.text for letter in letters)
    row = office.row(1)
    assert row is not None
    assert row.to_move == "alice"


def test_a_jump_forward_after_the_warning(office: Office) -> None:
    """D7: a day too many does not take the two days that are left."""
    office.game()
    assert days(office, 19)[0]["warning"] == 1
    assert days(office, 1.5) == (NONE, [])
    assert days(office, 0.49) == (NONE, [])


def test_after_a_restart(office: Office) -> None:
    """What was sent is in the store, so that a new process goes on where the last one stopped."""
    from pbmstar.service import Context

    office.game()
    assert days(office, 8)[0]["nag"] == 1
    office.context = Context(
        office.config,
        office.context.renderer,
        office.context.clock,
        office.context.random,
        office.context.passwords,
    )
    assert office.remind() == (NONE, [])
    assert days(office, 11)[0]["warning"] == 1


def test_many_boards_of_one_moment(office: Office) -> None:
    """Boards whose turns began at the same time are all seen, page after page."""
    for _ in range(3):
        office.game()
    assert days(office, 7)[0]["nag"] == 3
    numbers = [row.board for row in office.ask("boards_due", office.now, (0.0, 0))]
    assert numbers == [1, 2, 3]
    since = office.now - 7 * DAY
    assert [row.board for row in office.ask("boards_due", office.now, (since, 2))] == [3]


def test_a_reset_begins_a_new_count(office: Office) -> None:
    office.game()
    office.play(1, "F6")
    assert days(office, 19)[0]["warning"] == 1
    office.at_desk(admin.reset_board, 1, 1)
    office.letters()
    assert days(office, 3) == (NONE, [])
    assert days(office, 4)[0]["nag"] == 1


def test_games_that_are_over_or_gone(office: Office) -> None:
    office.game()
    office.game()
    office.play(1, "resign")
    office.send("alice", "star decline 2 alice s3cret")
    assert days(office, 30) == (NONE, [])


def test_a_player_who_has_left(office: Office) -> None:
    office.game()
    office.send("alice", "signoff alice s3cret")
    assert days(office, 30) == (NONE, [])


def test_a_corrupt_board_keeps_no_other_from_its_reminder(office: Office) -> None:
    import sqlalchemy as sa

    from pbmstar.store.tables import moves

    for _ in range(2):
        office.game()
        office.play(1, *(["F6"] if not office.record(1) else []))
    with office.store.engine.begin() as connection:
        connection.execute(sa.update(moves).values(move="Q99"))
    office.context.matches._kept.clear()
    assert days(office, 8)[0]["nag"] == 1
    assert office.check() == [
        "board 1: the record does not replay: The record of board 1 is corrupt."
    ]


@pytest.mark.parametrize(
    ("nag_days", "forfeit_days"), [("0.5", "3"), ("0.001", "0.002"), ("1", "2.5")]
)
def test_other_days(
    office: Office, database: str, tmp_path: object, nag_days: str, forfeit_days: str
) -> None:
    """Fractions of days: the reminder comes as set, the forfeit never sooner than 48 hours after."""
    from dataclasses import replace

    object.__setattr__(
        office.context,
        "config",
        replace(office.config, nag_days=float(nag_days), forfeit_days=float(forfeit_days)),
    )
    office.game()
    at = {}
    for hour in range(24 * 6):
        done, _ = office.remind()
        for stage, many in done.items():
            if many:
                at.setdefault(stage, hour / 24)
        office.now += 3600
    first = float(nag_days)
    assert first <= min(at.values()) < first + 1 / 24 + 1e-9
    assert at["forfeit"] >= at["warning"] + 2
    assert at["forfeit"] >= float(forfeit_days)
