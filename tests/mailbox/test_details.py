"""A reply proves its writer at a provider without plus addresses, and where a gateway cuts them off."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from harness.letters import SERVER, Got
from harness.office import Office

CHALLENGE = "star challenge -size=4 alice bob"


@pytest.fixture
def plain(office_of: Callable[..., Office]) -> Office:
    return office_of(detail="none")


def of(letters: list[Got], who: str) -> Got:
    return next(each for each in letters if each.to == f"{who}@{who}.example")


def reply(
    office: Office, letter: Got, body: str, subject: str = "", names: str = "In-Reply-To"
) -> list[Got]:
    """The letters that come of a reply to the server's plain address."""
    ours = letter.mail["Message-ID"]
    headers = {"In-Reply-To": f"In-Reply-To: {ours}\r\n", "": ""}
    headers["References"] = f"References: {letter.mail.get('References', '')} {ours}\r\n"
    subject = subject or f"Re: {letter.subject}"
    sender = letter.to.partition("@")[0]
    office.deliver(office.write(sender, subject, body, headers=headers[names]))
    return office.letters()


def links(letter: Got) -> dict[str, str]:
    """The Subjects of the links to tap, by what is said first in them; each writes to our plain address."""
    found = re.findall(r'href="mailto:([^"?]*)\?(?:[^"]*?)subject=([^"]*)"', letter.html)
    assert {address for address, _ in found} <= {SERVER}
    return {unquote(subject).partition(" [")[0]: unquote(subject) for _, subject in found}


def test_addresses_are_plain(plain: Office) -> None:
    for letter in plain.send("alice", CHALLENGE):
        assert letter.reply_to == SERVER
        assert letter.sender == SERVER
        assert b"+" not in letter.raw.partition(b"\n\n")[0].replace(b"+0000", b"")


@pytest.mark.parametrize("names", ["In-Reply-To", "References"])
@pytest.mark.parametrize("detail", ["none", "plus"])
def test_a_game_by_replies_to_the_plain_address(
    office_of: Callable[..., Office], names: str, detail: str
) -> None:
    """A server with plus addresses understands both."""
    office = office_of(detail=detail)
    letters = office.send("alice", CHALLENGE)
    for who, move in (("alice", "C3"), ("bob", "C4"), ("alice", "C5"), ("bob", "resign")):
        letters = reply(office, of(letters, who), move, names=names)
    row = office.row(1)
    assert row is not None
    assert (row.length, row.to_move) == (4, "")


def test_a_game_by_taps(plain: Office) -> None:
    """Each link has the proof at the end of its Subject; some programs put something before or after."""
    letters = plain.send("alice", CHALLENGE)
    for who, move, form in (
        ("alice", "C3", "{}"),
        ("bob", "C4", "{}  "),
        ("alice", "C5", "{} "),
        ("bob", "B4", "[ext] {}"),
    ):
        tapped = links(of(letters, who))[move]
        assert re.fullmatch(rf"{move} \[r1t\dk1z[a-z2-7]{{16}}\]", tapped)
        letters = plain.send(who, form.format(tapped))
    row = plain.row(1)
    assert row is not None
    assert row.length == 4


def test_a_proof_is_for_one_turn(plain: Office) -> None:
    letters = plain.send("alice", CHALLENGE)
    tapped = links(of(letters, "alice"))
    reply(plain, of(letters, "alice"), "C3")
    plain.play_as("bob", 1, "C4")
    (letter,) = plain.send("alice", tapped["B3"])
    assert "an older letter" in letter.text
    row = plain.row(1)
    assert row is not None
    assert row.length == 2


@pytest.mark.parametrize("place", ["subject", "answer"])
def test_a_forged_proof_does_nothing(plain: Office, place: str) -> None:
    letters = plain.send("alice", CHALLENGE)
    before = plain.state()
    forged = "r1t0k1z" + "a" * 26
    subject, headers = f"C3 [{forged}]", ""
    if place == "answer":
        subject, headers = "C3", f"In-Reply-To: <pbmstar.1.{forged}@pbm.example>\r\n"
    plain.deliver(plain.write("alice", subject, headers=headers))
    assert plain.state() == before
    assert letters


