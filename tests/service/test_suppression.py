"""Addresses that want no mail of ours, M30: who may say so, what it does, and what it leaves alone."""

from __future__ import annotations

import pytest
from harness.office import PASSWORD, Got, Office, address
from test_bounces import DSN, verp_of

from pbmstar.errors import BadInput
from pbmstar.service import admin

VICTIM = "victim@v.example"
COMPLAINT = """From: fbl@isp.example\r
To: {to}\r
Subject: complaint\r
Message-ID: <arf@isp.example>\r
MIME-Version: 1.0\r
Content-Type: multipart/report; report-type="feedback-report"; boundary="b"\r
\r
--b\r
Content-Type: text/plain\r
\r
This is a complaint. star move 1 bob hunter2 resign\r
--b\r
Content-Type: message/feedback-report\r
\r
Feedback-Type: abuse\r
User-Agent: SomeGenerator/1.0\r
Version: 1\r
\r
--b\r
Content-Type: message/rfc822\r
\r
From: star@pbm.example\r
Subject: Star Board 1 bob\r
\r
--b--\r
"""


def way_out(letter: Got) -> str:
    """The address of a letter's List-Unsubscribe."""
    told = str(letter.mail["List-Unsubscribe"])
    assert told.startswith("<mailto:") and told.endswith(">")
    return told[8:].partition("?")[0]


def asked_for(office: Office, *commands: str) -> list[str]:
    """Who gets a letter if somebody sends these commands."""
    got = [letter for line in commands for letter in office.send("mallory@evil.example", line)]
    return [letter.to for letter in got]


def signup(office: Office) -> Got:
    (letter,) = office.send("mallory@evil.example", f"signup zed z3d.pass {VICTIM}")
    assert letter.to == VICTIM
    return letter


def change(office: Office) -> Got:
    letter, _ = office.send("alice", f"change address alice s3cret {VICTIM}")
    assert letter.to == VICTIM
    return letter


def taken(office: Office) -> Got:
    (letter,) = office.send("mallory@evil.example", f"signup bob z3d.pass {VICTIM}")
    assert letter.to == VICTIM
    return letter


LETTERS = pytest.mark.parametrize("ask", [signup, change, taken])


def is_left_alone(office: Office) -> None:
    """Assert that nobody can make us write to the victim, and that nobody learns of it."""
    office.now += 40 * 86400  # so that it is not the cap on mails of this kind
    assert asked_for(office, f"signup y0 y.passw {VICTIM}", f"signup bob y.passw {VICTIM}") == []
    told = office.send("alice", f"change address alice s3cret {VICTIM.upper()}")
    other = office.send("alice", "change address alice s3cret other@o.example")
    assert [got.text for got in told] == [got.text for got in other if got.to == address("alice")]


@LETTERS
def test_a_mail_to_the_list_unsubscribe_address_is_enough(office: Office, ask: object) -> None:
    """M30: from whomever it comes, also from a program; no account and no token are needed."""
    to = way_out(ask(office))  # type: ignore[operator]
    raw = office.write(
        "program@v.example", "never", to=to, headers="Auto-Submitted: auto-generated\r\n"
    )
    assert office.deliver(raw, sender="", to=to).why == "suppressed"
    assert office.letters() == []
    is_left_alone(office)


@pytest.mark.parametrize("ask", [signup, change])
@pytest.mark.parametrize("word", ["never", "Never!", "NEVER\n\n> To open it", "unsubscribe me"])
def test_a_reply_of_one_word(office: Office, ask: object, word: str) -> None:
    """M30: it confirms nothing, and is not answered."""
    letter = ask(office)  # type: ignore[operator]
    assert "reply with the one word: never" in " ".join(letter.text.split())
    assert office.send(VICTIM, "Re: Star account", word, letter.reply_to) == []
    assert office.ask("user", "zed") is None
    assert office.ask("user", "alice").address == address("alice")
    is_left_alone(office)


def test_a_command_where_no_reply_is_to_be_had(office: Office) -> None:
    """M30: to a letter that is to be answered with another signup."""
    letter = taken(office)
    (line,) = [line.strip() for line in letter.text.split("\n") if "  never " in line]
    assert office.send("elsewhere@e.example", line) == []
    is_left_alone(office)


