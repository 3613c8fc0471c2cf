"""Tips of the first week: to whom, when, and how often."""

from __future__ import annotations

import pytest
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office

LOBBY = "lobby on"


@pytest.fixture
def newcomer(office: Office) -> Office:
    """An office in which alice opened her account just now; no problem of the week is there."""
    office.sql(f"UPDATE users SET made = {office.now - 30 * DAY} WHERE userid = 'bob'")
    return office


def tipped(letters: list[Got], who: str = "alice") -> list[str]:
    """The Subjects of the letters to somebody that have a tip."""
    return [
        each.subject for each in letters if each.to.startswith(f"{who}@") and LOBBY in each.text
    ]


def test_a_tip_comes_once_in_a_letter_in_which_another_is_to_move(newcomer: Office) -> None:
    boards = [newcomer.game(f"star challenge -size={size} alice bob") for size in (3, 4, 5)]
    assert tipped(newcomer.play(boards[0], "C3")) == ["Star Board 1 bob"]
    for board in boards[1:]:
        newcomer.now += 2 * DAY
        assert not tipped(newcomer.play(board, "C3"))
    assert not tipped(newcomer.play(boards[0], "C2"), "bob"), "who has been here for long"


@pytest.mark.parametrize(
    "line",
    [f"letters alice {PASSWORD['alice']} mine", f"letters alice {PASSWORD['alice']} short",
     f"letters lobby alice {PASSWORD['alice']} on"],
)  # fmt: skip
def test_it_is_not_for_readers_of_few_words_or_who_know_it(newcomer: Office, line: str) -> None:
    newcomer.send("alice", line)
    board = newcomer.game("star challenge -size=3 alice bob")
    assert not tipped(newcomer.play(board, "C3"))
    assert not newcomer.rows()["tips"]


def test_it_does_not_come_after_the_first_week(newcomer: Office) -> None:
    board = newcomer.game("star challenge -size=3 alice bob")
    newcomer.now += 7 * DAY
    assert not tipped(newcomer.play(board, "C3"))


def test_it_is_exported_and_erased_with_its_player(newcomer: Office) -> None:
    newcomer.play(newcomer.game("star challenge -size=3 alice bob"), "C3")
    assert "tip lobby" in newcomer.run("admin", "user", "export", "alice").output
    newcomer.run("admin", "user", "erase", "alice")
    assert not newcomer.rows()["tips"]
