"""The door: who is welcomed, how often, and what a flood of forged mails makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from harness.letters import PASSWORD
from harness.office import DAY, Office

from pbmstar.service.incoming.newcomers import GUEST_LETTERS_A_DAY
from pbmstar.service.proof import strangers

WELCOME = "Star: welcome"
VOUCHED = "Authentication-Results: mx.pbm.example; dmarc={} header.from={}\r\n"


def asked(office: Office, number: int, words: str = "help", verdict: str = "") -> list[str]:
    """The Subjects of what somebody new is answered."""
    who = f"n{number}@new{number}.example"
    headers = VOUCHED.format(verdict, who.partition("@")[2]) if verdict else ""
    office.deliver(office.write(who, words, headers=headers))
    return [got.subject for got in office.letters()]


def test_a_day_s_letters_to_strangers_have_a_part_for_the_door(
    office_of: Callable[..., Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signups may take what is not kept for those who ask; who is vouched for is counted apart."""
    monkeypatch.setattr(strangers, "A_DAY", 12)
    monkeypatch.setattr(strangers, "FOR_THE_DOOR", 5)
    monkeypatch.setattr(strangers.require_room, "__defaults__", (5,))
    office = office_of(authserv_id="mx.pbm.example")
    for number in range(7):
        assert asked(office, number, f"signup n{number} passw0rd") == [f"Star account n{number}"]
    assert asked(office, 8, "signup n8 passw0rd") == [WELCOME], "which says why"
    welcomed = [asked(office, number) for number in range(100, 110)]
    assert welcomed == [[WELCOME]] * 4 + [[]] * 6
    assert asked(office, 401, verdict="pass") == [WELCOME]
    office.now += DAY
    assert asked(office, 109) == [WELCOME]


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
    assert [letters(10 + n, "big.example", f"x@e{n}.example") for n in range(7)] == [1] * 5 + [
        0
    ] * 2
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


def test_no_domain_that_is_vouched_for_fills_the_hour_of_signups(
    office_of: Callable[..., Office],
) -> None:
    """Ten of one domain or machine; guests are counted by their own address."""
    office = office_of(authserv_id="mx.pbm.example")

    def signup(number: int, domain: str) -> bool:
        headers = VOUCHED.format("pass", domain)
        raw = office.write(f"n{number}@{domain}", f"signup n{number} passw0rd", headers=headers)
        office.deliver(raw)
        return any(letter.subject == f"Star account n{number}" for letter in office.letters())

    assert sum(signup(number, "evil.example") for number in range(70)) == 10
    assert signup(100, "honest.example")
    (welcome,) = office.send("x@evil.example", "hello")
    (letter,) = office.send("x@evil.example", "Re: x", "signup xenia passw0rd", welcome.reply_to)
    assert letter.text.startswith("Welcome, xenia!")


