"""The signature of a player stays at home: it goes neither to an opponent nor into an album."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbmstar.service.letters import words

SIGNED = "Nora Lind\r\nSenior Analyst\r\nLind & Sons"


def test_lines_that_ended_an_earlier_mail_are_not_passed_on(office: Any) -> None:
    office.game("star challenge -size=4 alice bob")
    office.send("alice", "star move 1 alice s3cret C3", f"Good luck!\r\n\r\n{SIGNED}")
    office.send("bob", "star move 1 bob hunter2 C4", "To you too.")
    letters = {
        each.to: each for each in office.send("alice", "star move 1 alice s3cret D3", SIGNED)
    }
    assert "Lind" not in letters["bob@bob.example"].text
    assert "**" not in letters["bob@bob.example"].subject
    mine = letters["alice@alice.example"].text
    assert "Left out as your signature" in mine
    assert "Nora Lind / Senior Analyst / Lind & Sons" in " ".join(mine.split())
    office.send("bob", "star move 1 bob hunter2 D4")
    letters = {
        each.to: each
        for each in office.send("alice", "star move 1 alice s3cret E3", f"Well played!\r\n{SIGNED}")
    }
    theirs = letters["bob@bob.example"].text
    assert "Well played!" in theirs and "Analyst" not in theirs


def test_first_words_on_a_board_are_quoted_to_their_writer(office: Any) -> None:
    office.game("star challenge -size=4 alice bob")
    first = {
        each.to: each.text for each in office.send("alice", "star move 1 alice s3cret C3", "Hello!")
    }
    assert "alice writes:\n\nHello!" in first["alice@alice.example"]
    assert "These words go to bob." in first["alice@alice.example"]
    assert "These words" not in first["bob@bob.example"]
    office.send("bob", "star move 1 bob hunter2 C4")
    again = {
        each.to: each.text for each in office.send("alice", "star move 1 alice s3cret D3", "Oh!")
    }
    assert "These words" not in again["alice@alice.example"]


def test_words_alone_are_passed_on_whatever_they_are(office: Any) -> None:
    office.game("star challenge -size=4 alice bob")
    for _ in range(3):
        letters = office.send("alice", "star say 1 alice s3cret", SIGNED)
        assert all("Senior Analyst" in each.text for each in letters)


@pytest.mark.parametrize(
    ("ending", "known", "count"),
    [
        (["Nora Lind", "Analyst"], [["Well!", "Nora Lind", "Analyst"]], 2),
        (["A", "Nora", "Analyst"], [["B", "Nora", "Analyst"]], 2),
        (["Nora"], [["Nora"]], 0),
        (["Nora"], [["Hm.", "Nora"], ["Nora"]], 1),
        (["not so fast"], [["not so fast"], ["not so fast"]], 0),
        (["Good luck!", "Have fun!"], [["Good luck!", "Have fun!"]], 0),
        (["Nora Lind", "Analyst"], [["Analyst", "Nora Lind"]], 0),
        ([], [["x"]], 0),
    ],
)
def test_how_many_of_the_last_lines_are_a_signature(
    ending: list[str], known: list[list[str]], count: int
) -> None:
    assert words._signature(ending, known) == count


def test_what_is_remembered_is_bounded_and_goes_with_the_account(office: Any) -> None:
    office.game("star challenge -size=4 alice bob")
    for number in range(9):
        office.send("alice", "star say 1 alice s3cret", f"{number} {'x' * 3000}\r\n" * 50)
    kept = office.ask("accounts.endings", "alice")
    assert kept and len(json.dumps(kept)) < 2500
    assert office.ask("people.about", "alice", "alice@alice.example")["endings"]
    office.ask("people.forget", "alice", "alice@alice.example")
    assert office.ask("accounts.endings", "alice") == []
