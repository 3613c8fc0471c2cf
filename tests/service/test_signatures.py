"""The signature of a player stays at home: it goes neither to an opponent nor into an album."""

from __future__ import annotations

import json

import pytest
from harness.office import Office

SIGNED = "Nora Lind\r\nSenior Analyst\r\nLind & Sons"


def test_lines_that_ended_an_earlier_mail_are_not_passed_on(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    office.send("alice", "star move 1 alice s3cret C3", f"Good luck!\r\n\r\n{SIGNED}")
    office.send("bob", "star move 1 bob hunter2 C4", "To you too.")
    letters = {
        each.to: each for each in office.send("alice", "star move 1 alice s3cret D3", SIGNED)
    }
    assert "Lind" not in letters["bob@bob.example"].text
    assert "**" not in letters["bob@bob.example"].subject
    mine = letters["alice@alice.example"].text
    assert "it looks like your signature" in mine
    assert "Nora Lind / Senior Analyst / Lind & Sons" in " ".join(mine.split())
    office.send("bob", "star move 1 bob hunter2 D4")
    letters = {
        each.to: each
        for each in office.send("alice", "star move 1 alice s3cret E3", f"Well played!\r\n{SIGNED}")
    }
    theirs = letters["bob@bob.example"].text
    assert "Well played!" in theirs and "Analyst" not in theirs


def test_first_words_on_a_board_are_quoted_to_their_writer(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    first = {
        each.to: each.text for each in office.send("alice", "star move 1 alice s3cret C3", "Hello!")
    }
    assert "alice writes:\n  Hello!\n" in first["alice@alice.example"]
    assert "This goes to bob." in first["alice@alice.example"]
    assert "This goes to" not in first["bob@bob.example"]
    office.send("bob", "star move 1 bob hunter2 C4")
    again = {
        each.to: each.text for each in office.send("alice", "star move 1 alice s3cret D3", "Oh!")
    }
    assert "This goes to" not in again["alice@alice.example"]


def test_words_alone_are_passed_on_whatever_they_are(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    for _ in range(3):
        letters = office.send("alice", "star say 1 alice s3cret", SIGNED)
        assert all("Senior Analyst" in each.text for each in letters)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("earlier", "text", "left"),
    [
        (["Well!\nNora Lind\nAnalyst"], "Hm.\nNora Lind\nAnalyst", "Hm."),
        (["Hi!\nNora"], "Oh!\nNora", "Oh!\nNora"),
        (["Hi!\nNora", "Oh!\nNora"], "Ah!\nNora", "Ah!"),
        (["not so fast", "not so fast"], "not so fast", "not so fast"),
        (["Good luck!\nHave fun!"], "Good luck!\nHave fun!", "Good luck!\nHave fun!"),
        (["Analyst\nNora Lind"], "Nora Lind\nAnalyst", "Nora Lind\nAnalyst"),
        (["a\n" * 12], "a\n" * 12, ("a\n" * 12).strip()),
    ],
)
def test_which_last_lines_are_a_signature(
    office: Office, earlier: list[str], text: str, left: str
) -> None:
    office.game("star challenge -size=4 alice bob")
    for words, row in zip(earlier, "CD", strict=False):
        body = words.replace("\n", "\r\n")
        office.send("alice", f"star move 1 alice s3cret {row}3", body)
        office.send("bob", f"star move 1 bob hunter2 {row}4")
    letters = office.send("alice", "star move 1 alice s3cret B4", text.replace("\n", "\r\n"))
    (theirs,) = [each for each in letters if each.to == "bob@bob.example"]
    assert theirs.comment == left


def test_a_forged_mail_teaches_and_tells_nothing(office: Office) -> None:
    """A challenge needs no proof: its words are neither compared with the player's nor remembered."""
    office.game("star challenge -size=4 alice bob")
    office.send("alice", "star move 1 alice s3cret C3", f"Hello!\r\n{SIGNED}")
    before = office.ask("accounts.endings", "alice")
    letters = office.deliver(
        office.write("alice", "star challenge alice bob", f"Hello!\r\n{SIGNED}"), "e@evil.example"
    )
    assert letters.name == "applied"
    assert all("Senior Analyst" in each.text for each in office.letters())
    assert office.ask("accounts.endings", "alice") == before


@pytest.mark.slow
def test_what_is_remembered_is_bounded_and_goes_with_the_account(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    for number in range(9):
        office.send("alice", "star say 1 alice s3cret", f"{number} {'x' * 3000}\r\n" * 50)
    kept = office.ask("accounts.endings", "alice")
    assert kept and len(json.dumps(kept)) < 2500
    assert office.ask("people.about", "alice", "alice@alice.example")["endings"]
    office.ask("people.forget", "alice", "alice@alice.example")
    assert office.ask("accounts.endings", "alice") == {}
