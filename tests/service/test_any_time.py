"""A board's time under whatever may happen to it: moves, leave, outages, a relay that fails, undo."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office, address
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.service.admin import check
from pbmstar.service.admin.lookup import all_boards
from pbmstar.service.reminders import heartbeat, leave
from pbmstar.service.upkeep import rounds
from pbmstar.store import Store, Tx
from pbmstar.store.play.clocks import AUTO, LEAVE

HOUR = 3600.0
TERMS = ("", "-time=3d", "-time=2d+1h", "-time=10d+36h/20d", "-time=none", "-time=3d -weekends")
KINDS = ("move",) * 4 + ("hours",) * 4 + ("days",) * 2 + (
    "away", "back", "extend", "undo", "accept", "off", "stuck", "bounces", "draw", "leave",
)  # fmt: skip
STEPS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from(["alice", "bob"]), st.integers(1, 24)),
    max_size=30,
)


class Walk:
    """What happens to one board, and what must be true after each step of it."""

    def __init__(self, office: Office, challenge: str) -> None:
        self.office = office
        self.board = office.game(challenge)
        self.cells = iter([f"{c}{n}" for n in range(2, 9) for c in "CDEFGH"])
        self.ends: dict[tuple[str, int, int], float] = {}  # of a turn, as its player was last told
        self.hampered = False
        self.warned: Counter[tuple[str, int, int]] = Counter()

    def step(self, kind: str, who: str, n: int) -> None:
        office, board = self.office, self.board
        row = office.row(board)
        if row is None or not row.to_move:
            return
        if kind == "move":
            self.learn(office.play_as(row.to_move, board, next(self.cells)))
        elif kind in ("hours", "days"):
            office.now += n * (HOUR if kind == "hours" else DAY / 2)
            self.remind()
        elif kind == "off":  # the daemon stops, cron does not run, and the daemon comes back
            office.at_work(lambda work: heartbeat.beat(work.tx, office.now))
            office.now += n * DAY / 2
            office.at_work(lambda work: heartbeat.beat(work.tx, office.now))
        elif kind == "stuck":
            self.hampered = True
            office.tray.verdict = Verdict("later", "450") if office.tray.verdict is SENT else SENT
        elif kind == "bounces":
            self.hampered = True
            gone = office.tray.refused
            (gone.discard if address(who) in gone else gone.add)(address(who))
        else:
            command = {
                "away": f"away {who} {PASSWORD[who]} {n}",
                "back": f"back {who} {PASSWORD[who]}",
                "leave": f"leave {who} {PASSWORD[who]} {'off' if n % 2 else 'auto'}",
                "extend": f"star extend {board} {who} {PASSWORD[who]} {min(n, 14)}",
            }.get(kind, f"star {kind} {board} {who} {PASSWORD[who]}")
            self.learn(office.send(who, command))

    def learn(self, letters: list[Got]) -> None:
        """Keep what the letters say of the end of the turn to whose turn it is."""
        row = self.office.row(self.board)
        for letter in letters:
            deadline = letter.mail["X-Pbmstar-Deadline"]
            if row and deadline and letter.to == address(row.to_move):
                turn = row.to_move, row.resets, row.length
                self.ends[turn] = datetime.fromisoformat(str(deadline)).timestamp()
                self.warned[turn] += "last warning" in letter.words

    def remind(self) -> None:
        """A run; then twice again, when every board is looked at anew: nothing comes of these."""
        office, before = self.office, self.office.row(self.board)
        # First those are tried, or given up, that the relay has put off.
        self.learn(office.letters())
        forfeits = self.run()["forfeit"]
        row = office.row(self.board)
        if forfeits and row is None:  # it had not begun
            assert before is not None and before.length < 2
        elif forfeits:
            assert before is not None and row is not None and row.result
            self.is_right(before.to_move, (before.to_move, before.resets, before.length))
        if row is None or not row.to_move:
            return
        assert row.due is None or row.due > office.now
        if self.hampered:  # a letter that does not get through is written again
            return
        dues = [row.due]
        for _ in range(2):
            office.at_work(lambda work: work.tx.boards.set_due(self.board, row.since))
            assert not any(self.run().values())
            again = office.row(self.board)
            assert again is not None
            dues.append(again.due)
        # It may be looked at too early, after an outage or while a letter was under way, never too late.
        first, second, third = (math.inf if due is None else due for due in dues)
        assert first <= second == third

    def run(self) -> dict[str, int]:
        """A run of the reminders while the daemon is there, and the letters that come of it."""
        self.office.ask("ledger.set_fact", "alive", str(self.office.now))
        done = rounds.remind(self.office.context, self.office.store)
        self.learn(self.office.letters())
        return done

    def is_right(self, late: str, turn: tuple[str, int, int]) -> None:
        """Assert that both have moved, a warning's end has come, and no leave is left or wanted."""
        office = self.office
        moved = {entry.userid for entry in office.ask("boards.record", self.board)}
        assert moved == {"alice", "bob"}
        assert self.warned[turn] and self.ends[turn] <= office.now
        user, match = office.ask("accounts.user", late), office.row(self.board)
        assert match is not None
        if user.auto_leave and '"leave":false' not in match.terms:
            taken = [each for each in office.ask("clocks.absences", late) if each.kind == AUTO]
            year = datetime.fromtimestamp(office.now, UTC).year
            left = office.at_work(leave.left_of, year, office.ask("clocks.absences", late))
            assert left < 1 or len(taken) >= leave.AUTO_IN_A_ROW, (left, taken)

    def holds(self) -> None:
        """What is kept follows from the record; leaves do not overlap, and are within their days."""
        with self.office.store.transaction() as tx:
            assert [each for row in all_boards(tx) for each in check.differences(tx, row)] == []
        for who in ("alice", "bob"):
            absences = self.office.ask("clocks.absences", who)
            spans = sorted((e.begin, e.until) for e in absences if e.kind in (LEAVE, AUTO))
            assert all(one[1] <= two[0] for one, two in itertools.pairwise(spans))
            assert self.office.at_work(leave.left_of, 2027, absences) >= 0


