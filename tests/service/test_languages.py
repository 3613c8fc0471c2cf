"""Players write in their own language: first messages and replies as people write them, in eight languages.

``languages.txt`` was written before the tables of the program, as a phrase book says it. Each row says what
comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email.header import Header
from html import unescape
from pathlib import Path

import pytest
from harness.letters import Got
from harness.office import Office
from harness.tables import rows

from pbmstar.grammar import words
from pbmstar.render.translator import Translator
from pbmstar.service.incoming import questions

TABLE = Path(__file__).parent / "languages.txt"
FREE = "C4"
TURN = "Replies of a player whose turn it is: what is done or offered, and the words that go along"
ASKED = "Replies of a player who is offered a draw"
WAITS = "Replies of a player who waits, or whose game is over: words for the opponent, or a wish"
DOOR = "First messages of people without an account: what the welcome says"
TOM = "tom@new.example"
# A person is helped by an answer that says what to write.
_TOLD = re.compile(r"\breply:? |Reply with |Put nothing else")


def _shown(office: Office, title: str) -> Got:
    """The letter that alice replies to, of a new board 1."""
    office.game("star challenge -leave=no alice bob")
    shown = office.play(1, "F6", "G7")
    if title == ASKED:
        shown = office.send("bob", "star draw 1 bob hunter2")
    if title == WAITS:
        shown = office.play(1, "D5")
    (letter,) = (each for each in shown if each.to.startswith("alice"))
    return letter


def _came_of(office: Office, shown: Got, text: str) -> str:
    """What came of a reply to that letter, in a word or two; and the words that bob got."""
    board = 1
    before = office.record(board)
    body = text.replace("{free}", FREE).replace("\n", "\r\n")
    letters = office.send("alice", f"Re: {shown.subject}", body, shown.reply_to)
    own = [each for each in letters if each.to.startswith("alice")]
    rival = [each for each in letters if each.to.startswith("bob")]
    said = [" ".join(each.words.split()) for each in own]
    row = office.row(board)
    if row is None or not row.to_move:
        return "accept"
    words = "\n".join(_words(each) for each in rival)
    if office.record(board) != before:
        last = office.record(board)[-1]
        return "pass" if last == "pass" else f"move | {words}" if words else "move"
    if found := re.search(
        r"(?:That line|A line below it) has (\S+) in it\. To (?:do that|play it), reply yes\.",
        " ".join(said),
    ):
        return f"offer {found[1]}"
    if any("Help: " in each.subject or each.subject == "Star: help" for each in own):
        return "help"
    if any("would like to take back" in each.words for each in rival):
        return "undo"
    if any("declines" in each.words for each in rival):
        return "no"
    if words:
        return "said"
    reasons = [each.partition("Nothing has changed")[0] for each in said]
    return "told" if any(map(_TOLD.search, reasons)) else "nothing"


def _words(letter: Got) -> str:
    """What alice writes in a letter to bob."""
    return letter.comment if "\nalice writes:\n" in letter.text else ""


@pytest.mark.few(1)
@pytest.mark.parametrize("title", [TURN, ASKED, WAITS])
def test_a_reply_in_any_language_is_understood(
    office_of: Callable[..., Office], title: str
) -> None:
    office = office_of(limits="off")
    table = [(text, want.replace("{free}", FREE)) for text, want in rows(TABLE, title)]
    shown, came = _shown(office, title), []
    again = office.kept()
    for text, _ in table:
        again()
        came.append((text, _came_of(office, shown, text[4:])))
    assert came == table


@pytest.mark.slow
def test_first_messages_are_welcomed_with_what_they_ask(
    office_of: Callable[..., Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In English here, as where no catalog is complete."""
    monkeypatch.setattr(Translator, "offered", lambda: ("en",))
    office = office_of(limits="off")
    for bot in ("bot1", "bot2"):
        office.run("admin", "bot", "add", bot)
    for number, (text, want) in enumerate(rows(TABLE, DOOR)):
        subject, _, body = text[4:].partition("\n\n")
        encoded = Header(subject, "utf-8", 10_000).encode()
        whole = text[4:].replace("\n", "\r\n")
        for mail in ((encoded, body.replace("\n", "\r\n")), ("", whole)):
            (letter,) = office.send(f"p{number}x{len(mail[0])}@new.example", *mail)
            assert letter.subject == "Star: welcome" and want in letter.text, text


def test_who_wishes_to_play_is_not_counted_as_talk(office: Office) -> None:
    """Of letters that answer talk fewer go to strangers."""
    for text, _ in rows(TABLE, DOOR):
        mail = office.service.read(
            office.write("tom@new.example", "", text[4:].replace("\n", "\r\n"))
        )
        if any(
            word in text for word in ("Hex", "jouer", "gioca?", "jogar", "meedoen", "mitmachen")
        ):
            assert questions.asked(mail, "").plays, text
    for line in ("I have a play for you", "Win a prize now", "Was kostet das?", "Buy cheap games"):
        assert not questions.asked(office.service.read(office.write(TOM, line)), "").plays, line


def test_nearly_all_that_people_write_is_answered_usefully() -> None:
    """Three of four rows were written before the tables, the others when these were complete."""
    found = [want for title in (DOOR, TURN, ASKED, WAITS) for _, want in rows(TABLE, title)]
    languages = {text[:2] for title in (DOOR, TURN, ASKED, WAITS) for text, _ in rows(TABLE, title)}
    assert len(found) > 120 and languages == set(words.TABLE) | {"pl"}
    assert found.count("nothing") <= 2


def test_accents_come_back_as_written_in_text_and_html(office: Office) -> None:
    """What turns the direction of a text, or controls a terminal, does not."""
    board = office.game("star challenge -leave=no alice bob")
    (shown,) = (each for each in office.play(board, "F6", "G7") if each.to.startswith("alice"))
    for line, said in {
        "größer": "There's no cell größer on",
        "si\u0301ntesis": "There's no cell síntesis on",
        "Łódź\u202e": "There's no cell Łódź on",
        "a\u0007b\u2066ć": "There's no cell abć on",
    }.items():
        (letter,) = office.send("alice", "Re: x", line, shown.reply_to)
        assert said in letter.words and said in " ".join(unescape(letter.html).split()), line
    words = "Grüße, José \u202eevil\u0007 \u2066x"
    for each in office.send("alice", "Re: x", f"{FREE}\r\n{words}", shown.reply_to):
        assert "Grüße, José evil x" in each.text and "Grüße, José evil x" in unescape(each.html)
