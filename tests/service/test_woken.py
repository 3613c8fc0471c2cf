"""A suspended account: what wakes it, what only asks, and what a forged From line does."""

from __future__ import annotations

import pytest
from harness.office import Office, address
from harness.returned import complaint


@pytest.fixture
def asleep(office: Office) -> tuple[Office, str]:
    """Bob's letters came back; on his board it is alice's turn. The reply address of his newest letter."""
    letters = office.send("alice", "star challenge -size=6 alice bob")
    mine = next(each for each in letters if each.to == address("bob"))
    office.deliver(*complaint(mine.sender))
    office.letters()
    return office, mine.reply_to


def state(office: Office) -> str:
    return str(office.ask("accounts.user", "bob").state)


def test_the_password_wakes_it_and_the_boards_that_wait_are_named(
    asleep: tuple[Office, str],
) -> None:
    office, _ = asleep
    office.play(1, "D4")
    letters = office.send("bob", "star move 1 bob hunter2 Z99")
    assert [each.subject for each in letters] == [
        "Star account bob: letters again",
        "Star Board 1 Error",
    ]
    assert "Star board 1" in letters[0].words and state(office) == "active"


def test_a_reply_to_the_newest_letter_wakes_it(asleep: tuple[Office, str]) -> None:
    office, to = asleep
    assert "letters again" in office.send("bob", "Re: Star", "score", to=to)[0].subject
    assert state(office) == "active"


def test_an_old_letter_and_a_bare_from_line_only_ask(asleep: tuple[Office, str]) -> None:
    """Whoever has an old letter and forges a From line must not start the clock of an absent player."""
    office, to = asleep
    office.play(1, "D4")
    (asked,) = office.send("bob", "Re: Star", "show", to=to)[:1]
    assert "please confirm" in asked.subject and "came back" in asked.text
    assert state(office) == "suspended"
    assert office.send("bob", "show 1") == [], "once a day"
    (told,) = office.send("bob", "Re: Star", "yes", to=asked.reply_to)
    assert "Star board 1" in told.text and state(office) == "active"


def test_a_password_from_elsewhere_does_not_wake_it(asleep: tuple[Office, str]) -> None:
    office, _ = asleep
    office.send("bob@cafe.example", "limit bob hunter2 5")
    assert state(office) == "suspended"


def test_a_from_line_that_cannot_be_read(office: Office) -> None:
    """It is not another address: the letter says what is wrong, once a day."""
    letters = office.send("alice", "star challenge -size=6 alice bob")
    to = next(each.reply_to for each in letters if each.to == address("alice"))
    raw = office.write("alice", "Re: Star", "D4", to)
    for number in range(2):
        crooked = raw.replace(b"From: alice@alice.example", b"From: a@b.example, c@d.example")
        office.deliver(
            crooked.replace(b"Message-ID: <", b"Message-ID: <%d" % number),
            "alice@alice.example",
            to,
        )
    (told,) = office.letters()
    assert told.to == address("alice") and "We couldn't read the From line" in told.text
    assert "another address" not in told.subject + told.text
