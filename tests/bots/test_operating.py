"""The operator hears of bots that fail or are slow; a damaged board holds up no bot; a game with one is rated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from harness.damaged import DAMAGED
from harness.letters import PASSWORD
from harness.office import Office

from pbmstar.bots import budget
from pbmstar.service.admin import bots as operator
from pbmstar.service.letters import alerts
from pbmstar.thinking import answers

OPERATOR = "op@site.example"


@pytest.fixture
def office(office_of: Callable[..., Office]) -> Office:
    """A service with an operator."""
    return office_of(operator=OPERATOR)


def alerted(office: Office) -> list[str]:
    """The titles of the alerts that go out now."""
    got = [letter for letter in office.letters() if letter.to == OPERATOR]
    return [letter.subject.removeprefix("Star server: ") for letter in got]


def begun(office: Office) -> None:
    """A game with a bot, in which the bot is to move."""
    office.play(office.game("star challenge -size=3 alice bot3"), "B2")


def look(office: Office) -> None:
    """The look of a daemon at the troubles, once a minute."""
    with office.store.transaction() as tx:
        is_late = office.config.bots and budget.is_late(tx, office.config, office.now, 0.0)
        troubles = ["bots"] if is_late else []
        alerts.look(tx, office.config, office.now, troubles=troubles)


def test_a_bot_that_failed_is_told(office: Office) -> None:
    begun(office)
    question = office.at_work(answers.next_question, (), range(1, 10))
    office.at_work(answers.answer, question, None, 1)
    assert alerted(office) == ["a bot failed"]


def test_a_bot_that_does_not_answer_is_told(office: Office) -> None:
    begun(office)
    look(office)
    assert alerted(office) == []
    office.now += budget.TOO_OLD + 1
    look(office)
    assert alerted(office) == ["a bot does not answer"]


def test_bots_that_are_switched_off_are_not_late(office_of: Callable[..., Office]) -> None:
    office = office_of(operator=OPERATOR, bots="0")
    look(office)
    assert alerted(office) == []


def test_a_damaged_board_holds_up_no_other(office: Office) -> None:
    for _ in range(2):
        begun(office)
    for damage in DAMAGED:
        if "'x'" not in damage:
            office.sql(damage)
    office.restart()
    question = office.at_work(answers.next_question, (), range(1, 10))
    assert question is not None and question.turn.board == 2


def test_a_hint_names_the_package_that_is_installed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    for prefix, hint in (
        ("/usr/lib/pbmstar", "apt install pbmstar-bot"),
        ("/opt/pbmstar", "pip install 'pbmstar[bot]'"),
    ):
        monkeypatch.setattr(operator.sys, "prefix", prefix)
        found = operator.examine(office.config, office.now)
        (numba,) = (each for each in found if "numba" in each.what)
        assert numba.advice.startswith(hint)


def test_bots_that_are_switched_off_answer_when_they_are_on_again(
    database: str, tmp_path: Path
) -> None:
    office = Office(database, tmp_path / "spool")
    begun(office)
    office.close()
    office = Office(database, tmp_path / "spool", (), bots="0")
    (refused,) = office.send("alice", "star challenge -size=4 alice bot3")
    assert "This server's bots are switched off." in " ".join(refused.text.split())
    assert office.run("admin", "check").exit_code == 0
    office.close()
    office = Office(database, tmp_path / "spool", ())
    assert office.think() == 1
    office.close()


def test_bots_and_refusals_are_told_apart(office: Office) -> None:
    board = office.game("star challenge -size=3 alice bot3")
    office.play(board, "B2")
    office.think()
    office.deliver(office.write("alice", "star move 99 F6"))
    facts = office.facts("stats")
    assert (facts["days"]["moves"][-1], facts["days"]["bot_moves"][-1]) == (2, 1)
    assert sum(facts["reasons"].values()) == 1


def test_how_long_bots_take(office: Office) -> None:
    def told() -> tuple[int, float | None, float | None]:
        rows = office.facts("admin", "bot", "list")
        (row,) = [each for each in rows if each["userid"] == "bot1"]
        return row["answers"], row["median_seconds"], row["slow_seconds"]

    assert told() == (0, None, None)
    for seconds in (1, 2, 3, 4, 5, 6, 7, 8, 9, 70):
        board = office.game("star challenge -size=3 alice bot1")
        office.play(board, "B2")
        office.now += seconds
        assert office.think() == 1
        office.send("alice", f"star resign {board} alice {PASSWORD['alice']}")
    assert told() == (10, 5.0, 9.0)
    office.now += 8 * 86400
    assert told() == (0, None, None)
    names = [row["userid"] for row in office.facts("admin", "bot", "list")]
    assert names == [f"bot{level}" for level in range(1, 11)]
