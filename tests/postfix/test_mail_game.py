"""The Postfix of docs/installing.md, built and played through: all mail by SMTP through Postfix."""

from __future__ import annotations

import re
import smtplib

import pytest
import readme
from harness.server import PATIENCE, until
from house import DOMAIN, OPERATOR, SERVER, House

pytestmark = pytest.mark.slow


def test_a_whole_game(house: House) -> None:
    """Two strangers sign up and play to the end, with commands and with replies."""
    alice, bob = "alice@home.example", "bob@work.example"
    for who, address in (("alice", alice), ("bob", bob)):
        house.send(address, f"signup {who} s3cret")
        (asked,) = house.next()
        assert asked.to == address
        house.send(address, f"Re: {asked.mail['Subject']}", "yes", str(asked.mail["Reply-To"]))
        (welcome,) = house.next()
        assert welcome.to == address
    house.send(alice, "star challenge -size=4 alice bob", "Shall we?")
    letters = house.next(2)
    assert [letter.to for letter in letters] == [alice, bob]
    board = int(letters[0].mail["X-Pbmstar-Board"])
    assert letters[1].mail["Subject"] == f"New Star Board {board} alice **"
    assert "alice writes:\n  Shall we?\n" in letters[1].text

    moves = (
        (alice, "C3", 1),
        (bob, "swap", 1),
        (alice, "D4", 2),
        (bob, "D1", 3),
        (alice, "pass", 4),
    )
    for who, move, made in moves:
        (own,) = [letter for letter in letters if letter.to == who]
        reply_to = str(own.mail["Reply-To"])
        assert re.fullmatch(r"star\+[a-z0-9]+@star\.example\.org", reply_to)
        body = f"{move}\r\n\r\nto you\r\n\r\n> {own.text.splitlines()[0]}\r\n> B2"
        house.send(who, f"Re: {own.mail['Subject']}", body, reply_to)
        letters = house.next(2)
        assert [letter.mail["X-Pbmstar-Move"] for letter in letters] == [str(made)] * 2
    house.send(bob, f"star move {board} bob s3cret pass")
    letters = house.next(2)
    for letter in letters:
        assert letter.mail["Subject"].startswith(f"Star Board {board} - ")
        assert letter.mail["X-Pbmstar-Result"] == "bob"
        assert "bob won by 1 point." in letter.text
        assert letter.to == letter.mail["To"]
        assert re.fullmatch(rf"star\+b(alice|bob)-[a-z2-7]{{16}}@{DOMAIN}", letter.sender)
    assert house.rest() == []
    assert house.pbmstar.says("admin", "check") == "0 differences.\n"
    assert len(house.pbmstar.json("admin", "board", "show", str(board))["moves"]) == 6


def test_mail_for_a_former_domain_is_passed_on(house: House) -> None:
    """As docs/how-to/change-my-domain.md sets Postfix up; what is before the @ stays as it is.

    Postfix starts anew, since after a reload its old processes can still answer the next client.
    """
    page = readme.PAGES["docs/how-to/change-my-domain.md"].replace("@new.example", f"@{DOMAIN}")
    settings = re.findall(r"(?m)^ *postconf -e '(.*)'$", page)
    assert len(settings) == 2
    try:
        house.postfix.stop()
        for setting in settings:
            house.postfix.run("postconf", "-e", setting)
        house.postfix.start()
        who = "former@home.example"
        house.send(who, "signup former", to="star@old.example")
        (asked,) = house.next()
        local, _, domain = str(asked.mail["Reply-To"]).partition("@")
        assert "+" in local and domain == DOMAIN
        house.send(who, f"Re: {asked.mail['Subject']}", "yes", f"{local}@old.example")
        (welcome,) = house.next()
        assert "Welcome, former!" in welcome.text
    finally:
        house.postfix.stop()
        for setting in settings:
            house.postfix.run("postconf", "-X", setting.partition(" ")[0])
        house.postfix.start()


def test_postfix_tells_who_its_client_is(house: House) -> None:
    """By XFORWARD, so that wrong passwords lock the machine that they come from."""
    port, source = house.postfix.port, ("127.0.0.2", 0)
    with smtplib.SMTP("127.0.0.1", port, source_address=source, timeout=PATIENCE) as smtp:
        text = "From: x@evil.example\r\nSubject: limit alice wr0ng 5\r\n\r\n"
        smtp.sendmail("x@evil.example", [SERVER], text)

    def clients() -> list[object]:
        return [line.get("client") for line in house.pbmstar.logged("mail")]

    until(lambda: source[0] in clients(), "a mail with its client")


