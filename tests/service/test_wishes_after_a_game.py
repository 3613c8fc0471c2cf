"""Words in reply to the last letter of a game with a person: a wish is answered, and talk reaches the opponent."""

from __future__ import annotations

import pytest
from harness.office import Office, address

AGAIN, BOT = "star rematch 1", "star challenge alice bot1"
WISHES = {
    "another game please": AGAIN,
    "Noch einmal bitte!": AGAIN,
    "une autre partie": AGAIN,
    "Otra partida, por favor": AGAIN,
    "Thanks! One more game": AGAIN,
    "How do I play against a computer?": BOT,
    "Wie spiele ich gegen einen Computer?": BOT,
    "Comment jouer contre l'ordinateur ?": BOT,
    "¿Cómo juego contra el ordenador?": BOT,
    "Can I play against somebody else?": "match",
    "Kann ich gegen jemand anderen spielen?": "match",
    "I'd like to invite my sister": "invite friend@example.org",
    "Is there a tournament?": "cup",
    "What is the Sunday game?": "sunday on",
    "What are the rules?": "star help",
}
TALK = [
    "Thanks for the game, my brother loved it",
    "I lost again",
    "You are much stronger than I am",
    "How is your brother?",
    "Do you want another game?",
    "I can never win against such people",
    "See you on Sunday",
    "Meine Schwester hat zugesehen",
    "Tu joues contre un ordinateur ?",
    "La próxima vez gano yo",
    "Help me understand this",
    "From now on I'll play faster",
    "From 14 on I was lost",
    "Hilfe, das war eng",
    "Show me how you did that",
    "Limit yourself next time",
]


@pytest.fixture
def last(office: Office) -> str:
    """Where alice replies to the last letter of a game that bob has won."""
    office.run("admin", "bot", "add", "bot1")
    board = office.begun()
    letters = office.send("alice", f"star resign {board} alice s3cret")
    return next(each.reply_to for each in letters if each.to == address("alice"))


@pytest.mark.few(4)
@pytest.mark.parametrize("sentence", WISHES)
def test_a_wish_is_answered_and_does_not_go_to_the_opponent(
    office: Office, last: str, sentence: str
) -> None:
    (answer,) = office.send("alice", "Re: x", sentence, to=last)
    assert answer.to == address("alice")
    assert f"reply: {WISHES[sentence]}" in answer.words, answer.words
    assert 'To write to bob, start your message with the word "say".' in answer.words


@pytest.mark.few(3)
@pytest.mark.parametrize("sentence", TALK)
def test_talk_goes_to_the_opponent(office: Office, last: str, sentence: str) -> None:
    """And its writer gets the board with them as ever, but no answer."""
    letters = office.send("alice", "Re: x", sentence, to=last)
    assert {each.to for each in letters} == {address("alice"), address("bob")}
    assert all(f"alice writes: {sentence}" in each.words for each in letters)


def test_a_wish_among_talk_is_answered_and_passed_on(office: Office, last: str) -> None:
    words = "I never saw that bridge on the left.\nHow do I play against a computer?"
    letters = office.send("alice", "Re: x", words, to=last)
    (passed_on,) = (each for each in letters if each.to == address("bob"))
    assert "that bridge on the left" in passed_on.words
    (answer,) = (each for each in letters if each.subject == "Star: help")
    assert answer.to == address("alice") and f"reply: {BOT}" in answer.words
    assert "start with say" not in answer.words


def test_what_the_answer_names_works(office: Office, last: str) -> None:
    (answer,) = office.send("alice", "Re: x", "How do I play against a computer?", to=last)
    (board,) = office.send("alice", "Re: x", BOT, to=answer.reply_to)
    assert board.subject == "New Star Board 2 alice"


MISTYPED = {
    "rematsh": "Did you mean rematch?",
    "verlängern 99": "You can give your opponent 1 to 14 extra days at a time.",
    "whois": "Something is missing: userid.",
    "limit": "Something is missing: number|off.",
}


@pytest.mark.parametrize("line", MISTYPED)
def test_a_mistyped_command_is_refused_and_does_not_go_to_the_opponent(
    office: Office, last: str, line: str
) -> None:
    (answer,) = office.send("alice", "Re: x", line, to=last)
    assert answer.to == address("alice")
    assert MISTYPED[line] in answer.words, answer.words


def test_a_help_page_may_be_asked_for_in_another_language(office: Office, last: str) -> None:
    """Also while the opponent is to move."""
    board = office.begun()
    (waits,) = office.send("bob", f"star show {board}")
    for userid, to in (("alice", last), ("bob", waits.reply_to)):
        (page,) = office.send(userid, "Re: x", "hilfe plans", to=to)
        assert (page.to, page.subject) == (address(userid), "Help: plans")


def test_a_rematch_that_has_begun_is_not_offered_again(office: Office, last: str) -> None:
    (before,) = office.send("alice", "Re: x", "show", to=last)
    assert "rematch" in before.words and "subject=rematch" in before.html
    office.send("alice", "Re: x", "rematch", to=last)
    (after,) = office.send("alice", "Re: x", "show", to=last)
    assert "rematch" not in after.words and "subject=rematch" not in after.html


@pytest.mark.parametrize(
    "sentence", ["unsubscribe", "Hi,\nStop sending me emails!", "abmelden\n\nAlice"]
)
@pytest.mark.parametrize("is_over", [True, False])
def test_who_wants_no_more_mail_is_told_how(office: Office, sentence: str, is_over: bool) -> None:
    """The opponent, who can't do that, doesn't hear of it; while a game runs, to resign it is named too."""
    board = office.begun()
    letters = office.play(board, "D4")
    if is_over:
        letters = office.send("alice", f"star resign {board} alice s3cret")
    own = next(each for each in letters if each.to == address("alice"))
    (answer,) = office.send("alice", "Re: x", sentence, to=own.reply_to)
    assert answer.to == address("alice") and answer.mail["X-Pbmstar-Board"] == str(board)
    assert "If you want fewer letters, reply: help letters." in answer.words
    assert ("To resign this game" in answer.words) == (not is_over)
    (page,) = office.send("alice", "Re: x", "help letters", to=answer.reply_to)
    assert page.subject.startswith("Help")


@pytest.mark.parametrize("below", ["is what my mail program offers.", "You won"])
def test_other_words_beside_it_are_for_the_opponent(office: Office, below: str) -> None:
    board = office.begun()
    own = next(each for each in office.play(board, "D4") if each.to == address("alice"))
    said = f"Unsubscribe\n{below}"
    letters = office.send("alice", "Re: x", said, to=own.reply_to)
    (heard,) = (each.words for each in letters if each.to == address("bob"))
    assert any("If you want fewer letters" in each.words for each in letters)
    assert f"Unsubscribe {below}" in " ".join(heard.split())
