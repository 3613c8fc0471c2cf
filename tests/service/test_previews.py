"""Previews: what analyse says of the same moves, and whose yes plays which of them; see preview.mails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from harness.letters import Got
from harness.office import Office

from pbmstar.cli.analyse import answer

PLANS = ("B4 if C4 then C2", "plan if C4 then C2", "queue B4")
MOVES = "C3 D3 B3 E4 C4 pass B4 D4 pass pass"


@pytest.fixture
def small(office: Office) -> Office:
    """A service with a small board of alice and bob."""
    office.game("star challenge -size=4 alice bob")
    return office


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


def test_a_preview_says_what_analyse_says_and_plays_nothing(small: Office) -> None:
    (letter,) = small.send("alice", f"star preview 1 {MOVES}")
    asked = {"game": "star", "options": {"size": 4}, "moves": MOVES.split(), "preview": True}
    steps = json.loads(answer(json.dumps(asked)))["steps"]
    assert len(steps) == 10
    for shown, step in zip(scores(letter), steps, strict=True):
        x, o = step["scores"]["X"], step["scores"]["O"]
        assert shown in ([x, *step["bounds"]["X"], o, *step["bounds"]["O"]], [x, o])
    assert small.record(1) == [] and small.check() == []


def test_forged_previews_leave_the_player_hers(small: Office) -> None:
    """Somebody else may have other moves previewed in her name, as often as they like."""
    (first,) = reply(small, 1, "try C3 D3")
    for _ in range(10):
        small.deliver(small.write("alice", "star preview 1 E4"), "mallory@evil.example")
    forged, *_ = small.letters()
    assert first.reply_to != forged.reply_to
    assert "To play E4: reply yes" not in forged.text
    small.send("alice", "Re: x", "yes", first.reply_to)
    assert small.record(1) == ["C3"]


@pytest.mark.parametrize("subject", ["B4", "Re: x"])
def test_a_move_that_answers_a_preview_is_tried_too(small: Office, subject: str) -> None:
    """A tap on the picture of a position that does not exist yet must not play."""
    (first,) = reply(small, 1, "try C3 D3")
    (second,) = small.send("alice", subject, "B4", first.reply_to)
    assert "nothing has been played" in second.text and "3 B4 by alice" in second.text
    (third,) = small.send("alice", "Re: x", "pass\r\nGood game!", second.reply_to)
    assert "4 pass by bob" in third.text
    assert "Nobody else saw what you wrote below the move" in third.text
    assert small.record(1) == []
    small.send("alice", "Re: x", "yes plan", third.reply_to)
    assert small.record(1) == ["C3"]


def test_only_a_yes_to_the_newest_preview_changes_the_board(small: Office) -> None:
    small.play(1, "C3", "D3")
    (letter,) = reply(small, 1, "try B3")
    (past,) = small.send("alice", "star preview 1#1 B3")
    before = small.state()
    for words in ("resign", "undo", "draw", "decline", *PLANS):
        (refused,) = small.send("alice", "Re: x", words, letter.reply_to)
        assert "only the word yes changes the board" in refused.words, words
    (refused,) = small.send("alice", "Re: x", "B3", past.reply_to)
    assert "This preview is out of date" in refused.words
    assert small.state() == before


def test_of_a_puzzle_nothing_is_played(office: Office) -> None:
    office.game("queens challenge alice")
    (puzzle,) = reply(office, 1, "try A10")
    (more,) = office.send("alice", "Re: x", "B10", puzzle.reply_to)
    assert "nothing has been played" in more.text
    assert office.record(1) == []


def test_a_tap_on_a_preview_tries_one_cell_more(office_of: Callable[..., Office]) -> None:
    office = office_of(pictures="on")
    office.game("star challenge -size=4 alice bob")
    (letter,) = reply(office, 1, "try C3 D3 B3")
    assert "All cells are in the rows below" not in letter.html
    tap = r'<area [^>]*alt=(\w+)\s+href="mailto:([^?]+)\?subject=([^"]+)"'
    areas = re.findall(tap, letter.html)
    assert areas and {unquote(to) for _, to, _ in areas} == {letter.reply_to}
    assert all(unquote(subject) == f"try C3 D3 B3 {cell}" for cell, _, subject in areas)
    assert {"C3", "D3", "B3"}.isdisjoint(cell for cell, _, _ in areas)
    link = r'<a [^>]*href="mailto:[^?]+\?subject=([^"]+)"'
    assert list(map(unquote, re.findall(link, letter.html))) == ["yes", "yes plan"]
    cell, _, subject = areas[0]
    (more,) = office.send("alice", unquote(subject), "", letter.reply_to)
    assert f"4 {cell} by bob" in more.text and office.record(1) == []
    (unproved,) = office.send("alice", "star preview 1 C3")
    assert list(map(unquote, re.findall(link, unproved.html))) == ["try C3"]


def test_previews_are_bounded(office: Office) -> None:
    """40 moves of one, five a minute; a board that one does not play has no yes."""
    office.game("star challenge -size=8 alice bob")
    (letter,) = office.send("alice", "star preview new -size=8 pass F6 G7")
    assert letter.mail["Reply-To"].startswith("star+c"), "a reply speaks for the account alone"
    assert "yes" not in letter.text
    names = [f"{column}{row}" for row in range(5, 9) for column in "ABCDEFGHIJ"]
    (letter,) = office.send("alice", f"star preview 1 {' '.join(names)} K8 L8")
    assert len(re.findall(r"(?m)^  \d+ \w+ by", letter.text)) <= 40
    (refused,) = office.send("alice", f"star preview 1 {'F6 ' * 500}")
    assert "A preview can have at most 40 moves." in refused.text
    assert (letter.mail["X-Pbmstar-Game"], letter.mail["X-Pbmstar-Board"]) == ("star", "1")
    for _ in range(5):
        *_, last = office.send("alice", "star preview 1 F6")
    assert "You can send five previews a minute." in last.words


def test_a_yes_is_like_any_other_move(small: Office) -> None:
    """Its words stand in the record."""
    (first,) = reply(small, 1, "try C3 D3")
    small.send("alice", "Re: x", "yes\r\n\r\nGood luck!", first.reply_to)
    assert small.record(1) == ["C3"]
    (record,) = small.send("alice", "star record 1")
    assert "alice writes: Good luck!" in record.text
