"""The thinker: each turn of a bot answered once, whatever happens to the process that thinks."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness import quickbot
from harness.letters import Got
from harness.office import DAY, Office

from pbmstar.delivery.once import at_once
from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.match import Match
from pbmstar.service import bots
from pbmstar.thinking.thinker import Thinker

STAR = "star challenge -size=3 alice bot3"


@pytest.fixture
def thinker(office: Office, tmp_path: Path) -> Thinker:
    """One whose processes play at once, or fail as ``tmp_path/ills`` says."""
    command = (sys.executable, quickbot.__file__, str(tmp_path))
    return Thinker(office.context, at_once(office.store), lambda: None, command, patience=60.0)


def match_of(office: Office, board: int) -> Match:
    """A board's match, as it is stored."""
    row = office.row(board)
    assert row is not None
    return row.match(office.ask("record", board))


def asked(folder: Path) -> list[dict[str, Any]]:
    """What the processes were asked."""
    return [json.loads(line) for line in (folder / "asked").read_text().splitlines()]


def test_several_turns_are_answered_by_one_process_and_told(
    office: Office, thinker: Thinker
) -> None:
    boards = [office.game(STAR), office.game(STAR)]
    for board in boards:
        office.play(board, "B2")
    assert office.letters() == []
    assert thinker.run_once() == 2
    assert [got.subject for got in office.letters()] == [f"Star Board {b} alice" for b in boards]
    assert [len(office.record(board)) for board in boards] == [2, 2]
    assert thinker.run_once() == 0
    assert office.check() == []


def test_a_turn_that_comes_while_it_ends_is_answered(office: Office, thinker: Thinker) -> None:
    """Whoever brought it has found the lock held, and is gone."""
    late, answer_one = [office.game(STAR), office.game(STAR)], thinker._answer_one
    office.play(late.pop(), "B2")

    def and_another(mind: Any) -> bool:
        if not (done := answer_one(mind)) and late:
            office.play(late.pop(), "B2")
            assert thinker.run_once() == 0
        return done

    thinker._answer_one = and_another
    assert thinker.run_once() == 2


def test_a_process_that_fails_is_asked_again_then_a_weaker_one_then_a_rule(
    office: Office, thinker: Thinker, tmp_path: Path
) -> None:
    """§4.7; of the same level the answer is the same, after a failure too."""
    ills = {
        "die": (3, 1),
        "babble": (3, 1),
        "cheat": (3, 1),
        "pass die": (1, 2),
        "die cheat babble": (0, 3),
    }
    board = office.game("star challenge -size=6 alice bot3")
    for free, (trouble, (level, crashes)) in enumerate(ills.items(), 1):
        office.play(board, f"E{free + 2}")
        (tmp_path / "ills").write_text(trouble)
        (tmp_path / "asked").write_text("")
        assert thinker.run_once() == 1
        first, *_, last = requests = asked(tmp_path)
        assert len(requests) == min(crashes + 1, 3), trouble
        assert {**last, "level": 3} == first
        assert level in (0, last["level"])
        move = quickbot.answer(first)["move"] if level else "F6"
        assert office.record(board)[-1] == move, trouble
    failures = sum(crashes for _, crashes in ills.values())
    assert office.ask("counted", bots.CRASHES, office.now, 86400.0) == failures


def test_a_process_that_hangs_is_ended(office: Office, thinker: Thinker, tmp_path: Path) -> None:
    board = office.game(STAR)
    office.play(board, "B2")
    (tmp_path / "ills").write_text("hang")
    thinker._patience = 0.5
    assert thinker.run_once() == 1
    assert len(office.record(board)) == 2


def undo(office: Office, board: int) -> None:
    office.run("admin", "board", "reset", str(board), "--to-move", "1")
    office.play(board, "B2")


@pytest.mark.parametrize(
    "meanwhile",
    [
        undo,
        lambda office, board: office.play_as("alice", board, "resign"),
        lambda office, board: office.run("admin", "board", "remove", str(board)),
        lambda office, board: office.think(),
    ],
    ids=["put back and played again", "resigned", "removed", "answered by another daemon"],
)
def test_an_answer_to_a_turn_that_is_no_more_is_dropped(
    office: Office, meanwhile: Callable[[Office, int], object]
) -> None:
    board = office.game(STAR)
    office.play(board, "B2")
    question = office.at_work(bots.next_question, (), {})
    reply = quickbot.answer(question.request)
    meanwhile(office, board)
    before = office.state()
    assert office.at_work(bots.answer, question, reply) is False
    assert office.state() == before


def test_the_same_turn_always_has_the_same_seed_and_another_turn_another(office: Office) -> None:
    board = office.game(STAR)

    def seed() -> int:
        office.play(board, "B2")
        question = office.at_work(bots.next_question, (), {})
        assert question == office.at_work(bots.next_question, (), {})
        number: int = question.request["seed"]
        return number

    first = seed()
    office.run("admin", "board", "reset", str(board))
    assert first != seed()


