"""The language of letters: each reader has one, and what a player writes works in it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from harness.office import DAY, Office, address

from pbmstar.grammar import words
from pbmstar.grammar.spoken import language_of


def test_a_player_chooses_a_language_and_the_opponent_keeps_english(office: Office) -> None:
    board = office.game("star challenge -size=4 alice bob")
    (letter,) = office.send("bob", "language bob hunter2 de")
    assert "Sprache: Deutsch." in letter.text
    alice, bob = office.play(board, "C3")
    assert "It is bob's turn" in alice.text or "bob must move" in alice.text
    assert "bob ist am Zug." in bob.text
    assert not re.search(r"\b(your|you|move)\b(?! 1 bob)", bob.text)
    assert bob.subject == alice.subject
    theirs, ours = ([name for name, _ in each.head] for each in (alice, bob))
    assert sorted(set(theirs) ^ set(ours)) <= ["In-Reply-To", "References"]


def test_the_words_of_the_own_language_are_done_at_once(office: Office) -> None:
    board = office.game("star challenge -size=4 alice bob")
    office.send("bob", "language bob hunter2 deutsch")
    _, letter = office.play(board, "C3")
    office.send("bob", "Re: Star", "aufgeben", to=letter.mail["Reply-To"])
    assert office.record(board) == ["C3", "resign"]


def test_a_language_that_is_not_offered_is_refused_with_those_that_are(office: Office) -> None:
    (letter,) = office.send("bob", "language bob hunter2 pl")
    said = " ".join(letter.text.split())
    assert "letters in that language. You can choose en (English), de (Deutsch)" in said
    (letter,) = office.send("bob", "language bob hunter2")
    assert "Your letters are in English." in " ".join(letter.text.split())
    assert office.ask("accounts.user", "bob").language == "en"


@pytest.mark.parametrize("word", ["klingon", "nl", "it"])
def test_any_other_language_is_refused_alike_in_a_reply_to_a_board(
    office: Office, word: str
) -> None:
    """Also while the opponent is to move, when words are passed on."""
    office.game("star challenge -size=4 alice bob")
    for userid in ("alice", "bob"):
        (letter,) = office.send(userid, "star show 1")
        (answer,) = office.send(userid, "Re: x", f"language {word}", to=letter.reply_to)
        assert answer.to == address(userid)
        assert "letters in that language. You can choose en (English), de (Deutsch)" in answer.words


def test_a_stranger_is_welcomed_in_the_language_of_the_mail(office: Office) -> None:
    (letter,) = office.send("nora@nora.example", "Hallo", "ich möchte gern spielen")
    said = " ".join(letter.text.split())
    assert "Hier spielst du" in said and "antworte: language en" in said
    (letter,) = office.send("olga@olga.example", "hello", "I would like to play")
    assert "This is a server" in letter.text and "language" not in letter.text


def test_a_date_does_not_break_in_html_and_is_plain_in_the_text(office: Office) -> None:
    office.send("bob", "language bob hunter2 de")
    (letter,) = office.send("bob", "away bob hunter2 14")
    (date,) = re.findall(r"bis (\d+\. \w+)", letter.words)[:1]
    assert date in letter.text and date.replace(" ", "&#160;") in letter.html


TOM = "tom@new.example"


def _welcomed(office: Office) -> str:
    """The address that Tom's first letter, in German, has for replies."""
    office.run("admin", "bot", "add", "bot1")
    (letter,) = office.send(TOM, "Guten Tag", "Ich möchte gerne mitspielen. Wie geht das?")
    assert "Hier spielst du" in letter.text
    return letter.reply_to


def test_a_guest_keeps_the_language_of_the_letter_or_asks_for_english(office: Office) -> None:
    (named,) = office.send(TOM, "Re: x", "C3", to=_welcomed(office))
    assert "Dein Stein liegt auf C3" in named.words and "language" not in named.words
    (again,) = office.send(TOM, "Re: x", "language en", to=named.reply_to)
    assert "Your stone is on C3" in again.words
    (again,) = office.send(TOM, "Re: x", "Wie geht das bitte?", to=again.reply_to)
    assert "Dein Stein" not in again.words, "the choice stays"


def test_an_address_from_before_languages_still_answers(office: Office) -> None:
    at = _welcomed(office)
    assert "-de@" in at
    (letter,) = office.send(TOM, "Re: x", "C3", to=at.replace("-de@", "@"))
    assert "Your stone is on C3" in letter.words