@pytest.mark.slow
@settings(max_examples=12)
@given(terms=st.sampled_from(TERMS), leave=st.sampled_from(["", "-leave=no"]), steps=STEPS)
def test_whatever_happens_to_a_boards_time(
    another: Callable[..., Office], terms: str, leave: str, steps: list[tuple[str, str, int]]
) -> None:
    """Nothing comes twice, nobody loses before the end that a warning named, and the store agrees."""
    with closing(another(limits="off")) as office:
        walk = Walk(office, f"star challenge {terms} {leave} alice bob".replace("  ", " "))
        for step in steps:
            walk.step(*step)
        walk.holds()


@pytest.mark.few(3)
@pytest.mark.parametrize("first", ["the daemon", "a run of the reminders"])
@pytest.mark.parametrize(
    ("terms", "used"),
    [("", 2.0), ("-time=3d", 2.0), ("-time=10d+36h", 2.0), ("-time=21d -leave=no", 11 * 24.0)],
)
def test_a_server_that_was_off_for_ten_days_costs_nobody_a_minute(
    office: Office, terms: str, first: str, used: float
) -> None:
    """Whatever is the first to see the old sign of life: no leave is taken, and all have what they had."""
    boards = [office.begun(f"star challenge {terms} alice bob".replace("  ", " ")), office.game()]
    office.now += used * HOUR
    office.at_work(lambda work: heartbeat.beat(work.tx, office.now))

    def shown() -> list[tuple[str, float]]:
        """What the letters say is left of each turn, and when it ends."""
        letters = [office.send("bob", f"star show {board}")[0].mail for board in boards]
        ends = [datetime.fromisoformat(each["X-Pbmstar-Deadline"]).timestamp() for each in letters]
        return list(zip([each["X-Pbmstar-Clock"] for each in letters], ends, strict=True))

    had = shown()
    office.now += 10 * DAY
    office.is_serving = False  # so that the run finds the old sign of life
    if first == "the daemon":
        office.at_work(lambda work: heartbeat.beat(work.tx, office.now))
    assert office.remind()[0][2] == 0
    assert shown() == [(left, end + 10 * DAY) for left, end in had]
    assert [office.ask("clocks.absences", who) for who in ("alice", "bob")] == [[], []]
    assert office.check() == []


@pytest.mark.parametrize(
    ("what", "used"),
    [("nothing", 3.0), ("bob is away", 3.0), ("alice is away", 1.0), ("the letter waits", 1.0)],
)
def test_what_counts_of_three_days(office: Office, what: str, used: float) -> None:
    """The leave of the player to move stops the clock; a turn that nobody has been told of uses nothing."""
    board = office.game("star challenge -time=10d+1d alice bob")
    office.play(board, "F6")
    office.tray.verdict = Verdict("later", "450") if what == "the letter waits" else SENT
    office.play(board, "G7")
    if what.endswith("away"):
        who = what.split(maxsplit=1)[0]
        office.send(who, f"away {who} {PASSWORD[who]} 2")
    office.now += 2 * DAY
    office.tray.verdict = SENT
    office.letters()
    office.now += DAY
    office.play(board, "H8")
    row = office.row(board)
    assert row is not None and row.banks == ((10 - max(0, used - 1)) * DAY, 10 * DAY)


def test_a_run_holds_the_writer_for_a_moment_only(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many boards are due: a transaction takes no other one once its time is over."""
    for _ in range(4):
        office.game()
    office.now += 8 * DAY
    office.ask("ledger.set_fact", "alive", str(office.now))
    groups: list[list[bool]] = []
    usual, ticks = rounds.in_steps, itertools.count()

    def in_steps(store: Store, step: Callable[[Tx], bool]) -> None:
        of_one: list[bool] = []
        groups.append(of_one)
        usual(store, lambda tx: of_one.append(step(tx)) or of_one[-1])  # type: ignore[func-returns-value]

    monkeypatch.setattr(rounds, "in_steps", in_steps)
    slow = replace(office.context, clock=lambda: office.now + next(ticks) * 2 * rounds.MOMENT)
    assert rounds.remind(slow, office.store)["nag"] == 4
    assert groups[0] == [True] * 4 + [False]