def test_a_forged_way_out_does_nothing(office: Office) -> None:
    to = way_out(signup(office))
    for forged in (to.replace("+n", "+s"), to.replace("+n", "+na"), f"{to[:-20]}aaaa{to[-16:]}"):
        raw = office.write(VICTIM, "never", to=forged)
        assert office.deliver(raw, to=forged).name != "applied"
    office.letters()
    assert asked_for(office, f"signup y0 y.passw {VICTIM}") == [VICTIM]


@LETTERS
def test_a_hard_bounce_of_such_a_letter(office: Office, ask: object) -> None:
    """M30, M43: who cannot be written to is not written to again; a passing trouble is nothing."""
    to = ask(office).sender  # type: ignore[operator]
    told = {"verp": to, "action": "delayed", "status": "4.2.2", "number": 1}
    assert office.deliver(DSN.format(**told).encode(), sender="", to=to).name == "ignored"
    told |= {"action": "failed", "status": "5.1.1", "number": 2}
    assert office.deliver(DSN.format(**told).encode(), sender="", to=to).why == "suppressed"
    is_left_alone(office)
    assert [user.bounces for user in office.ask("users")] == [0.0, 0.0]


def test_a_complaint_about_a_signup_letter(office: Office) -> None:
    to = signup(office).sender
    told = office.deliver(COMPLAINT.format(to=to).encode(), sender="fbl@isp.example", to=to)
    assert told.why == "suppressed"
    is_left_alone(office)


def test_H16_a_complaint_of_a_player_suspends(office: Office) -> None:
    """H16, S16: no more mails until the player writes; the opponent is told, nothing is played."""
    verp = verp_of(office)
    raw = COMPLAINT.format(to=verp).encode()
    assert office.deliver(raw, sender="fbl@isp.example", to=verp).why == "suspended"
    assert [got.to for got in office.letters()] == [address("alice")]
    assert [got.to for got in office.play_as("alice", 1, "resign")] == [address("alice")]
    (asked,) = office.send("bob", "reminders bob hunter2 off")
    assert asked.to == address("bob") and asked.mail["List-Unsubscribe"] is None
    assert office.send("bob", "Re: Star account bob", "", asked.reply_to)[0].to == address("bob")


def test_a_complaint_to_no_such_address_does_nothing(office: Office) -> None:
    assert office.deliver(COMPLAINT.format(to="star@pbm.example").encode()).name == "ignored"


def test_an_account_is_written_to_all_the_same(office: Office) -> None:
    """M30: alice gets no letters that strangers ask for, but all those of her account."""
    (letter,) = office.send("mallory@evil.example", f"signup zed z3d.pass {address('alice')}")
    office.send("alice", "", "never", letter.reply_to)
    assert asked_for(office, f"signup y0 y.passw {address('alice')}") == []
    assert [got.to for got in office.send("bob", "star challenge alice bob")][:1] == [
        address("alice")
    ]
    assert asked_for(office, "forgot alice") == [address("alice")]
    with office.store.transaction() as tx:
        tx.set_bounces("alice", 3.0, "suspended")
    assert asked_for(office, "forgot alice") == []


def test_who_confirms_after_all_is_welcome_again(office: Office) -> None:
    letter = signup(office)
    office.send(VICTIM, "", "never", letter.reply_to)
    assert [got.to for got in office.send(VICTIM, "", "", letter.reply_to)] == [VICTIM]
    assert asked_for(office, f"signup y0 y.passw {VICTIM}") == [VICTIM]


def test_the_operator_suppresses_and_lifts(office: Office) -> None:
    office.at_desk(admin.suppress, VICTIM.upper())
    is_left_alone(office)
    office.now += 40 * 86400
    office.at_desk(admin.suppress, VICTIM, True)
    assert asked_for(office, f"signup y0 y.passw {VICTIM}") == [VICTIM]
    with pytest.raises(BadInput, match="not suppressed"):
        office.at_desk(admin.suppress, VICTIM, True)
    assert not [act for act in office.ask("audit") if VICTIM in act[3]]


def test_no_address_of_a_stranger_is_kept(office: Office, database: str) -> None:
    office.at_desk(admin.suppress, VICTIM)
    if database.startswith("sqlite"):
        office.store.close()
        for file in office.config.spool.glob("pbmstar.db*"):
            assert VICTIM.encode() not in file.read_bytes()


def test_tokens_of_other_kinds_say_nothing(office: Office) -> None:
    (letter,) = office.send("alice", "forgot alice")
    token = next(word for word in letter.text.split() if len(word) == 32)
    (told,) = office.send("alice", f"never {token}")
    assert "not known" in told.text
    assert PASSWORD["alice"] not in told.text
