"""What we don't understand gets one sentence that says what we read, one question, and at most three things to tap."""

from __future__ import annotations

from urllib.parse import unquote

import lxml.html
import pytest
from harness.common import sentence
from harness.letters import SERVER, Got
from harness.office import Office, address

_OF_A_BOARD = {
    "pass",
    "say",
    "undo",
    "swap",
    "decline",
    "plan",
    "score",
    "show",
    "help",
    "resign",
    "try",
}
LANGUAGES = ("en", "de", "es", "fr")
TALK = {
    "en": "Let me think about that one",
    "de": "Darüber denke ich noch nach",
    "es": "Voy a pensarlo un poco",
    "fr": "Je vais y réfléchir",
}


def _buttons(letter: Got) -> list[tuple[str, str]]:
    """What the buttons above the board say, and the Subjects that they send."""
    page = lxml.html.fromstring(letter.html.partition("<h2")[0])
    links = page.xpath("//a[starts-with(@href, 'mailto:')]")
    return [
        (" ".join(each.text_content().split()), unquote(each.get("href").partition("subject=")[2]))
        for each in links
    ]


def _answer(office: Office, language: str, text: str) -> Got:
    """What alice is answered to words in reply to her newest board letter, on her turn against bob."""
    office.send("alice", f"language alice s3cret {language}")
    begun = office.send("alice", "star challenge -size=4 alice bob")
    letter = next(each for each in begun if each.to == address("alice"))
    (answer,) = office.send("alice", "Re: x", text, to=letter.reply_to)
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_talk_on_ones_turn(office: Office, language: str) -> None:
    answer = _answer(office, language, TALK[language])
    first, *_ = answer.text.split("\n")
    assert TALK[language] in first
    head = answer.text.partition("1-")[0]
    assert head.count("?") == 1 and len(head.split()) < 60, head
    assert f"say {TALK[language]}" in head
    buttons = [sent for _, sent in _buttons(answer)]
    assert len(buttons) <= 3 and buttons[1] == "help"
    (passed_on,) = (
        each
        for each in office.send("alice", f"say {TALK[language]}", to=answer.reply_to)
        if each.to == address("bob")
    )
    assert passed_on.comment == TALK[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_is_never_a_word_of_the_command_line(office: Office, language: str) -> None:
    office.send("alice", f"language alice s3cret {language}")
    office.game("star challenge -size=4 alice bob")
    for words in ("asdf qwer", "I want to play", "Mi jugada en la foto"):
        (answer,) = office.send("alice", words)
        buttons = _buttons(answer)
        assert 1 <= len(buttons) <= 3, buttons
        for said, sent in buttons:
            assert said != sent
            assert language == "en" or said != _said_in_english(office, words, sent), said


def _said_in_english(office: Office, words: str, sent: str) -> str:
    """What the button that sends this says to bob, who reads English."""
    (answer,) = office.send("bob", words)
    return next((said for said, each in _buttons(answer) if each == sent), "")


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("words", "sent"),
    [
        ("I would like to play against the computer please", "star challenge alice bot1"),
        ("Ich möchte gegen den Computer spielen", "star challenge alice bot1"),
        ("je veux jouer contre un bot", "star challenge alice bot1"),
        ("Quiero una partida contra un bot", "star challenge alice bot1"),
        ("can I play hex with a bot?", "hex challenge alice bot1"),
        ("I don't want a bot, I want a person", "match"),
        ("Where are my games?", "games"),
        ("What does Still possible mean?", "help"),
        ("Please help me", "help"),
    ],
)
def test_a_wish_in_words_names_what_does_it(office: Office, words: str, sent: str) -> None:
    """From anywhere, a board letter of a game with a person too."""
    office.run("admin", "bot", "add", "bot1")
    answer = _answer(office, "en", words)
    assert f"reply: {sent}" in answer.words
    (plain,) = office.send("alice", words)
    assert plain.subject == "Star: help" and sent in plain.words


@pytest.mark.parametrize(
    ("words", "begun"),
    [
        ("I would like to play against the computer please", "Star"),
        ("Ich möchte gegen den Computer spielen", "Star"),
        ("je veux jouer contre un bot", "Star"),
        ("can I play hex with a bot?", "Hex"),
        ("I don't want a bot, I want a person", ""),
    ],
)
def test_who_replies_to_play_a_computer_gets_one(office: Office, words: str, begun: str) -> None:
    """A reply is proved, so the game starts; a From line alone is only told how."""
    office.run("admin", "bot", "add", "bot1")
    (letter,) = office.send("alice", "games")
    (answer,) = office.send("alice", "Re: x", words, to=letter.reply_to)
    assert answer.subject == (f"New {begun} Board 1 alice" if begun else "Star: help")


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Re: Help: index", "contests"),
        ("Re: Star account alice: cup", "hmm"),
        ("Re: Star: help", "gmaes"),
        ("AW: Re: Help: games", "hmm"),
    ],
)
@pytest.mark.parametrize("is_general", [False, True])
def test_the_subject_of_the_letter_that_is_answered_is_no_wish(
    office: Office, subject: str, text: str, is_general: bool
) -> None:
    (letter,) = office.send("alice", "help")
    to = SERVER if is_general else letter.reply_to
    (answer,) = office.send("alice", subject, text, to)
    assert answer.words.startswith(sentence("nothing found"))


def test_a_message_that_may_hold_a_password_is_not_sent_again(office: Office) -> None:
    answer = _answer(office, "en", "my old passw0rd was secret9 I think")
    assert "say my" not in answer.text and "passw0rd" not in answer.html.partition("<img")[0]


@pytest.mark.few(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_below_a_board_speak_the_language_of_its_reader(
    office: Office, language: str
) -> None:
    """And the mail that they open has the word of the command."""
    for userid in ("alice", "bob"):
        password = {"alice": "s3cret", "bob": "hunter2"}[userid]
        office.send(userid, f"language {userid} {password} {language}")
    office.game("star challenge -size=4 alice bob")
    found = set()
    for letter in (*office.play(1, "C3"), *office.play(1, "D4")):
        page = lxml.html.fromstring(letter.html)
        for link in page.xpath("//a[contains(@href, 'subject=')]"):
            said, sent = (
                link.text_content().strip(),
                unquote(link.get("href").partition("subject=")[2]),
            )
            if sent.split()[0] in _OF_A_BOARD:
                found.add(sent.split()[0])
                assert said != sent
    assert found == _OF_A_BOARD
