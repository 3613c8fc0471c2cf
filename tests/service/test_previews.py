"""Previews: what analyse says of the same moves, and whose yes plays which of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from harness.letters import Got
from harness.office import Office

from pbmstar.cli.analyse import answer

MOVES = "C3 D3 B3 E4 C4 pass B4 D4 pass pass"


def scores(letter: Got) -> list[list[int]]:
    """Of each step the scores of alice and bob, and what they can still have."""
    lines = re.findall(
        r"alice (-?\d+)(?: \((\d+) to (\d+)\))?, bob (-?\d+)(?: \((\d+) to (\d+)\))?", letter.text
    )
    return [[int(number) for number in each if number] for each in lines]


def reply(office: Office, board: int, words: str) -> list[Got]:
    """What alice gets for such a reply to a letter of the board."""
    game = office.row(board)
    assert game is not None
    (letter,) = office.send("alice", f"{game.game} show {board}")
    return office.send("alice", "Re: x", words, letter.reply_to)


def html_of(letter: Got) -> str:
    """The HTML part."""
    for part in letter.mail.walk():
        if part.get_content_type() == "text/html":
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            return content.decode()
    raise AssertionError("no HTML part")


def test_a_preview_says_what_analyse_says_and_plays_nothing(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    (letter,) = office.send("alice", f"star preview 1 {MOVES}")
    asked = {"game": "star", "options": {"size": 4}, "moves": MOVES.split(), "preview": True}
    known = json.loads(answer(json.dumps(asked)))
    steps = known["steps"]
    assert len(steps) == 10
    for shown, step in zip(scores(letter), steps, strict=True):
        x, o = step["scores"]["X"], step["scores"]["O"]
        assert shown in ([x, *step["bounds"]["X"], o, *step["bounds"]["O"]], [x, o])
    assert office.record(1) == [] and office.check() == []


def test_a_forged_preview_changes_nothing_for_its_player(office: Office) -> None:
    """Somebody else may have other moves previewed in her name, as often as they like."""
    office.game("star challenge -size=4 alice bob")
    (first,) = reply(office, 1, "try C3 D3")
    for _ in range(10):
        office.deliver(office.write("alice", "star preview 1 E4"), "mallory@evil.example")
    forged, *_ = office.letters()
    assert first.reply_to != forged.reply_to
    assert "To play E4: reply yes" not in forged.text
    (refused,) = office.send("alice", "Re: x", "yes", forged.reply_to)
    assert "not the newest preview" in " ".join(refused.text.split())
    (more,) = office.send("alice", "Re: x", "try C3 D3", first.reply_to)
    office.send("alice", "Re: x", "yes", more.reply_to)
    assert office.record(1) == ["C3"]
    (late,) = office.send("alice", "Re: x", "yes", more.reply_to)
    assert "earlier turn" in " ".join(late.text.split())
    assert office.record(1) == ["C3"]


@pytest.mark.parametrize("subject", ["B4", "Re: x"])
def test_a_move_that_answers_a_preview_is_tried_too(office: Office, subject: str) -> None:
    """A tap on the picture of a position that does not exist yet must not play."""
    office.game("star challenge -size=4 alice bob")
    (first,) = reply(office, 1, "try C3 D3")
    (second,) = office.send("alice", subject, "B4", first.reply_to)
    assert "Nothing was played" in second.text and "3 B4 by alice" in second.text
    (third,) = office.send("alice", "Re: x", "pass\r\nGood game!", second.reply_to)
    assert (
        "4 pass by bob" in third.text
        and "What you wrote below the move went to nobody" in third.text
    )
    assert office.record(1) == []
    office.send("alice", "Re: x", "yes plan", third.reply_to)
    assert office.record(1) == ["C3"]


@pytest.mark.parametrize(
    "words",
    ["resign", "undo", "draw", "decline", "B4 if C4 then C2", "plan if C4 then C2", "queue B4"],
)
def test_only_a_yes_to_a_preview_changes_the_board(office: Office, words: str) -> None:
    office.game("star challenge -size=4 alice bob")
    office.play(1, "C3", "D3")
    (letter,) = reply(office, 1, "try B3")
    before = office.state()
    (refused,) = office.send("alice", "Re: x", words, letter.reply_to)
    assert "only a yes to it changes the board" in " ".join(refused.text.split())
    assert office.state() == before


def test_of_a_board_as_it_was_and_of_a_puzzle_nothing_is_played(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    office.play(1, "C3", "D3")
    (past,) = office.send("alice", "star preview 1#1 B3")
    (refused,) = office.send("alice", "Re: x", "B3", past.reply_to)
    assert "not the newest preview" in " ".join(refused.text.split())
    office.game("queens challenge alice")
    (puzzle,) = reply(office, 2, "try A10")
    (more,) = office.send("alice", "Re: x", "B10", puzzle.reply_to)
    assert "Nothing was played" in more.text
    assert office.record(1) == ["C3", "D3"] and office.record(2) == []


def test_a_yes_to_a_letter_of_the_board_names_the_preview(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    reply(office, 1, "try C3 D3")
    (refused,) = reply(office, 1, "yes")
    text = " ".join(refused.text.split())
    assert "You have a preview of this board, C3 D3." in text
    assert "whose Subject is Star Board 1 Preview" in text
    assert office.record(1) == []


def test_a_tap_on_a_preview_tries_one_cell_more(office_of: Callable[..., Office]) -> None:
    office = office_of(pictures="on")
    office.game("star challenge -size=4 alice bob")
    (letter,) = reply(office, 1, "try C3 D3 B3")
    html = html_of(letter)
    assert "All cells are in the rows below" not in html
    areas = re.findall(r'<area [^>]*alt="(\w+)"\s+href="mailto:([^?]+)\?subject=([^"]+)"', html)
    assert areas and {unquote(to) for _, to, _ in areas} == {letter.reply_to}
    assert all(unquote(subject) == f"try C3 D3 B3 {cell}" for cell, _, subject in areas)
    assert {"C3", "D3", "B3"}.isdisjoint(cell for cell, _, _ in areas)
    others = re.findall(r'<a [^>]*href="mailto:[^?]+\?subject=([^"]+)"', html)
    assert list(map(unquote, others)) == ["yes", "yes plan"]
    cell, _, subject = areas[0]
    (more,) = office.send("alice", unquote(subject), "", letter.reply_to)
    assert f"4 {cell} by bob" in more.text and office.record(1) == []
    (unproved,) = office.send("alice", "star preview 1 C3")
    (again,) = re.findall(r'<a [^>]*href="mailto:[^?]+\?subject=([^"]+)"', html_of(unproved))
    assert unquote(again) == "try C3"


def test_previews_are_bounded(office: Office) -> None:
    """40 moves of one, five a minute; a board that one does not play has no yes."""
    office.game("star challenge -size=8 alice bob")
    (letter,) = office.send("alice", "star preview new -size=8 " + "pass F6 " * 1 + "G7 " * 1)
    assert not letter.mail["Reply-To"] and "yes" not in letter.text
    names = [f"{column}{row}" for row in range(5, 9) for column in "ABCDEFGHIJ"]
    (letter,) = office.send("alice", f"star preview 1 {' '.join(names)} K8 L8")
    assert len(re.findall(r"(?m)^  \d+ \w+ by", letter.text)) <= 40
    (refused,) = office.send("alice", f"star preview 1 {'F6 ' * 500}")
    assert "A preview has at most 40 moves." in refused.text
    assert (letter.mail["X-Pbmstar-Game"], letter.mail["X-Pbmstar-Board"]) == ("star", "1")
    for _ in range(5):
        *_, last = office.send("alice", "star preview 1 F6")
    assert "five previews a minute" in " ".join(last.text.split())


def test_a_yes_is_like_any_other_move(office: Office) -> None:
    """Its words stand in the record; on the board of a bot nothing is planned."""
    office.game("star challenge -size=4 alice bob")
    (first,) = reply(office, 1, "try C3 D3")
    office.send("alice", "Re: x", "yes\r\n\r\nGood luck!", first.reply_to)
    assert office.record(1) == ["C3"]
    (record,) = office.send("alice", "star record 1")
    assert "alice writes: Good luck!" in record.text
    office.run("admin", "bot", "add", "bot1")
    office.game("star challenge -size=4 alice bot1")
    (second,) = reply(office, 2, "try C3 D3 B3")
    assert "reply yes." in second.text and "yes plan" not in second.text
    (refused,) = office.send("alice", "Re: x", "yes plan", second.reply_to)
    assert "nothing to plan on this board" in " ".join(refused.text.split())
    assert office.record(2) == []
