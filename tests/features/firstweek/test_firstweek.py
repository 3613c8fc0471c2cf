"""Tips of the first week: to whom, when, and how often."""

from __future__ import annotations

import pytest
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office

from pbmstar.parts import FEATURES

TIPS = {
    "match": "If you'd like to play someone new",
    "invite": "You can bring a friend",
    "lobby": "One letter a day can list",
    "sunday": "Every Sunday, everyone who",
    "postcard": "To show this game to a friend",
    "cup": "In a cup, eight players",
    "open cup": "cup 1 starts with",
    "problem": "There's a problem each week",
    "playout": "Could it have gone another way?",
    "ladder": "On a ladder, you challenge",
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


def test_who_has_not_won_hears_how_a_game_is_played_on(newcomer: Office) -> None:
    """And of the ladder who plays in no contest; the replies work."""
    newcomer.run("admin", "ladder", "open", "star")
    told: list[str] = []
    moves = ("C3", "D2", "C4", "D5", "B4", "B3", "E4", "A5")
    for _ in range(4):
        board = newcomer.game("star challenge -size=4 alice bob")
        newcomer.advance(board, *moves)
        (last,) = (
            each
            for each in newcomer.send("alice", f"star resign {board} alice {PASSWORD['alice']}")
            if each.to.startswith("alice@")
        )
        told += tipped([last])
        if told[-1:] == ["playout"]:
            (new,) = newcomer.send("alice", "Re: Star", "from 4", last.reply_to)[:1]
            assert new.subject.startswith("New Star Board ")
        newcomer.now += 2 * DAY
    assert {"playout", "ladder"} & {*told} == {*there("playout", "ladder")}
    assert len(told) == len({*told})
    newcomer.send("alice", f"ladder join star alice {PASSWORD['alice']}")
    assert newcomer.facts("admin", "ladder", "show", "star")


def test_who_has_been_in_a_cup_hears_of_none(newcomer: Office) -> None:
    """The end of a cup names the next one."""
    for who in ("alice", "bob"):
        newcomer.send(who, f"cup {who} {PASSWORD[who]} star")
    newcomer.sql("UPDATE contests SET state = 'over'")
    told: list[str] = []
    for _ in range(4):
        board = newcomer.game("star challenge -size=4 alice bob")
        newcomer.advance(board, "C3", "D3", "C4", "D4")
        told += tipped(newcomer.send("bob", f"star resign {board} bob {PASSWORD['bob']}"))
        newcomer.now += 2 * DAY
    assert told and not {"cup", "open cup"} & {*told}


@pytest.mark.parametrize("contest", ["ladder", "league"])
def test_who_is_in_a_contest_of_the_game_hears_of_the_ladder_there(
    newcomer: Office, contest: str
) -> None:
    """The end of a league names the ladder."""
    newcomer.run("admin", "ladder", "open", "star")
    newcomer.run("admin", "league", "open", "star")
    newcomer.send("alice", f"{contest} join star alice {PASSWORD['alice']}")
    told: list[str] = []
    for _ in range(5):
        board = newcomer.game("star challenge -size=4 alice bob")
        newcomer.advance(board, "C3", "D3", "C4", "D4")
        told += tipped(newcomer.send("bob", f"star resign {board} bob {PASSWORD['bob']}"))
        newcomer.now += 2 * DAY
    assert told and "ladder" not in told


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
