"""The door with a board of a bot: a first mail, a first move, and the name that begins the game."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from harness.office import Office

WELCOME = "Star: welcome"
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


@pytest.mark.slow
def test_a_first_mail_of_a_person_is_welcomed(office: Office) -> None:
    """And two mails more make a move: door.mails."""
    office.run("admin", "bot", "add", "bot1")
    for number, mail in enumerate(FIRST_MAILS):
        who = f"jo@new{number}.example"
        (welcome,) = office.send(who, *mail)
        assert welcome.subject == WELCOME, mail
        text = welcome.text.partition("Here's the page you asked for")[0]
        most = 220 if "This is a server" in text else 270  # other languages need more words
        assert len(re.findall("[A-Za-z']{2,}", text)) < most, mail
        (asks,) = office.send(who, "C3", "", welcome.reply_to)
        assert asks.subject == "Star: your first move", mail


def first_move(office: Office) -> str:
    """The reply address of the letter that asks jo for a name."""
    office.run("admin", "bot", "add", "bot1")
    (welcome,) = office.send("jo@new.example", "play")
    (asks,) = office.send("jo@new.example", "C3", "", welcome.reply_to)
    return asks.reply_to


def test_the_address_of_a_first_move_speaks_for_its_reader_alone(office: Office) -> None:
    """The move is stored by nobody, and begins one game."""
    boards = office.state()[1:]
    to = first_move(office)
    assert office.state()[1:] == boards
    (letter,) = office.send("eve@evil.example", "signup eve", "", to)
    assert "confirm" in letter.text, "whoever has not read the letter confirms"
    local, _, domain = to.partition("@")
    for other in (local.replace("mc3-", "md4-"), local.replace("mc3-", "-"), f"{local[:-1]}a"):
        assert other != local
        (letter,) = office.send("jo@new.example", "signup jo", "", f"{other}@{domain}")
        assert "confirm" in letter.text
    assert office.ask("accounts.user", "jo") is None
    office.send("jo@new.example", "signup jo", "", to)
    for _ in range(2):
        office.send("jo@new.example", "signup jo2", "", to)
        office.send("jo@new.example", "D4", "", to)
    assert len(office.ask("boards.page")) == 1 and office.record(1) == ["C3"]


def test_no_password_opens_an_account_without_one(office: Office) -> None:
    office.send("jo@new.example", "signup jo", "", first_move(office))
    for guessed in ("none", "None", "jo12", "null", "signup"):
        office.send("eve@evil.example", f"letters jo {guessed} mine")
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
    assert "On this board x has 3 points" in welcome.text and "bot1" not in welcome.text
    (again,) = office.send("jo@new.example", "C3", "", welcome.reply_to)
    assert again.subject == WELCOME
    (account,) = office.send("jo@new.example", "signup jo", "", welcome.reply_to)
    assert account.subject == "Star account jo: welcome"