def test_who_has_used_the_least_is_next_and_strong_bots_wait_in_a_crowd(
    office_of: Callable[..., Office],
) -> None:
    """§4.8, with limits off so that there may be a crowd; who waits for five minutes is next."""
    office = office_of(limits="off")
    strong = office.game("star challenge -size=3 alice bot7")
    office.play(strong, "B2")
    office.now += 1
    for _ in range(8):
        office.play(office.game(STAR), "B2")
    bobs = int(office.send("bob", "star challenge -size=3 bob bot2")[0].mail["X-Pbmstar-Board"])
    office.play(bobs, "B2")

    def order(used: dict[str, float]) -> list[int]:
        busy: list[int] = []
        while (question := office.at_work(bots.next_question, busy, used)) is not None:
            busy.append(question.turn.board)
        return busy

    weak = sorted(set(range(1, bobs)) - {strong})
    # Eight that wait are no crowd any more.
    assert order({}) == [*weak[:2], strong, *weak[2:], bobs]
    assert order({"alice": 9.0})[0] == bobs
    assert order({"bob": 9.0})[-1] == bobs
    office.now += 300
    assert order({"bob": 9.0})[0] == strong


@pytest.mark.parametrize("limits", ["on", "off"])
def test_sixty_answers_an_hour(office_of: Callable[..., Office], limits: str) -> None:
    """The next one comes later by itself, and the receipt at once, which says so."""
    office = office_of(limits=limits)
    board = office.game("star challenge -size=8 alice bot3")

    def play() -> list[Got]:
        return office.play(board, next(match_of(office, board).position.moves()))

    for _ in range(60):
        play()
        assert office.think() == 1
    office.now += 20
    office.letters()
    receipts = play()
    if limits == "off":
        assert receipts == []
        return
    (receipt,) = receipts
    assert "60 times within an hour" in receipt.text.replace("\n", " ")
    assert office.think() == 0
    assert not office.at_work(lambda work: bots.is_late(work.tx, work.now + 1200, 0.0))
    office.now += 3600
    assert office.think() == 1


def test_a_turn_older_than_ten_minutes_is_an_alarm(office: Office) -> None:
    office.play(office.game(STAR), "B2")
    began = office.now
    late = [
        office.at_work(lambda work, at=at: bots.is_late(work.tx, began + at, began))
        for at in (590, 610)
    ]
    assert late == [False, True]
    assert not office.at_work(lambda work: bots.is_late(work.tx, began + 900, began + 800))


def test_a_persons_clock_waits_for_the_letter_with_both_moves(office: Office) -> None:
    """It is the letter that told the person's own move, not one that is never written."""
    board = office.game(STAR)
    office.letters()
    office.play(board, "B2")
    office.think()
    row = office.row(board)
    assert row is not None and row.clock_from is None
    assert office.ask("letter", row.told).state == "new"
    office.now += 5 * DAY
    (letter,) = office.letters()
    assert "alice has 21 days left (21d)" in letter.text
    row = office.row(board)
    assert row is not None and office.ask("letter", row.told).sent == office.now
    assert office.remind(6.9)[0] == [0, 0, 0] and office.remind(0.2)[0] == [1, 0, 0]
    assert office.check() == []


def put_off(office: Office) -> None:
    office.tray.verdict = Verdict("later", "451 4.3.0 try again later")
    assert len(office.letters()) == 1
    office.tray.verdict = SENT


def kill(office: Office) -> None:
    """Whoever was sending the letter is gone, and it is given back."""
    assert office.ask("claim", "old", office.now, office.now + 300.0, 9)
    office.ask("release", "old")


@pytest.mark.parametrize("interrupted", [put_off, kill])
def test_a_letter_that_may_have_arrived_is_not_changed(
    office: Office, interrupted: Callable[[Office], None]
) -> None:
    """The bot's answer goes in a letter of its own: a second copy of the first is the same bytes."""
    board = office.game(STAR)
    office.letters()
    office.play(board, "B2")
    office.now += 16.0
    interrupted(office)
    office.think()
    office.now += 3600.0
    first, second = office.letters()
    assert [each.mail["X-Pbmstar-To-Move"] for each in (first, second)] == ["bot3", "alice"]


def test_a_bot_has_no_clock(office: Office) -> None:
    board = office.game(STAR)
    office.play(board, "B2")
    assert office.remind(30.0)[0] == [0, 0, 0]
    assert office.check() == []
    office.think()
    office.letters()  # from here on alice's time runs
    assert office.remind(8.0)[0] == [1, 0, 0]


@pytest.mark.parametrize(
    "challenge",
    [
        "star challenge -size=3 alice bot1",
        "*star challenge -rings=3 -double alice bot1",
        "hex challenge -size=5 alice bot1",
    ],
)
def test_a_game_comes_to_its_end_by_rule_alone(
    office_of: Callable[..., Office], challenge: str
) -> None:
    """A bot passes only what is settled, resigns only what is lost, and ends every game."""
    office = office_of(limits="off")
    board = office.game(challenge)
    chance = itertools.cycle(range(7))
    while (match := match_of(office, board)).to_move:
        if match.to_move == "alice":
            settled = match.game.has_points and match.bounds.settled
            legal = list(itertools.islice(match.position.moves(), 9))
            move = "pass" if settled else legal[next(chance) % max(1, len(legal) - 2)]
            office.play(board, move)
            continue
        assert office.think() == 1
        move = office.record(board)[-1]
        assert move != "pass" or match.bounds.settled
        assert (move == "resign") == (match.bounds.decided == match.player("alice"))
    assert office.check() == []
