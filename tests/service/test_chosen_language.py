"""The language of letters: each reader has one, and what a player writes works in it."""

from __future__ import annotations

import re

from harness.office import Office


def test_a_player_chooses_a_language_and_the_opponent_keeps_english(office: Office) -> None:
    board = office.game("star challenge -size=4 alice bob")
    (letter,) = office.send("bob", "language bob hunter2 de")
    assert "Sprache: Deutsch." in letter.text
    alice, bob = office.play(board, "C3")
    assert "It is bob's turn" in alice.text or "bob must move" in alice.text
    assert "Du bist am Zug, bob." in bob.text
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
    assert "no letters in that language. It has en (English), de (Deutsch)" in said
    (letter,) = office.send("bob", "language bob hunter2")
    assert "Your letters are in English." in " ".join(letter.text.split())
    assert office.ask("accounts.user", "bob").language == "en"


def test_a_stranger_is_welcomed_in_the_language_of_the_mail(office: Office) -> None:
    (letter,) = office.send("nora@nora.example", "Hallo", "ich möchte gern spielen")
    said = " ".join(letter.text.split())
    assert "Willkommen!" in said and "antwortest: language de" in said
    (letter,) = office.send("olga@olga.example", "hello", "I would like to play")
    assert "Welcome!" in letter.text and "language" not in letter.text
