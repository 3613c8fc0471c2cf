"""Words that a newcomer writes to a bot after the game: none of them is met with silence."""

from __future__ import annotations

import pytest
from harness.common import sentence
from harness.letters import Got
from harness.office import Office

CANT = sentence("bot reads not", "bot1")
REMATCH, STRONGER, PERSON = "star rematch 1", "star challenge alice bot2", "match"
FRIEND = "invite friend@example.org"
CUP, SUNDAY = "cup", "sunday on"
POSTCARD, FROM = "star postcard 1 friend@example.org", "star from 1 14"
# A sentence, and the replies that the answer names; a sentence of an answer if it begins with a capital.
SENTENCES = {
    "noch einmal bitte": [REMATCH],
    "Pokal": [CUP],
    "sonntag an": [SUNDAY],
    "Postkarte oma@oma.example": [POSTCARD],
    "ab 14": [FROM],
    "Einladung oma2@oma.example Komm mit!": [FRIEND],
    "une autre partie": [REMATCH],
    "coupe": [CUP],
    "à partir de 14": [FROM],
    "otra partida": [REMATCH],
    "copa": [CUP],
    "desde 14": [FROM],
    "another game please": [REMATCH],
    "How do I play against a person?": [PERSON],
    "Can I invite my sister?": [FRIEND],
    "I want to play a stronger bot": [STRONGER],
    # further ones
    "That was fun! Can we play again?": [REMATCH],
    "Ich will noch eine Partie": [REMATCH],
    "Encore une partie s'il te plaît": [REMATCH],
    "Quiero jugar otra vez": [REMATCH],
    "Is there a harder opponent?": [STRONGER],
    "Ich möchte gegen einen stärkeren Bot spielen": [STRONGER],
    "Je voudrais un bot plus fort": [STRONGER],
    "Quiero un rival más fuerte": [STRONGER],
    "Can I play with real people?": [PERSON],
    "Wie spiele ich gegen einen Menschen?": [PERSON],
    "Comment jouer contre une vraie personne ?": [PERSON],
    "¿Puedo jugar contra alguien?": [PERSON],
    "My brother would like to play too": [FRIEND],
    "Kann ich meine Schwester einladen?": [FRIEND],
    "Je veux inviter un ami": [FRIEND],
    "Quiero invitar a mi hermana": [FRIEND],
    "Is there a tournament?": [CUP],
    "What is the Sunday game?": [SUNDAY],
    "What does it cost?": ["It's free."],
    "Wie lange dauert eine Partie?": ["A game goes as fast as its players do"],
    "What are the rules?": ["For the rules, reply: star help"],
    "Please stop writing to me": ["If you want fewer letters, reply: help letters"],
    "Good evening, what a lovely little thing you have built": [CANT, REMATCH, STRONGER, PERSON],
    "asdf qwer": [CANT, REMATCH, STRONGER, PERSON, FRIEND],
}


def _ended(office: Office) -> Got:
    """The last letter of a game against bot1."""
    office.game("star challenge -size=4 alice bot1")
    office.send("alice", "star move 1 alice s3cret C3")
    office.think()
    *_, letter = office.send("alice", "star resign 1 alice s3cret")
    return letter


@pytest.mark.few(6)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_words_after_a_game_are_answered(office: Office, sentence: str) -> None:
    for bot in ("bot1", "bot2"):
        office.run("admin", "bot", "add", bot)
    letter = _ended(office)
    (answer,) = office.send("alice", "Re: x", sentence, to=letter.reply_to)
    assert answer.subject == "Star: help"
    for said in SENTENCES[sentence]:
        assert said in answer.words, answer.words


def test_thanks_need_no_answer(office: Office) -> None:
    office.run("admin", "bot", "add", "bot1")
    letter = _ended(office)
    assert office.send("alice", "Re: x", "Thanks, good game!", to=letter.reply_to) == []


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("How do I play against a person?", PERSON),
        ("Can I invite my sister?", FRIEND),
        ("Is there a tournament?", CUP),
        ("Kann ich gegen einen Menschen spielen?", PERSON),
    ],
)
def test_words_while_a_game_runs_are_answered_too(office: Office, sentence: str, said: str) -> None:
    office.run("admin", "bot", "add", "bot1")
    (letter,) = office.send("alice", "star challenge -size=4 alice bot1")
    (answer,) = office.send("alice", "Re: x", sentence, to=letter.reply_to)
    assert said in answer.words, answer.words
