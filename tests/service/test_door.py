"""The door: who is welcomed, how often, and what a flood of forged mails makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from harness.office import DAY, Office

from pbmstar.service.door import GUEST_LETTERS_A_DAY, STRANGERS_A_DAY

WELCOME = "Star: welcome"
VOUCHED = "Authentication-Results: mx.pbm.example; dmarc={} header.from={}\r\n"


def asked(office: Office, number: int, words: str = "help", verdict: str = "") -> list[str]:
    """The Subjects of what somebody new is answered."""
    who = f"n{number}@new{number}.example"
    headers = VOUCHED.format(verdict, who.partition("@")[2]) if verdict else ""
    office.deliver(office.write(who, words, headers=headers))
    return [got.subject for got in office.letters()]


def test_two_hundred_letters_a_day_to_strangers(office_of: Callable[..., Office]) -> None:
    """Those of signups are among them, and do not wait for them; who is vouched for is counted apart."""
    office = office_of(authserv_id="mx.pbm.example")
    for number in range(50):
        assert asked(office, number, f"signup n{number} passw0rd") == [f"Star account n{number}"]
    welcomed = [asked(office, number) for number in range(100, 300)]
    assert welcomed == [[WELCOME]] * (STRANGERS_A_DAY - 50) + [[]] * 50
    assert asked(office, 400, "signup n400 passw0rd") == ["Star account n400"]
    assert asked(office, 401, verdict="pass") == [WELCOME]
    office.now += DAY
    assert asked(office, 299) == [WELCOME]


def test_no_letter_where_our_own_server_says_it_is_forged(office_of: Callable[..., Office]) -> None:
    office = office_of(authserv_id="mx.pbm.example")
    assert asked(office, 1, verdict="fail") == []
    office.deliver(office.write("x@y.example", "help", headers=VOUCHED.format("none", "y.example")))
    assert len(office.letters()) == 1


def test_the_operator_sees_what_our_own_server_said(office_of: Callable[..., Office]) -> None:
    """``admin explain`` shows it; where no server of ours says anything there is no such line."""
    office = office_of(authserv_id="mx.pbm.example")
    said = {"pass": "vouches for", "fail": "says that", "none": "said nothing of"}
    for number, (verdict, words) in enumerate(said.items(), 1):
        asked(office, number, verdict=verdict)
        told = office.run("admin", "explain", f"<{number}@mua.example>").stdout
        assert [line for line in told.splitlines() if "mail server" in line] == [
            f"  Our mail server {words} its From address{' is forged' * (verdict == 'fail')}."
        ]
        told = office.run("admin", "explain", f"<{number}@mua.example>", "--json").stdout
        assert json.loads(told)["mails"][0]["authentic"] == verdict


def test_no_letter_to_an_address_that_wants_none(office: Office) -> None:
    office.run("admin", "suppress", "n1@new1.example")
    assert asked(office, 1) == []


def test_limits_off_lifts_them(office_of: Callable[..., Office]) -> None:
    office = office_of(limits="off")
    assert [asked(office, 1) for _ in range(5)] == [[WELCOME]] * 5


def test_a_reply_opens_the_account_within_a_week(office: Office) -> None:
    """And errors of whoever replies are answered, twenty a day."""
    (welcome,) = office.send("x@y.example", "hello")
    answered = [
        len(office.send("x@y.example", "Re: x", "sign", welcome.reply_to))
        for _ in range(GUEST_LETTERS_A_DAY + 3)
    ]
    assert answered == [1] * GUEST_LETTERS_A_DAY + [0] * 3
    office.now += 7 * DAY + 1
    (letter,) = office.send("x@y.example", "Re: x", "signup xenia passw0rd", welcome.reply_to)
    assert "confirm" in letter.text, "the old letter proves nothing any more"
    (welcome,) = office.send("x@y.example", "hello")
    (letter,) = office.send("x@y.example", "Re: x", "signup xenia passw0rd", welcome.reply_to)
    assert letter.text.startswith("Welcome, xenia!")
    (letter,) = office.send("x@y.example", "Re: x", "signup x2 passw0rd", welcome.reply_to)
    assert "confirm" in letter.text, "it opens one account"


@pytest.mark.parametrize("bad", ["a", "z"])
def test_a_forged_token_proves_nothing(office: Office, bad: str) -> None:
    (welcome,) = office.send("x@y.example", "hello")
    to = welcome.reply_to.replace("@", f"{bad}@")
    to = to[: to.index("@") - 2] + bad + to[to.index("@") :]
    if to == welcome.reply_to:
        pytest.skip("that is its last letter")
    (letter,) = office.send("x@y.example", "Re: x", "signup xenia passw0rd", to)
    assert "confirm" in letter.text
    assert office.send("x@y.example", "Re: x", "never", to) == []
    office.now += DAY
    assert len(office.send("x@y.example", "hello")) == 1, "it was not heard"


def test_who_has_no_account_is_not_told_how_to_move(office: Office) -> None:
    """'To move, reply to the newest mail about your board' stood above the letter that says what this is."""
    (welcome,) = office.send("new@new.example", "help")
    (again,) = office.send("new@new.example", f"Re: {WELCOME}", "Newbie", welcome.reply_to)
    assert again.text.startswith("I found no command in your mail.\n\n")
