"""The door answers what was asked: a game, a friend, plain questions, a name, no more mail, an invitation."""

from __future__ import annotations

import pytest
from harness.common import sentence
from harness.letters import SERVER
from harness.office import DAY, Office

from pbmstar.render.letters import Renderer
from pbmstar.render.recipe import Recipe
from pbmstar.service.incoming.newcomers import LETTERS
from pbmstar.service.verbs.membership import FIRST_GAMES

TOM = "tom@new.example"


@pytest.fixture(autouse=True)
def bots(office: Office) -> None:
    for bot in ("bot1", "bot2"):
        office.run("admin", "bot", "add", bot)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("subject", "body", "title", "cell"),
    [
        ("I want a game of hex, 11x11 please", "", "Hex", "B2"),
        ("hex challenge marta bot1", "", "Hex", "B2"),
        ("Hex?", "", "Hex", "A1"),
        ("", "Hello,\r\n\r\ncan we play Y here?", "Y", "B2"),
        ("*star", "", "*Star", "S10"),
        ("Star Y?", "", "Star Y", "@"),
        ("poly-y", "", "Poly-Y", "*10"),
    ],
)
def test_the_word_of_a_game_brings_its_smallest_board(
    office: Office, subject: str, body: str, title: str, cell: str
) -> None:
    """A reply with a cell and a name begins it."""
    (welcome,) = office.send(TOM, subject, body)
    assert f"this game of {title}." in welcome.words and "Star in six lines" not in welcome.text
    (asks,) = office.send(TOM, "Re: Star: welcome", cell, welcome.reply_to)
    assert f"Your stone is on {cell}," in asks.words
    office.send(TOM, "Re: x", "signup tom", asks.reply_to)
    row = office.row(1)
    assert row is not None
    assert row.seats == ("tom", "bot1") and office.record(1) == [cell]
    assert {game.word: game.title for game in FIRST_GAMES}[row.game] == title


def test_the_address_of_a_game_speaks_for_that_game_alone(office: Office) -> None:
    (welcome,) = office.send(TOM, "hex")
    local, _, domain = welcome.reply_to.partition("@")
    assert "g1-" in local
    (letter,) = office.send(TOM, "signup tom", "", f"{local.replace('g1-', 'g2-')}@{domain}")
    assert "confirm" in letter.text


@pytest.mark.parametrize(
    ("line", "said"),
    [("How many Queens?", "queens challenge tom"), ("Can I play Penta-Hex?", "match pentahex")],
)
def test_a_game_without_bots_is_told_how_to_begin(office: Office, line: str, said: str) -> None:
    (welcome,) = office.send(TOM, line)
    assert f"\n  {said}\n" in welcome.text
    if said.startswith("queens"):
        office.send(TOM, "Re: x", f"signup tom\r\n{said}", welcome.reply_to)
        row = office.row(1)
        assert row is not None and row.game == "queens"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("Is it free?", "It's free."),
        ("Do I need an app for this?", "There's nothing to install"),
        ("How long does a game take?", "often about a move a day"),
        ("Can my 9 year old play?", "There's no age limit"),
        ("Is this chess or go?", "We don't have chess or Go here."),
        ("Who are you?", "the people who run it, write to postmaster@pbm.example"),
    ],
)
def test_a_plain_question_has_a_sentence_above_the_same_board(
    office: Office, line: str, answer: str
) -> None:
    (welcome,) = office.send(TOM, line)
    assert (
        welcome.words.startswith(answer) or answer in welcome.words.partition("This is a server")[0]
    )
    assert "You play x in this game" in welcome.words
    (again,) = office.send(TOM, "Re: Star: welcome", line, welcome.reply_to)
    assert answer in again.words and "no command" not in again.words


@pytest.mark.parametrize(
    "line", ["Challenge anna to a game", "My sister and I want to play. How?", "play with Ben"]
)
def test_who_names_a_friend_learns_to_invite(office: Office, line: str) -> None:
    (welcome,) = office.send(TOM, line)
    assert "\n  invite friend@example.org\n" in welcome.text
    assert "You play x in this game" in welcome.words


def test_talk_that_asks_for_none_of_this_has_no_such_sentences(office: Office) -> None:
    (welcome,) = office.send(TOM, "Hello there, I would like to try")
    assert welcome.text.startswith("This is a server") and "invite" not in welcome.text
    assert "Star in six lines" in welcome.text


