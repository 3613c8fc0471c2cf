"""Tips of the first week: to whom, when, and how often."""

from __future__ import annotations

import pytest
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office

from pbmstar.parts import FEATURES

TIPS = {
    "match": "If you'd like to play a person",
    "invite": "You can bring a friend",
    "lobby": "A letter a day can list",
    "sunday": "Each Sunday everyone who",
    "postcard": "To show this game to a friend",
    "cup": "In a cup, eight players",
    "open cup": "cup 1 starts with",
    "problem": "There is a problem each week",
}


def there(*names: str) -> list[str]:
    """Those of these tips that come from core, or from a feature that is there."""
    of_core = {"match", "invite", "lobby"}
    return [each for each in names if each in of_core or each.removeprefix("open ") in FEATURES]


@pytest.fixture
def newcomer(office: Office) -> Office:
    """An office in which alice opened her account just now; no problem of the week is there."""
    office.sql(f"UPDATE users SET made = {office.now - 60 * DAY} WHERE userid = 'bob'")
    return office


def tipped(letters: list[Got], who: str = "alice") -> list[str]:
    """The tips in letters to somebody."""
    return [
        name
        for each in letters
        if each.to.startswith(f"{who}@")
        for name, words in TIPS.items()
        if words in each.words
    ]


def test_each_tip_comes_once_in_the_first_month_and_none_twice(newcomer: Office) -> None:
    """At most one a day, in letters in which another is to move; what is for the end of a game waits for it."""
    board = newcomer.game("star challenge -size=6 alice bob")
    told: list[str] = []
    for day, (move, answer) in enumerate(
        zip(("F6", "E5", "D6", "G5", "C8"), ("G7", "H8", "F3", "D4", "E8"), strict=True)
    ):
        letters = newcomer.play(board, move)
        assert len(tipped(letters)) <= 1 and not tipped(letters, "bob")
        told += tipped(letters)
        assert not tipped(newcomer.play(board, answer)), "alice is to move"
        newcomer.now += (0.5 if day == 0 else 1.5) * DAY
    assert told == there("sunday", "invite", "lobby")
    count, ends = len(told), there("match", "open cup", "postcard")
    newcomer.send("bob", f"cup bob {PASSWORD['bob']} hex")
    told += tipped(newcomer.send("bob", f"star resign {board} bob {PASSWORD['bob']}"))
    assert told[count:] == ends[:2]
    newcomer.now += 2 * DAY
    for size in (3, 4):
        board = newcomer.game(f"star challenge -size={size} alice bob")
        newcomer.play(board, "C3")
        told += tipped(newcomer.send("bob", f"star resign {board} bob {PASSWORD['bob']}"))
        newcomer.now += 2 * DAY
    assert told[count:] == ends


def test_the_last_letter_of_a_first_game_against_a_bot_names_what_comes_next(
    newcomer: Office,
) -> None:
    board = newcomer.game("star challenge -size=3 alice bot1")
    newcomer.play(board, "B2")
    newcomer.think()
    newcomer.letters()
    letters = newcomer.send("alice", f"star resign {board} alice {PASSWORD['alice']}")
    assert tipped(letters) == there("match", "cup", "sunday", "invite")[:2]
    (found,) = newcomer.send("alice", "Re: Star", "match", letters[0].reply_to)
    assert found.subject == "Star: you wait for an opponent"


@pytest.mark.parametrize(
    "line",
    [f"letters alice {PASSWORD['alice']} mine", f"letters alice {PASSWORD['alice']} short"],
)  # fmt: skip
def test_it_is_not_for_readers_of_few_words(newcomer: Office, line: str) -> None:
    newcomer.send("alice", line)
    board = newcomer.game("star challenge -size=3 alice bob")
    assert not tipped(newcomer.play(board, "C3"))
    assert not newcomer.rows()["tips"]


def test_it_does_not_come_after_the_first_month(newcomer: Office) -> None:
    board = newcomer.game("star challenge -size=3 alice bob")
    newcomer.now += 30 * DAY
    assert not tipped(newcomer.play(board, "C3"))


def test_it_is_exported_and_erased_with_its_player(newcomer: Office) -> None:
    newcomer.play(newcomer.game("star challenge -size=3 alice bob"), "C3")
    assert "; tip " in newcomer.run("admin", "user", "export", "alice").output
    newcomer.run("admin", "user", "erase", "alice")
    assert not newcomer.rows()["tips"]
