"""The first hour: two mails and at most 250 words to the first stone, which is never lost, in each language."""

from __future__ import annotations

from collections.abc import Callable

import lxml.html
import pytest
from harness.letters import Got
from harness.office import DAY, Office

WHO = "anna.p@new.example"
HELLO = {
    "en": "hello",
    "de": "Hallo, ich möchte gerne mitspielen",
    "es": "Hola, quiero jugar una partida por favor",
    "fr": "Bonjour, je voudrais jouer une partie",
}
MOST = 250  # words that are read until the game goes on
# What somebody writes to the letter of the door, line by line of a mail or mail by mail.
WAYS = {
    "a name": ["Anna"],
    "a cell": ["C3", "Anna"],
    "a name, then a cell": ["Anna", "C3"],
    "both": ["C3\nAnna"],
    "both, the name first": ["Anna\n\nC3"],
    "both in a line": ["Anna, C3"],
    "the line of the letter, and the cell": ["signup anna\nC3"],
    "on one line": ["signup anna C3"],
    "in a sentence": ["I would like to put my stone on C3 please. My name is Anna."],
    "auf Deutsch": ["Hallo, ich möchte C3 spielen. Ich heiße Anna"],
    "en français": ["Bonjour, je joue C3. Je m'appelle Anna."],
    "en español": ["Hola, juego C3. Me llamo Anna"],
    "an account, then a cell": ["signup anna", "C3"],
    "a cell in a sentence, then a name": ["I'll take C3, thank you", "Anna"],
}


@pytest.fixture
def door(office_of: Callable[..., Office]) -> Office:
    office = office_of(pictures="on")
    office.run("admin", "bot", "add", "bot1")
    return office


def words(letter: Got) -> int:
    """The words that the HTML part shows, without what is folded."""
    page = lxml.html.fromstring(letter.html)
    for hidden in page.xpath("//style|//title|//details"):
        hidden.drop_tree()
    return len(page.text_content().split())


def tapped(office: Office, letter: Got, cell: str) -> list[Got]:
    """What comes of a tap on a cell: the mail that it opens is sent as it is."""
    (link,) = {
        each.get("href")
        for each in lxml.html.fromstring(letter.html).xpath("//a|//area")
        if each.get("href", "").endswith(f"subject={cell}")
    }
    body = link.partition("body=")[2].partition("&")[0].replace("%20", " ")
    office.deliver(office.write(WHO, cell, body, letter.reply_to), to=letter.reply_to)
    office.think()
    return office.letters()


@pytest.mark.slow
@pytest.mark.parametrize("language", HELLO)
def test_two_mails_and_few_words(door: Office, language: str) -> None:
    (welcome,) = door.send(WHO, HELLO[language])
    assert words(welcome) <= MOST
    assert len(welcome.text.partition("1-")[0].split("\n")) <= 14, (
        "the board is on the first screen"
    )
    (board,) = tapped(door, welcome, "C3")
    assert board.subject == "New Star Board 1 anna"
    assert door.record(1)[0] == "C3" and len(door.record(1)) == 2
    assert door.ask("accounts.user", "anna").language == language


@pytest.mark.few(3)
@pytest.mark.parametrize("days", [0, 14])
@pytest.mark.parametrize("way", WAYS)
def test_the_stone_is_never_lost(door: Office, way: str, days: int) -> None:
    """Each mail answers the first letter, or the last one."""
    for answers in (0, -1):
        who = f"anna{answers}@new.example"
        letters = door.send(who, "hello")
        for line in WAYS[way]:
            door.now += days * DAY
            came = door.send(
                who, "Re: x", line.replace("nna", f"nna{answers + 1}"), letters[answers].reply_to
            )
            door.think()
            letters += came + door.letters()
            assert not any(line.lower() in each.words.lower().split() for each in came), (
                "it was just sent"
            )
        (user,) = door.ask("accounts.users_at", who)
        assert user.userid == f"anna{answers + 1}"
        (row,) = door.ask("boards.of", user.userid, "active")
        assert row.seats == (user.userid, "bot1")
        assert door.record(row.board)[:1] == (["C3"] if "C3" in "".join(WAYS[way]) else [])


def test_the_welcome_stands_below_the_first_board(door: Office) -> None:
    """And below no other one; who has no game yet gets it as a letter."""
    (welcome,) = door.send(WHO, "hello")
    (board,) = tapped(door, welcome, "C3")
    told = "Welcome, anna! Your account is open,"
    assert told in board.words and "To play a person, reply: match" in board.words
    door.send(WHO, "Re: x", "D2", board.reply_to)
    door.think()
    (second,) = door.letters()
    assert told not in second.words
    (other,) = door.send("eve@new.example", "hello")
    (account,) = door.send("eve@new.example", "Re: x", "signup eve", other.reply_to)
    assert account.subject == "Star account eve: welcome"


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "word", ["Thanks", "Danke!", "ok", "oui", "Schach", "hex", "stop", "start", "Freund", "rules"]
)
def test_a_word_that_says_something_is_no_name(door: Office, word: str) -> None:
    (welcome,) = door.send(WHO, "hello")
    door.send(WHO, "Re: x", word, welcome.reply_to)
    assert not door.ask("accounts.users_at", WHO)


def test_a_name_that_is_taken_leaves_the_stone(door: Office) -> None:
    (welcome,) = door.send(WHO, "hello")
    (again,) = door.send(WHO, "Re: x", "C3\nAlice", welcome.reply_to)
    assert "alice is taken" in again.words and "Your stone is on C3" in again.words
    door.send(WHO, "Re: x", "Alma", again.reply_to)
    assert door.record(1)[0] == "C3" and door.row(1).seats[0] == "alma"  # type: ignore[union-attr]
