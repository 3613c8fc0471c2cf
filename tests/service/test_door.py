"""The door: who is welcomed, how often, and what a flood of forged mails makes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness.office import DAY, Office, address
from service.guesses import guess

from pbmstar.service.incoming.newcomers import GUEST_LETTERS_A_DAY
from pbmstar.service.proof import strangers

WELCOME = "Star: welcome"
VOUCHED = "Authentication-Results: mx.pbm.example; dmarc={} header.from={}\r\n"


@pytest.fixture
def vouching(office_of: Callable[..., Office]) -> Office:
    """A service whose own mail server says whether a From line is forged."""
    return office_of(authserv_id="mx.pbm.example")


def asked(office: Office, number: int, words: str = "help", verdict: str = "") -> list[str]:
    """The Subjects of what somebody new is answered."""
    who = f"n{number}@new{number}.example"
    headers = VOUCHED.format(verdict, who.partition("@")[2]) if verdict else ""
    office.deliver(office.write(who, words, headers=headers))
    return [got.subject for got in office.letters()]


def signed_up(office: Office, to: str, words: str = "signup xenia passw0rd") -> str:
    """What x@y.example is told who signs up by a reply."""
    (letter,) = office.send("x@y.example", "Re: x", words, to)
    return letter.text


# -- how many letters strangers get


def test_a_day_s_letters_to_strangers_have_a_part_for_the_door(
    vouching: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signups may take what is not kept for those who ask; who is vouched for is counted apart."""
    monkeypatch.setattr(strangers, "A_DAY", 12)
    monkeypatch.setattr(strangers, "FOR_THE_DOOR", 5)
    monkeypatch.setattr(strangers.require_room, "__defaults__", (5,))
    for number in range(7):
        assert asked(vouching, number, f"signup n{number} passw0rd") == [
            f"Star account n{number}: please confirm"
        ]
    assert asked(vouching, 8, "signup n8 passw0rd") == [WELCOME], "which says why"
    welcomed = [asked(vouching, number) for number in range(100, 110)]
    assert welcomed == [[WELCOME]] * 4 + [[]] * 6
    assert asked(vouching, 401, verdict="pass") == [WELCOME]
    vouching.now += DAY
    assert asked(vouching, 109) == [WELCOME]


def test_letters_to_strangers_are_counted_by_who_asks_and_where_they_go(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strangers, "OF_A_PLACE", 3)
    monkeypatch.setattr(strangers, "TO_A_DOMAIN", 5)

    def letters(number: int, domain: str, sender: str) -> int:
        raw = office.write(f"n{number}@{domain}", f"signup n{number} passw0rd")
        office.deliver(raw, sender=sender)
        return len(office.letters())

    assert [letters(n, f"d{n}.example", "x@evil.example") for n in range(5)] == [1, 1, 1, 0, 0]
    to_one = [letters(10 + n, "big.example", f"x@e{n}.example") for n in range(7)]
    assert to_one == [1, 1, 1, 1, 1, 0, 0]
    assert letters(20, "other.example", "x@e20.example") == 1


@pytest.mark.parametrize(
    "spellings",
    [[f"dave+{n}@home.example" for n in range(6)], ["dave@gmail.com", "d.ave@gmail.com"] * 3],
)
def test_all_spellings_of_an_address_are_one(office: Office, spellings: list[str]) -> None:
    """Three letters of a kind in 30 days, however many addresses lead to one reader."""
    sent = [
        office.deliver(office.write(each, f"signup n{n} passw0rd"), sender=f"x@e{n}.example")
        for n, each in enumerate(spellings)
    ]
    assert sum(len(outcome.letters) for outcome in sent) == 3


def test_no_domain_that_is_vouched_for_fills_the_hour_of_signups(vouching: Office) -> None:
    """Ten of one domain or machine; guests are counted by their own address."""

    def signup(number: int, domain: str) -> bool:
        headers = VOUCHED.format("pass", domain)
        raw = vouching.write(f"n{number}@{domain}", f"signup n{number} passw0rd", headers=headers)
        vouching.deliver(raw)
        return any(
            letter.subject.startswith(f"Star account n{number}:") for letter in vouching.letters()
        )

    assert sum(signup(number, "y.example") for number in range(70)) == 10
    assert signup(100, "honest.example")
    (welcome,) = vouching.send("x@y.example", "hello")
    assert signed_up(vouching, welcome.reply_to).startswith("Welcome, xenia!")