def test_an_account_moves_three_times_a_day(office: Office) -> None:
    def move(number: int) -> tuple[str, ...]:
        subject = f"change address alice {PASSWORD['alice']} d@d{number}.example"
        return office.deliver(office.write("alice", subject)).codes

    assert [move(number) for number in range(5)] == [()] * 3 + [("too-many-changes",)] * 2
    office.now += DAY
    assert move(9) == ()


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
        assert [line for line in told.splitlines() if line.startswith("  Our mail server")] == [
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


FIRST_MAILS = [
    # Of these the server has always known the meaning.
    *((subject, "") for subject in (
        "hello", "help", "Help!", "Help me", "How do I play?", "rules", "info", "register", "sign up",
        "Hilfe", "Bonjour", "Guten Tag", "aide", "ayuda", "star help", "hex help", "Hallo", "Hi",
    )),
    *(("", body) for body in ("hello", "help", "Hello Star server!")),
    # These say in words of their own what their writers want.
    *((subject, "") for subject in (
        "Hi, how do I play?", "How to play Star?", "I want to play", "play", "start", "join",
        "subscribe", "New account", "Anmeldung", "Anleitung", "?", "test", "star challenge jo bot1",
        "\U0001f642", "Re: your game", "no subject",
    )),
    ("Sign me up", "jo pass1234"),
    ("", "Hi, how do I play?"),
    ("", "Can somebody tell me the rules?\r\nThank you"),
    ("Hex", "Can I play Hex?"),
    ("Games?", "Hello,\r\n\r\nWhat is this? Can I join?\r\n\r\nBest regards\r\nJo"),
    ("Question", "How does this work?"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("subject", "body"), FIRST_MAILS)
def test_a_first_mail_of_a_person_is_welcomed_and_two_mails_make_a_move(
    office: Office, subject: str, body: str
) -> None:
    office.run("admin", "bot", "add", "bot1")
    (welcome,) = office.send("jo@new.example", subject, body)
    assert welcome.subject == WELCOME
    text = welcome.text.partition("The page that you asked for")[0]
    assert len(re.findall("[A-Za-z']{2,}", text)) < 220
    (asks,) = office.send("jo@new.example", "C3", "", welcome.reply_to)
    assert asks.subject == "Star: your first move"
    (account,) = office.send("jo@new.example", "signup jo", "", asks.reply_to)
    office.think()
    (board,) = office.letters()
    assert (account.subject, board.subject) == ("Star account jo", "New Star Board 1 jo")
    assert len(office.record(1)) == 2 and office.record(1)[0] == "C3"


def test_there_are_44_of_them() -> None:
    assert len(set(FIRST_MAILS)) == len(FIRST_MAILS) == 44


@pytest.mark.parametrize(
    ("sender", "headers"),
    [
        ("jo@new.example", "Auto-Submitted: auto-replied\r\n"),
        ("jo@new.example", "Precedence: bulk\r\n"),
        ("jo@new.example", "List-Id: <a.b.example>\r\n"),
        ("jo@new.example", "X-Autoreply: yes\r\n"),
        ("jo@new.example", "X-Auto-Response-Suppress: All\r\n"),
        ("no-reply@new.example", ""),
        ("mailer-daemon@new.example", ""),
        ("star@pbm.example", ""),
    ],
)
def test_what_no_person_wrote_is_not_welcomed(office: Office, sender: str, headers: str) -> None:
    for subject in ("hello", "Hi, how do I play?"):
        office.deliver(office.write(sender, subject, headers=headers))
        assert office.letters() == []


def test_a_forged_mail_is_not_welcomed(office_of: Callable[..., Office]) -> None:
    office = office_of(authserv_id="mx.pbm.example")
    assert asked(office, 1, "play", "fail") == []
    assert asked(office, 1, "play", "pass") == [WELCOME]


def test_talk_takes_no_letters_from_those_who_ask(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spam is talk. It has letters of its own, so that a flood of it keeps nobody out."""
    monkeypatch.setattr(strangers, "TALK_A_DAY", 3)
    talk = [asked(office, number, "Buy now") for number in range(5)]
    assert talk == [[WELCOME]] * 3 + [[]] * 2
    assert asked(office, 10, "help") == [WELCOME]
    assert asked(office, 11, "signup n11") == ["Star account n11"]
    office.now += DAY
    assert asked(office, 12, "Buy now") == [WELCOME]


def test_who_guesses_a_password_is_not_welcomed_whether_there_is_the_account_or_not(
    office: Office,
) -> None:
    for number, who in enumerate(("alice", "nobody2")):
        letters = office.send(f"x{number}@evil.example", f"star move 1 {who} wr0ng C3")
        assert [got.to for got in letters if got.to[0] == "x"] == []


def test_who_asks_for_a_password_is_welcomed_whether_there_is_the_account_or_not(
    office: Office,
) -> None:
    said = [
        [
            got.subject
            for got in office.send(f"x{n}@evil.example", f"forgot {who}")
            if got.to[0] == "x"
        ]
        for n, who in enumerate(("alice", "nobody2"))
    ]
    assert said == [[WELCOME], [WELCOME]]


def first_move(office: Office, who: str, cell: str) -> str:
    """The reply address of the letter that asks for a name."""
    office.run("admin", "bot", "add", "bot1")
    (welcome,) = office.send(who, "play")
    (asks,) = office.send(who, cell, "", welcome.reply_to)
    return asks.reply_to


def test_the_address_of_a_first_move_speaks_for_its_reader_alone(office: Office) -> None:
    to = first_move(office, "jo@new.example", "C3")
    (letter,) = office.send("eve@evil.example", "signup eve", "", to)
    assert "confirm" in letter.text, "whoever has not read the letter confirms"
    local, _, domain = to.partition("@")
    for other in (local.replace("mc3-", "md4-"), local.replace("mc3-", "-"), f"{local[:-1]}a"):
        assert other != local
        (letter,) = office.send("jo@new.example", "signup jo", "", f"{other}@{domain}")
        assert "confirm" in letter.text
    assert office.ask("accounts.user", "jo") is None
    assert len(office.send("jo@new.example", "signup jo", "", to)) == 1
    assert office.record(1) == ["C3"]


def test_a_first_move_is_stored_by_nobody_and_begins_one_game(office: Office) -> None:
    before = office.state()
    to = first_move(office, "jo@new.example", "C3")
    assert office.state()[1:] == before[1:]
    office.send("jo@new.example", "signup jo", "", to)
    for _ in range(2):
        office.send("jo@new.example", "signup jo2", "", to)
        office.send("jo@new.example", "D4", "", to)
    assert len(office.ask("boards.page")) == 1


def test_no_password_opens_an_account_without_one(office: Office) -> None:
    to = first_move(office, "jo@new.example", "C3")
    office.send("jo@new.example", "signup jo", "", to)
    for guess in ("none", "None", "jo12", "null", "signup"):
        office.send("eve@evil.example", f"letters jo {guess} mine")
    assert office.ask("accounts.user", "jo").letters == "each"
    (letter,) = office.send("jo@new.example", "forgot jo")
    token = next(word for word in letter.text.split() if len(word) == 32)
    office.send("jo@new.example", f"change password jo {token} n3w.pass")
    (letter,) = office.send("jo@elsewhere.example", "letters jo n3w.pass mine")
    assert letter.to == "jo@new.example"


def test_without_bots_the_welcome_asks_for_a_name_at_once(
    office_of: Callable[..., Office],
) -> None:
    office = office_of(bots="0")
    (welcome,) = office.send("jo@new.example", "play")
    assert "Here x has 3 points" in welcome.text and "bot1" not in welcome.text
    (again,) = office.send("jo@new.example", "C3", "", welcome.reply_to)
    assert again.subject == WELCOME
    (account,) = office.send("jo@new.example", "signup jo", "", welcome.reply_to)
    assert account.subject == "Star account jo"


@pytest.mark.parametrize(
    ("local", "name"),
    [("karl.mueller", "karl"), ("Anna-Mary", "anna-mary"), ("alice", "alice2"),
     ("1234567", ""), ("x", ""), ("star", "star2"), ("a_very_long_name_of_mine", "a_very_long_")],
)  # fmt: skip
def test_a_free_name_is_suggested(office: Office, local: str, name: str) -> None:
    (welcome,) = office.send(f"{local}@new.example", "play")
    assert f"\n  signup {name or 'NAME'}\n" in welcome.text