@pytest.mark.parametrize("field", ["{}: {}", "{} : {}", "{}:\r\n {}", "{}: (x) {}"])
def test_postfix_removes_what_strangers_say_they_found_out(house: House, field: str) -> None:
    """H20: under our own name, which milters leave in, whatever they add themselves."""
    field = field.format("Authentication-Results", "mail.example.org")
    before = len(house.pbmstar.logged("mail"))
    raw = house.write("x@home.example", headers=f"{field}; dmarc=pass header.from=home.example\r\n")
    assert not house.hand_in(raw, "x@evil.example")
    until(lambda: len(house.pbmstar.logged("mail")) > before, "the mail")
    assert house.pbmstar.logged("mail")[-1]["authentic"] == "none"


def test_two_recipients_of_ours(house: House) -> None:
    """T20: one mail to two addresses of ours is one effect, and Postfix gets an answer for each."""
    carl, _ = house.pbmstar.add("carl", "dora")
    before = len(house.pbmstar.logged("mail"))
    raw = house.write(carl, "star challenge -size=4 carl dora")
    assert not house.hand_in(raw, carl, SERVER, f"star+home@{DOMAIN}")
    assert [letter.mail["Subject"][:8] for letter in house.next(2)] == ["New Star"] * 2
    assert house.rest() == []
    (mail,) = house.pbmstar.logged("mail")[before:]
    assert (mail["outcome"], mail["recipients"]) == ("applied", 2)
    statuses = re.findall(r"to=<(star(?:\+home)?)@\S+ .*status=sent \((\d+)", house.postfix.log())
    assert sorted(statuses[-2:]) == [("star", "250"), ("star+home", "250")]


def test_unknown_recipients(house: House) -> None:
    """T21: Postfix refuses, at RCPT, who is none of ours, and takes the others of the same mail."""
    (eve,) = house.pbmstar.add("eve")
    raw = house.write(eve, "star help")
    refused = house.hand_in(raw, eve, f"nobody@{DOMAIN}", SERVER, f"stars+x@{DOMAIN}")
    assert {who: code for who, (code, _) in refused.items()} == {
        f"nobody@{DOMAIN}": 550,
        f"stars+x@{DOMAIN}": 550,
    }
    (letter,) = house.next()
    assert (letter.to, letter.mail["Subject"]) == (eve, "Help: Star")
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        house.hand_in(raw, eve, f"root@{DOMAIN}")
    assert house.rest() == []


@pytest.mark.parametrize("local", ["postmaster", "Abuse"])
def test_mail_to_the_operator(house: House, local: str) -> None:
    """Mail to postmaster and abuse comes to the operator within a letter of ours, and nobody is answered."""
    raw = house.write("someone@far.example", f"to {local}", "There's a problem")
    assert not house.hand_in(raw, "someone@far.example", f"{local}@{DOMAIN}")
    (letter,) = house.next()
    assert letter.to == OPERATOR
    assert letter.mail["From"].endswith(f"@{DOMAIN}")
    assert letter.sender == ""
    (within,) = letter.parts[0].get_payload()
    assert within["From"] == "someone@far.example"
    assert "There's a problem" in within.get_payload()
    assert house.rest() == []


@pytest.mark.parametrize("end", ["\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r\n\0.\r\n"])
def test_smuggling(house: House, end: str) -> None:
    """T4: a false end of a mail with a second envelope behind it is text of the one mail."""
    author = "smuggler@far.example"
    inner = (
        f"MAIL FROM:<{author}>\r\nRCPT TO:<postmaster@{DOMAIN}>\r\nDATA\r\n"
        f"From: {author}\r\nSubject: inner\r\n\r\ninner"
    )
    raw = house.write(author, "outer", f"outer{end}{inner}", f"postmaster@{DOMAIN}")
    with smtplib.SMTP("127.0.0.1", house.postfix.port, timeout=600) as smtp:
        smtp.ehlo()
        smtp.mail(author)
        smtp.rcpt(f"postmaster@{DOMAIN}")
        assert smtp.docmd("DATA")[0] == 354
        smtp.send(raw + b".\r\n")
        assert smtp.getreply()[0] in (250, 554)
    for letter in house.rest():
        (within,) = letter.parts[0].get_payload()
        assert within["Subject"] == "outer"
    until(lambda: house.pbmstar.process and house.pbmstar.process.poll() is None, "daemon")
