"""The worker of the bots: each turn of a bot answered once, whatever happens to the process that thinks."""

from __future__ import annotations

import itertools
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from harness import quickbot
from harness.letters import Got
from harness.office import DAY, Office

from pbmstar.bots import budget
from pbmstar.bots.engine.levels import SOON
from pbmstar.delivery.courier import at_once
from pbmstar.delivery.relay import SENT, Verdict
from pbmstar.machine import child
from pbmstar.match import Match
from pbmstar.service.admin.metrics import Metrics
from pbmstar.thinking import answers
from pbmstar.thinking import worker as thinker_module
from pbmstar.thinking.worker import IDLE, PLAIN, BotWorker, EngineProcess

STAR = "star challenge -size=3 alice bot3"


@pytest.fixture
def thinker(office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BotWorker:
    """One whose processes play at once, or fail as ``tmp_path/ills`` says."""
    command = (sys.executable, quickbot.__file__, str(tmp_path), IDLE)
    monkeypatch.setattr(thinker_module, "PATIENCE", 60.0)
    return BotWorker(office.context, at_once(office.store), lambda: None, command=command)


def match_of(office: Office, board: int) -> Match:
    """A board's match, as it is stored."""
    row = office.row(board)
    assert row is not None
    return row.match(office.ask("boards.record", board))


def asked(folder: Path) -> list[dict[str, Any]]:
    """What the processes were asked."""
    return [json.loads(line) for line in (folder / "asked").read_text().splitlines()]


def started_with(folder: Path) -> list[list[str]]:
    """The words with which each process was started."""
    return [line.split() for line in (folder / "words").read_text().splitlines()]


def test_several_turns_are_answered_by_one_process_and_told(
    office: Office, thinker: BotWorker
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


@pytest.mark.slow
def test_bot1_is_careless_in_some_games_from_the_first_move_to_the_last(
    office: Office, thinker: BotWorker, tmp_path: Path
) -> None:
    """So a beginner wins now and then, whatever their idea is. The other bots never are."""

    def moods(bot: str) -> Iterator[bool]:
        """Yield for each new game if the bot is careless in it."""
        while True:
            board = office.game(f"star challenge -size=5 alice {bot}")
            (tmp_path / "asked").write_text("")
            for _ in range(2):
                office.play(board, next(iter(match_of(office, board).position.moves())))
                assert thinker.run_once() == 1
            first, second = asked(tmp_path)
            assert first["careless"] == second["careless"]
            yield first["careless"]
            office.play(board, "resign")
            office.now += DAY

    assert True in moods("bot1") and False in moods("bot1")  # each looks until it has found it
    assert not any(itertools.islice(moods("bot2"), 5))


def test_answers_are_counted(office: Office, tmp_path: Path) -> None:
    """By bot, with the processor time and the wait."""
    metrics = Metrics()
    command = (sys.executable, quickbot.__file__, str(tmp_path), IDLE)
    thinker = BotWorker(office.context, at_once(office.store), lambda: None, metrics, command)
    office.play(office.game(STAR), "B2")
    office.now += 7
    assert thinker.run_once() == 1
    lines = metrics.text({}).splitlines()
    assert 'pbmstar_bot_answers_total{bot="bot3"} 1' in lines
    assert 'pbmstar_bot_wait_seconds_bucket{le="3"} 0' in lines
    assert "pbmstar_bot_wait_seconds_sum 7" in lines
    assert any(line.startswith('pbmstar_bot_thought_seconds_total{bot="bot3"} ') for line in lines)


@pytest.mark.slow
def test_a_turn_that_comes_while_it_ends_is_answered(office: Office, thinker: BotWorker) -> None:
    """Whoever brought it has found the lock held, and is gone."""
    late, answer_one = [office.game(STAR), office.game(STAR)], thinker.answer_one
    office.play(late.pop(), "B2")

    def and_another(*at: Any) -> bool:
        if not (done := answer_one(*at)) and late:
            office.play(late.pop(), "B2")
            assert thinker.run_once() == 0
        return done

    thinker.answer_one = and_another
    assert thinker.run_once() == 2


def test_a_process_that_fails_is_asked_again_then_a_weaker_one_then_a_rule(
    office: Office, thinker: BotWorker, tmp_path: Path
) -> None:
    """Of the same level the answer is the same, after a failure too."""
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
    assert office.ask("ledger.counted", budget.CRASHES, office.now, 86400.0) == failures


@pytest.fixture
def waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each answer is waited for at most. The time is over once the first process that hangs does so."""
    times: list[float] = []
    select, hangs = child.select.select, []

    def wait(pipes: list[int], _to: list[int], _odd: list[int], seconds: float) -> Any:
        times.append(seconds)
        while not (found := select(pipes, [], [], 0.005))[0]:
            if not hangs and (tmp_path / "ills").read_text() == "well":
                hangs.append(True)
                break
        return found

    monkeypatch.setattr(child, "select", SimpleNamespace(select=wait))
    return times


@pytest.mark.slow
def test_a_late_answer_is_asked_of_a_process_that_takes_its_share(
    office: Office,
    thinker: BotWorker,
    tmp_path: Path,
    waits: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that gives way may never get the processor; that is no failure."""
    monkeypatch.setitem(SOON, 9, 5.0)
    monkeypatch.setattr(thinker_module, "FIRST", 5.0)
    board = office.game("star challenge -size=3 alice bot9")
    office.play(board, "B2")
    (tmp_path / "ills").write_text("hang")
    assert thinker.run_once() == 1
    first, second = asked(tmp_path)
    assert first == second and waits[0] <= 5.0 < waits[1]
    words = started_with(tmp_path)
    assert [IDLE in each for each in words] == [True, False]
    assert office.ask("ledger.counted", budget.CRASHES, office.now, 86400.0) == 0


def test_while_numba_compiles_a_bot_is_interpreted_and_no_process_compiles_too(
    tmp_path: Path,
) -> None:
    """What is found soon is found meanwhile; a long search waits, and goes on when the cache is filled."""
    command = (sys.executable, quickbot.__file__, str(tmp_path), IDLE)
    compiled = threading.Event()
    mind = EngineProcess(command, tmp_path / "numba", compiled)
    request = {"game": "star", "options": '{"size": 3}', "moves": [], "seed": 1}
    with closing(mind):
        mind.ask({**request, "level": 9})
        large = {**request, "options": '{"size": 6}', "level": 10}
        strong = threading.Thread(target=mind.ask, args=(large,))
        strong.start()
        assert len(asked(tmp_path)) == 1
        compiled.set()
        strong.join()
    assert [each["level"] for each in asked(tmp_path)] == [9, 10]
    words = started_with(tmp_path)
    assert [(PLAIN in each, IDLE in each) for each in words] == [(True, False), (False, True)]


def test_a_process_that_hangs_is_ended(
    office: Office,
    thinker: BotWorker,
    tmp_path: Path,
    waits: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = office.game(STAR)
    office.play(board, "B2")
    (tmp_path / "ills").write_text("hang")
    monkeypatch.setattr(thinker_module, "PATIENCE", 2.0)
    assert thinker.run_once() == 1
    assert len(office.record(board)) == 2 and max(waits) <= 2.0


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
    question = office.at_work(answers.next_question, (), range(1, 10))
    reply = quickbot.answer(question.request)
    meanwhile(office, board)
    before = office.state()
    assert office.at_work(answers.answer, question, reply) is False
    assert office.state() == before


def test_the_same_turn_always_has_the_same_seed_and_another_turn_another(office: Office) -> None:
    board = office.game(STAR)

    def seed() -> int:
        office.play(board, "B2")
        question = office.at_work(answers.next_question, (), range(1, 10))
        assert question == office.at_work(answers.next_question, (), range(1, 10))
        number: int = question.request["seed"]
        return number

    first = seed()
    office.run("admin", "board", "reset", str(board))
    assert first != seed()


ALL = range(1, 10)


def in_turn(office: Office, levels: range = ALL) -> list[int]:
    """The boards in the order in which bots of these levels think about them."""
    busy: list[int] = []
    while (question := office.at_work(answers.next_question, busy, levels)) is not None:
        busy.append(question.turn.board)
    return busy


def charge(office: Office, userid: str, seconds: float) -> None:
    office.at_work(lambda work: budget.charge(work.tx, work.now, userid, seconds))


def game_of(office: Office, userid: str, bot: str) -> int:
    """A board on which that bot has to answer."""
    office.letters()
    challenge = f"star challenge -size=3 {userid} {bot}"
    board = int(office.send(userid, challenge)[0].mail["X-Pbmstar-Board"])
    office.play(board, "B2")
    return board


def test_next_is_the_player_for_whom_bots_have_thought_least(office: Office) -> None:
    """However long others have waited: a backlog is no claim."""
    alices = [game_of(office, "alice", "bot9"), game_of(office, "alice", "bot9")]
    office.now += 900.0
    bobs = game_of(office, "bob", "bot9")
    assert in_turn(office) == [*alices, bobs]
    charge(office, "alice", 0.01)
    assert in_turn(office) == [bobs, *alices]
    charge(office, "bob", 0.02)
    assert in_turn(office) == [*alices, bobs]


def test_weak_bots_have_a_place_of_their_own(office: Office) -> None:
    strong, weak = game_of(office, "alice", "bot5"), game_of(office, "bob", "bot4")
    assert in_turn(office, budget.WEAK) == [weak]
    assert in_turn(office, budget.STRONG) == [strong]


def test_two_minutes_of_thinking_an_hour(office: Office) -> None:
    """Strong bots wait then, and say so; weak ones answer, and other players have their own."""
    charge(office, "alice", 119.9)
    strong = game_of(office, "alice", "bot9")
    assert in_turn(office) == [strong]
    charge(office, "alice", 0.1)
    weak, bobs = game_of(office, "alice", "bot4"), game_of(office, "bob", "bot9")
    assert in_turn(office) == [bobs, weak]
    said = "The bots have already spent 2 minutes on your games this hour, which is the limit."
    board = int(
        office.send("alice", "star challenge -size=3 alice bot8")[0].mail["X-Pbmstar-Board"]
    )
    (receipt,) = office.play(board, "B2")
    assert said in receipt.text.replace("\n", " ")
    office.now += 3600.0
    assert strong in in_turn(office)


def test_half_of_the_time_is_for_all_strong_bots_together(office: Office) -> None:
    """Who has used little still gets answers, so that a few accounts cannot use up everybody's time."""
    strong, weak = game_of(office, "alice", "bot9"), game_of(office, "alice", "bot1")
    bobs = game_of(office, "bob", "bot9")
    charge(office, "alice", budget.LITTLE)
    charge(office, "bob", budget.LITTLE - 1)
    for number in range(15):
        charge(office, f"mallory{number}", budget.FOR_ONE)
    assert in_turn(office) == [bobs, weak]
    charge(office, "bob", 1)
    assert in_turn(office) == [weak]
    office.now += 3600.0
    assert set(in_turn(office)) == {strong, bobs, weak}


def test_what_an_answer_has_cost_is_charged(office: Office) -> None:
    board = game_of(office, "alice", "bot9")
    question = office.at_work(answers.next_question, (), ALL)
    reply = quickbot.answer(question.request)
    assert office.at_work(answers.answer, question, reply, 0, 1.5)
    assert office.at_work(lambda work: budget.used(work.tx, work.now, "alice")) == 1.5
    assert office.at_work(lambda work: budget.used(work.tx, work.now)) == 1.5
    assert len(office.record(board)) == 2


def test_without_numba_no_bot_thinks_for_more_than_a_minute(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "is_compiled", lambda: False)
    (refused,) = office.send("alice", "star challenge -size=14 alice bot9")
    assert "On this board, choose a bot from bot1 to bot8." in refused.text.replace("\n", " ")
    (begun,) = office.send("alice", "*star challenge -rings=10 alice bot9")
    assert begun.mail["X-Pbmstar-Board"]


@pytest.mark.parametrize("limits", ["on", "off"])
def test_sixty_answers_an_hour(
    office_of: Callable[..., Office], monkeypatch: pytest.MonkeyPatch, limits: str
) -> None:
    """The next one comes later by itself, and the receipt at once, which says so."""
    assert budget.ANSWERS == 60
    monkeypatch.setattr(budget, "ANSWERS", 12)
    office = office_of(limits=limits)
    board = office.game("star challenge -size=8 alice bot3")

    def play() -> list[Got]:
        return office.play(board, next(match_of(office, board).position.moves()))

    for _ in range(12):
        play()
        assert office.think() == 1
    office.now += 20
    office.letters()
    receipts = play()
    if limits == "off":
        assert receipts == []
        return
    (receipt,) = receipts
    assert "12 times this hour" in receipt.text.replace("\n", " ")
    assert office.think() == 0
    assert not office.at_work(
        lambda work: budget.is_late(work.tx, office.config, work.now + 1200, 0.0)
    )
    office.now += 3600
    assert office.think() == 1


def test_a_turn_older_than_ten_minutes_is_an_alarm(office: Office) -> None:
    office.play(office.game(STAR), "B2")
    began = office.now
    late = [
        office.at_work(
            lambda work, at=at: budget.is_late(work.tx, office.config, began + at, began)
        )
        for at in (590, 610)
    ]
    assert late == [False, True]
    assert not office.at_work(
        lambda work: budget.is_late(work.tx, office.config, began + 900, began + 800)
    )


def test_a_persons_clock_waits_for_the_letter_with_both_moves(office: Office) -> None:
    """It is the letter that told the person's own move, not one that is never written."""
    board = office.game(STAR)
    office.letters()
    office.play(board, "B2")
    office.think()
    row = office.row(board)
    assert row is not None and row.clock_from is None
    assert office.ask("outbox.status", row.told).state == "new"
    office.now += 5 * DAY
    (letter,) = office.letters()
    assert "alice has 21 days left (21d)" in letter.text
    row = office.row(board)
    assert row is not None and office.ask("outbox.status", row.told).sent == office.now
    assert office.remind(6.9)[0] == [0, 0, 0] and office.remind(0.2)[0] == [1, 0, 0]
    assert office.check() == []


def put_off(office: Office) -> None:
    office.tray.verdict = Verdict("later", "451 4.3.0 try again later")
    assert len(office.letters()) == 1
    office.tray.verdict = SENT


def kill(office: Office) -> None:
    """Whoever was sending the letter is gone, and it is given back."""
    assert office.ask("outbox.claim", "old", office.now, office.now + 300.0, 9)
    office.ask("outbox.release", "old")


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
    board = office.game("star challenge -size=3 -time=10d+36h alice bot3")
    office.play(board, "B2")
    done, (receipt,) = office.remind(30.0)
    assert done == [0, 0, 0]
    assert office.check() == []
    assert "bot3 has" not in receipt.text
    assert receipt.mail["X-Pbmstar-Deadline"] is None
    assert receipt.mail["X-Pbmstar-Clock"] == f"alice={10 * 86400}"
    office.think()
    office.letters()  # from here on alice's time runs
    assert office.remind(4.0)[0] == [1, 0, 0]


@pytest.mark.few(1)
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