def test_old_letters_work_when_the_setting_changes(office_of: Callable[..., Office]) -> None:
    office = office_of()
    letters = office.send("alice", CHALLENGE)
    to = of(letters, "alice").reply_to
    assert "+r1t0" in to
    other = office_of(people=(), detail="none")
    other.deliver(office.write("alice", "C3"), to=to)
    row = office.row(1)
    assert row is not None
    assert row.length == 1


def test_our_answers_do_not_repeat_a_proof(plain: Office) -> None:
    letters = plain.send("alice", CHALLENGE)
    tapped = links(of(letters, "alice"))["C3"]
    mac = tapped.partition("[")[2]
    for letter in plain.send("alice", tapped.replace("C3", "Q99")):
        assert mac not in str(letter.mail["Subject"])
        assert "Q99" in letter.text
        assert mac not in letter.text


# -- a program that drops In-Reply-To


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Re: Star Board 1 alice", "C3"),
        ("Re: New: Star", "C3\n\n> old text"),
        ("C3", ""),
        ("x", "c3"),
    ],
)
def test_a_reply_without_a_trace_is_offered(plain: Office, subject: str, body: str) -> None:
    """Nothing is played, and nothing is lost: a yes to the answer plays it."""
    plain.send("alice", CHALLENGE)
    before = plain.row(1)
    (letter,) = plain.send("alice", subject, body)
    assert letter.to == "alice@alice.example"
    assert plain.row(1) == before
    assert "To play C3, reply yes." in letter.words
    copied = re.search(r"  (yes \[r1t0k1z[a-z0-9]+\])\n", letter.text)
    assert copied
    plain.send("alice", copied[1])
    row = plain.row(1)
    assert row is not None
    assert row.length == 1


def test_a_yes_by_reply(office: Office) -> None:
    """The same at a server with plus addresses, to one of which somebody wrote without it."""
    office.send("alice", CHALLENGE)
    (letter,) = office.send("alice", "Re: Star Board 1 alice", "C3")
    assert "To play C3, reply yes." in letter.words
    assert "[r1" not in letter.text
    office.send("alice", "Re: x", "yes", to=letter.reply_to)
    row = office.row(1)
    assert row is not None
    assert row.length == 1


def test_what_is_unclear_is_not_offered(plain: Office) -> None:
    """Two boards wait, or the line names two cells, or none; bob's name in From proves nothing."""
    plain.send("alice", CHALLENGE)
    (letter,) = plain.send("alice", "Re: Star Board 1 alice", "well played, see you")
    assert "reply yes" not in letter.text
    assert plain.send("mallory@mallory.example", "Re: Star Board 1 alice", "C3")[0].to != (
        "alice@alice.example"
    )
    plain.send("alice", CHALLENGE)
    (letter,) = plain.send("alice", "C3", "")
    assert "reply yes" not in letter.text


# -- other letters


def test_a_bounce_finds_its_account(plain: Office) -> None:
    """The provider sets the envelope's sender: the field of the letter says whose it was."""
    (letter, *_) = plain.send("alice", "help")
    head = letter.raw.decode().partition("\n\n")[0]
    bounce = (
        "From: MAILER-DAEMON@mx.example\r\nTo: star@pbm.example\r\nSubject: failed\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status;\r\n"
        ' boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nno such user\r\n--b\r\n'
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        "Final-Recipient: rfc822; alice@alice.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\n"
        f"Content-Type: text/rfc822-headers\r\n\r\n{head}\r\n\r\n--b--\r\n"
    )
    done = plain.deliver(bounce.encode(), sender="")
    assert (done.name, done.why) == ("applied", "bounce")


def test_a_reminder_is_stopped_by_its_header(plain: Office) -> None:
    plain.begun()
    plain.now += 8 * 86400.0
    letters = [each for each in plain.remind()[1] if "List-Unsubscribe" in each.mail]
    assert letters
    field = letters[0].mail["List-Unsubscribe"]
    match = re.fullmatch(r"<mailto:star@pbm\.example\?subject=(unsubscribe.*)>", field)
    assert match
    done = plain.deliver(plain.write("alice", unquote(match[1])))
    assert (done.name, done.why) == ("applied", "unsubscribe")