# -- no more mail


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("STOP", "Who gave you my address? Stop mailing me!"),
        ("unsubscribe", ""),
        ("Never", ""),
        ("", "never"),
        ("Unsubscribe me please", ""),
        ("Your mail", "Please stop sending me these mails."),
        ("Re: invitation", "Remove me from your list!"),
    ],
)
def test_who_wants_no_mail_gets_one_sentence(office: Office, subject: str, body: str) -> None:
    """The mail proves nothing, so only a reply to this letter ends it."""
    (letter,) = office.send(TOM, subject, body)
    assert letter.text.count(".") + letter.text.count(":") == 1 and "never" in letter.text
    assert letter.mail["List-Unsubscribe"]
    assert office.send(TOM, subject, body) == []
    assert office.send(TOM, "Re: x", "never", letter.reply_to) == []
    office.now += 2 * DAY
    assert office.send(TOM, "hello") == []


# -- names


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("signup Märta", "marta"),
        ("my name is Tom", "tom"),
        ("Hello, my name is Ülo and I want to play", "ulo"),
        ("Please sign me up as marta2", "marta2"),
        ("JOIN marta3", "marta3"),
        ("signup Marta O'Neil", "marta"),
        ("my name is Alice", "alice2"),
        ("I want to join please", "jo"),
    ],
)
def test_the_name_that_is_said_is_offered(office: Office, line: str, name: str) -> None:
    (welcome,) = office.send("jo@new.example", line)
    assert f"\n  signup {name}\n" in welcome.text


@pytest.mark.parametrize("line", ["tom", "My name is Tom", "Tom!"])
def test_a_reply_may_be_a_name(office: Office, line: str) -> None:
    """It opens the account, and starts the game of the letter."""
    (welcome,) = office.send("jo@new.example", "hello")
    (board,) = office.send("jo@new.example", "Re: x", line, welcome.reply_to)
    assert board.subject == "New Star Board 1 tom"


@pytest.mark.parametrize(
    "line", ["I want to join another game", "My name is not important", "Call me if it works"]
)
def test_talk_of_names_is_none(office: Office, line: str) -> None:
    (welcome,) = office.send("jo@new.example", "hello")
    office.send("jo@new.example", "Re: x", line, welcome.reply_to)
    assert not office.ask("accounts.users_at", "jo@new.example")


# -- a move and a name in one mail


@pytest.mark.parametrize(
    ("subject", "body"), [("Re: x", "C3\r\nsignup tom"), ("C3", "signup tom"), ("Re: x", "C3\r\n\r\nSignup: tom")]
)  # fmt: skip
def test_a_move_and_a_name_in_one_reply_do_both(office: Office, subject: str, body: str) -> None:
    (welcome,) = office.send(TOM, "play")
    office.send(TOM, subject, body, welcome.reply_to)
    assert office.record(1) == ["C3"]


def test_what_a_first_move_leaves_is_told(office: Office) -> None:
    (welcome,) = office.send(TOM, "play")
    (told,) = office.send(TOM, "Re: x", "Z9\r\nsignup tom", welcome.reply_to)
    assert "We skipped the rest of your message." in told.words
    (told,) = office.send(TOM, "Re: x", "C3\r\nstar challenge tom bob", welcome.reply_to)
    assert (
        "We skipped the rest of your message. Send it again" in told.words and "on C3" in told.words
    )
    (told,) = office.send(TOM, "Re: x", "C3\r\nsignup alice", welcome.reply_to)
    assert sentence("name used", "alice") in told.words and "on C3" in told.words


# -- how often


def test_a_second_question_of_a_day_is_answered_if_it_is_another(office: Office) -> None:
    """Twice a day, and three letters ever."""
    assert len(office.send(TOM, "hello")) == 1
    assert office.send(TOM, "hi again") == []
    (second,) = office.send(TOM, "I got a letter but how do I play hex?")
    assert "Hex" in second.text
    assert office.send(TOM, "Is it free?") == []
    office.now += DAY
    assert len(office.send(TOM, "hex")) == 1
    assert office.send(TOM, "Is it free?") == [], f"no more than {LETTERS}"


# -- letters that wait during an upgrade


@pytest.mark.parametrize(
    ("template", "facts"),
    [
        (
            "door",
            {
                "refusals": [],
                "topic": "",
                "first": "",
                "name": "tom",
                "is_known": False,
                "example": "x o",
                "points": {"x": 3, "o": 2},
            },
        ),
        (
            "signup",
            {"userid": "tom", "token": "a" * 32, "days": 7, "stranger": True, "kind": "signup"},
        ),
    ],
)
def test_a_letter_of_the_last_version_is_written(template: str, facts: dict[str, object]) -> None:
    recipe = Recipe(template, {"To": TOM, "From": SERVER}, 1.8e9, "0" * 24, facts)
    assert b"Subject: Star" in Renderer(None, SERVER).write(recipe)