def test_talk_takes_no_letters_from_those_who_ask(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spam is talk. It has letters of its own, so that a flood of it keeps nobody out."""
    monkeypatch.setattr(strangers, "TALK_A_DAY", 3)
    talk = [asked(office, number, "Buy now") for number in range(5)]
    assert talk == [[WELCOME]] * 3 + [[]] * 2
    assert asked(office, 10, "help") == [WELCOME]
    assert asked(office, 11, "signup n11") == ["Star account n11: please confirm"]
    office.now += DAY
    assert asked(office, 12, "Buy now") == [WELCOME]


def test_limits_off_lifts_them(office_of: Callable[..., Office]) -> None:
    office = office_of(limits="off")
    assert [asked(office, 1) for _ in range(5)] == [[WELCOME]] * 5
    assert all(len(office.send("alice", f"Hello {n}", "nothing")) == 1 for n in range(14))
    guess(office, 25, "alice", "mallory", "192.0.2.1")
    office.deliver(office.write("alice", "limit alice s3cret 5"), peer="192.0.2.1")
    told = [letter.text for letter in office.letters() if letter.to == address("alice")]
    assert "challenges for: 5" in told[-1]


# -- what our own mail server says


def test_no_letter_where_our_own_server_says_it_is_forged(vouching: Office) -> None:
    """``admin explain`` shows what it said; where no server of ours says anything there is no such line."""
    said = {"pass": "vouches for", "fail": "says that", "none": "said nothing of"}
    for number, (verdict, words) in enumerate(said.items(), 1):
        for subject in ("play", "help"):
            welcomed = asked(vouching, number, subject, verdict)
            assert welcomed == ([] if verdict == "fail" or subject == "help" else [WELCOME])
        mail = f"<{2 * number}@mua.example>"
        told = vouching.run("admin", "explain", mail).stdout
        assert [line for line in told.splitlines() if line.startswith("  Our mail server")] == [
            f"  Our mail server {words} its From address{' is forged' * (verdict == 'fail')}."
        ]
        assert vouching.facts("admin", "explain", mail)["mails"][0]["authentic"] == verdict


# -- who replies to the welcome


def test_a_reply_opens_the_account_within_a_week(office: Office) -> None:
    """And errors of whoever replies are answered, twenty a day."""
    (welcome,) = office.send("x@y.example", "hello")
    answered = [
        len(office.send("x@y.example", "Re: x", "sign", welcome.reply_to))
        for _ in range(GUEST_LETTERS_A_DAY + 3)
    ]
    assert answered == [1] * GUEST_LETTERS_A_DAY + [0] * 3
    office.now += 7 * DAY + 1
    assert "confirm" in signed_up(office, welcome.reply_to), "the old letter proves nothing"
    (welcome,) = office.send("x@y.example", "hello")
    assert signed_up(office, welcome.reply_to).startswith("Welcome, xenia!")
    again = signed_up(office, welcome.reply_to, "signup x2 passw0rd")
    assert "confirm" in again, "it opens one account"


def test_who_has_no_account_is_not_told_how_to_move(office: Office) -> None:
    (welcome,) = office.send("new@new.example", "help")
    (again,) = office.send("new@new.example", f"Re: {WELCOME}", "Newbie", welcome.reply_to)
    assert again.text.startswith("I found no command in your message.\n\n")


# -- who is welcomed


@pytest.mark.parametrize("subject", ["hello", "Hi, how do I play?"])
def test_what_no_person_wrote_is_not_welcomed(office: Office, subject: str) -> None:
    for headers in ("Auto-Submitted: auto-replied\r\n", "X-Auto-Response-Suppress: All\r\n"):
        office.deliver(office.write("jo@new.example", subject, headers=headers))
        assert office.letters() == []


@pytest.mark.parametrize(
    ("line", "answer"), [("star move 1 {} wr0ng C3", []), ("forgot {}", [WELCOME])]
)
def test_a_stranger_does_not_learn_whether_there_is_an_account(
    office: Office, line: str, answer: list[str]
) -> None:
    """Who guesses a password is never welcomed, who asks for one always."""
    for number, who in enumerate(("alice", "nobody2")):
        letters = office.send(f"x{number}@evil.example", line.format(who))
        assert [got.subject for got in letters if got.to[0] == "x"] == answer


@pytest.mark.parametrize(
    ("local", "name"),
    [("karl.mueller", "karl"), ("Anna-Mary", "anna-mary"), ("alice", "alice2"),
     ("1234567", ""), ("x", ""), ("star", "star2"), ("a_very_long_name_of_mine", "a_very_long_")],
)  # fmt: skip
def test_a_free_name_is_suggested(office: Office, local: str, name: str) -> None:
    (welcome,) = office.send(f"{local}@new.example", "play")
    assert f"\n  signup {name or 'NAME'}\n" in welcome.text
