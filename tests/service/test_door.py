"""The door: who is welcomed, how often, and what a flood of forged mails makes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness.common import sentence
from harness.office import DAY, Office, address
from service.guesses import guess

from pbmstar.service.incoming.newcomers import GUEST_LETTERS_A_DAY
from pbmstar.service.proof import strangers
from pbmstar.service.verbs import membership

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
    assert asked(vouching, 8, "signup n8 passw0rd") == ["Star: no account yet"]
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


def joined(
    office: Office, number: int, domain: str, verdict: str = "", *, yes: bool = True
) -> bool:
    """Whether a person at that domain who signs up is asked to confirm, and does so."""
    sender, headers = f"n{number}@{domain}", VOUCHED.format(verdict, domain) if verdict else ""
    office.deliver(office.write(sender, f"signup n{number}", headers=headers))
    letter = office.letters()[0]
    if "please confirm" not in letter.subject:
        assert letter.subject == "Star: no account yet" and "again" in letter.text
        return False
    if yes:
        to = letter.reply_to
        office.deliver(office.write(sender, "Re: Star", "yes", to, headers), to=to)
        assert "welcome" in office.letters()[0].subject
    return True


@pytest.mark.slow
@pytest.mark.parametrize("verdict", ["pass", "none", ""])
def test_a_club_of_one_provider_signs_up_in_an_evening(vouching: Office, verdict: str) -> None:
    """Whether our mail server vouches for them or not: thirty ask before anybody answers, and more after that."""
    assert all(joined(vouching, each, "gmail.com", verdict, yes=False) for each in range(30))
    assert all(joined(vouching, 100 + each, "gmail.com", verdict) for each in range(45))


def test_letters_that_nobody_confirms_are_what_is_limited(
    vouching: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood of one domain, or of one of its mailboxes, keeps no other domain out."""
    monkeypatch.setattr(strangers, "TO_A_DOMAIN", 20)
    monkeypatch.setattr(strangers, "OF_A_PLACE", 5)

    def named(number: int, by: str) -> bool:
        headers = VOUCHED.format("pass", by.partition("@")[2])
        line = f"signup v{number} v{number}@d{number}.example"
        vouching.deliver(vouching.write(by, line, headers=headers))
        return any("please confirm" in letter.subject for letter in vouching.letters())

    assert [named(each, "x@y.example") for each in range(8)] == [True] * 5 + [False] * 3
    assert sum(named(50 + each, f"x{each}@y.example") for each in range(30)) == 15
    assert named(90, "x@honest.example")
    (welcome,) = vouching.send("x@y.example", "hello")
    assert signed_up(vouching, welcome.reply_to).startswith("Welcome, xenia!")


@pytest.mark.slow
def test_the_operator_can_raise_the_limits(office_of: Callable[..., Office]) -> None:
    office = office_of(newcomers="800")
    asked = [office.send(f"n{each}@club.example", f"signup n{each}") for each in range(121)]
    assert [len(letters) for letters in asked] == [1] * 120 + [0]


def test_very_many_accounts_of_one_domain(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A domain has as many addresses as its owner likes. What was asked for stays, and can be confirmed later."""
    monkeypatch.setattr(membership, "ACCOUNTS_OF_A_DOMAIN", 2)
    assert joined(office, 0, "y.example") and joined(office, 1, "y.example")
    (letter,) = office.send("n2@y.example", "signup n2")
    to = letter.reply_to
    (refused,) = office.send("n2@y.example", "Re: Star", "yes", to=to)
    assert refused.subject == "Star: no account yet"
    assert "To try again later, reply to this letter with: signup n2" in refused.words
    assert joined(office, 3, "honest.example")
    office.now += 3_601
    (welcome,) = office.send("n2@y.example", "Re: Star", "yes", to=to)
    assert "welcome" in welcome.subject


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
    assert f"{sentence('most games')}: 5" in told[-1]


# -- what our own mail server says


def test_no_letter_where_our_own_server_says_it_is_forged(vouching: Office) -> None:
    """``admin explain`` shows what it said; where no server of ours says anything there is no such line."""
    said = {"pass": "vouches for", "fail": "says that", "none": "said nothing about"}
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


def test_a_reply_opens_the_account_within_a_year(office: Office) -> None:
    """And errors of whoever replies are answered, twenty a day."""
    (welcome,) = office.send("x@y.example", "hello")
    answered = [
        len(office.send("x@y.example", "Re: x", "sign", welcome.reply_to))
        for _ in range(GUEST_LETTERS_A_DAY + 3)
    ]
    assert answered == [1] * GUEST_LETTERS_A_DAY + [0] * 3
    office.now += 366 * DAY + 1
    assert "confirm" in signed_up(office, welcome.reply_to), "the old letter proves nothing"
    (welcome,) = office.send("x@y.example", "hello")
    assert signed_up(office, welcome.reply_to).startswith("Welcome, xenia!")
    again = signed_up(office, welcome.reply_to, "signup x2 passw0rd")
    assert "confirm" in again, "it opens one account"


def test_who_has_no_account_is_not_told_how_to_move(office: Office) -> None:
    (welcome,) = office.send("new@new.example", "help")
    (again,) = office.send("new@new.example", f"Re: {WELCOME}", "Hm, well...", welcome.reply_to)
    assert again.text.startswith(f"{sentence('nothing found')}\n\n")


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


_WISHES = (
    "I would like to put my stone on C3 please", "Could you put me on C3, please", "My move would be C3.",
    "Ich würde gern C3 spielen", "Je voudrais jouer C3, s'il vous plaît", "Me gustaría jugar C3",
)  # fmt: skip
_DENIALS = (
    "Nicht C3", "C3?", "spiele ich C3?", "C3 ist schlecht", "Pas C3", "je joue C3 ?", "sans C3", "No C3", "¿C3?",
    "tampoco C3", "I would not like C3", "anything but C3", "is C3 free",
)  # fmt: skip


@pytest.mark.few(3)
@pytest.mark.parametrize("line", [*_WISHES, *_DENIALS])
def test_a_wish_for_a_cell_is_a_stone_and_a_doubt_is_none(office: Office, line: str) -> None:
    (welcome,) = office.send("new@home.example", "hello")
    (letter,) = office.send("new@home.example", "Re: Star", line, welcome.reply_to)
    assert ("Your stone is on C3" in letter.words) == (line in _WISHES)
    office.send("new@home.example", "Re: Star", "signup newbie", letter.reply_to)
    assert (office.ask("boards.last") == 1) == (line in _WISHES)
