"""Passwords that others can guess, and were stored before that was looked at."""

from __future__ import annotations

import pytest
from harness.office import Office


@pytest.mark.parametrize("word", ["zelda@home.example", "zelda", "zelda1", "letmein", "-size=4"])
@pytest.mark.parametrize("sender", ["zelda@home.example", "thief@evil.example"])
def test_a_stored_one_is_taken_away(office: Office, word: str, sender: str) -> None:
    """Whoever offers it gets nothing for it; the owner is told, once, and goes on by replies."""
    office.add("zelda", "zelda@home.example", word)
    letters = office.send(sender, f"limit zelda {word} 3")
    (told,) = (each for each in letters if "password removed" in each.subject)
    assert told.to == "zelda@home.example" and "forgot zelda" in told.text
    assert {each.to for each in letters} == {"zelda@home.example"}
    assert len(letters) == 1 + (sender == told.to)
    assert all(word not in each.text for each in letters if word not in ("zelda", told.to))
    user = office.ask("accounts.user", "zelda")
    assert user.password == "" and user.most is None
    again = office.send(sender, f"limit zelda {word} 3")
    assert not any("password removed" in each.subject for each in again)
    assert len(office.send("zelda@home.example", "Re: x", "limit 5", to=told.reply_to)) == 1


def test_a_wrong_word_of_that_kind_takes_nothing_away(office: Office) -> None:
    for word in ("alice", "alice@alice.example", "letmein"):
        assert not [
            each
            for each in office.send("thief@evil.example", f"limit alice {word} 3")
            if "password removed" in each.subject
        ]
    assert office.send("alice", "limit alice s3cret 3")