_HELLO = {
    "de": "Guten Tag, ich möchte gerne mitspielen. Wie geht das?",
    "fr": "Bonjour, je voudrais jouer avec vous. Comment on fait ?",
    "es": "Hola, quiero jugar con alguien. ¿Cómo puedo empezar?",
}
_IN_THEM = {"de": "Willkommen, tom!", "fr": "Bienvenue, tom", "es": "te damos la bienvenida"}


@pytest.mark.slow
@pytest.mark.parametrize("language", _HELLO)
@pytest.mark.parametrize("way", ["reply", "stone", "late", "sentence", "confirm"])
def test_an_account_keeps_the_language_of_the_door(office: Office, language: str, way: str) -> None:
    """By each way to it: a reply with a name, after a stone, after ten days, and a whole new message."""
    office.run("admin", "bot", "add", "bot1")
    at = ""
    if way in ("reply", "stone", "late"):
        at = office.send(TOM, "Hm", _HELLO[language])[0].reply_to
    if way == "stone":
        at = office.send(TOM, "Re: x", "C3", to=at)[0].reply_to
    if way == "late":
        office.now += 10 * DAY
    text = "signup tom" if at else f"{_HELLO[language]}\nsignup tom"
    came = office.send(TOM, "Re: x" if at else "Hm", text, **({"to": at} if at else {}))
    if way == "stone":
        office.think()
    letter, *_ = came or office.letters()
    if not at:
        assert f"-{language}@" in letter.reply_to
        token = letter.reply_to.partition("+a")[2].partition("-")[0]
        text = f"confirm {token}" if way == "confirm" else "yes"
        (letter, *_) = office.send(TOM, "Re: x", text, to=letter.reply_to)
    assert office.ask("accounts.user", "tom").language == language
    assert "language en" in letter.words
    office.send(TOM, "Re: x", "language en", to=letter.reply_to)
    assert office.ask("accounts.user", "tom").language == "en"


def test_a_guest_signs_up_in_a_language(office: Office) -> None:
    welcome, *_ = office.send(TOM, "Re: x", "signup tom\nlanguage de", to=_welcomed(office))
    assert welcome.text.startswith("Willkommen, tom!") and "language" not in welcome.words
    assert office.ask("accounts.user", "tom").language == "de"


def test_a_guest_who_asks_for_english_keeps_the_game(office: Office) -> None:
    office.run("admin", "bot", "add", "bot1")
    (letter,) = office.send(TOM, "Hallo", "Ich möchte gerne Hex spielen.")
    assert "Hex" in letter.words and "Hier spielst du" in letter.words
    (again,) = office.send(TOM, "Re: x", "language en", to=letter.reply_to)
    assert "This is a server" in again.words and "Hex" in again.words
    (named,) = office.send(TOM, "Re: x", "C3", to=again.reply_to)
    (again,) = office.send(TOM, "Re: x", "language de", to=named.reply_to)
    assert "Dein Stein liegt auf C3" in again.words
    game_and_move = named.reply_to.partition("-")[0]
    assert again.reply_to.partition("-")[0] == game_and_move


def test_a_forged_address_chooses_no_language(office: Office) -> None:
    mark, _, rest = _welcomed(office).partition("-")
    forged = f"{mark}-{'a' * 26}-de@{rest.partition('@')[2]}"
    (letter,) = office.send(TOM, "Re: x", "signup tom\nlanguage de", to=forged)
    assert "Someone (probably you) wants to open the account tom" in letter.words


def test_a_letter_to_confirm_an_account_can_be_answered_in_any_language(office: Office) -> None:
    at = _welcomed(office)
    office.now += 40 * DAY
    (letter,) = office.send(TOM, "Re: x", "signup tom", to=at)
    assert "-de@" not in letter.reply_to
    office.send(TOM, "Re: x", "yes", to=letter.reply_to)
    assert office.ask("accounts.user", "tom").state == "active"


# First messages as people write them.
SAID = json.loads((Path(__file__).parent / "first_mails.json").read_text("utf-8"))


@pytest.mark.parametrize(
    "words", ["match", "star match", "match hex", "pass", "help", "no", "draw", "undo", "hello"]
)
def test_a_command_is_written_in_english(words: str) -> None:
    """Though "match nul" is French."""
    assert language_of([words]) == "en"


@pytest.mark.parametrize("code", sorted(words.NAMES))
def test_the_language_of_a_first_message_is_known(code: str) -> None:
    """None counts as another language than its own; of twelve, at most two as English."""
    found = [language_of(text.split("\n")) for text in SAID[code]]
    assert set(found) <= {code, "en"}
    assert found.count(code) >= len(found) - 2, [*zip(SAID[code], found, strict=True)]
