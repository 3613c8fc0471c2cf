"""Previews: what analyse says of the same moves, and whose yes plays which of them."""

from __future__ import annotations

import json
import re

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


def test_yes_means_the_moves_of_the_letter_that_it_answers(office: Office) -> None:
    """A forged From line may have other moves previewed in her name, in between."""
    office.game("star challenge -size=4 alice bob")
    (first,) = office.send("alice", "star preview 1 C3 D3")
    office.deliver(office.write("alice", "star preview 1 E4"), "mallory@evil.example")
    (forged,) = office.letters()
    assert first.reply_to != forged.reply_to
    (refused,) = office.send("alice", "Re: x", "yes", first.reply_to)
    assert "not your newest preview" in " ".join(refused.text.split())
    office.send("alice", "Re: x", "B4", first.reply_to)  # anything else works as ever
    assert office.record(1) == ["B4"]
    (late,) = office.send("alice", "Re: x", "yes", forged.reply_to)
    assert "earlier turn" in " ".join(late.text.split())
    assert office.record(1) == ["B4"]


def test_previews_are_bounded(office: Office) -> None:
    """40 moves of one, five a minute; a board that one does not play has no yes."""
    office.game("star challenge -size=8 alice bob")
    (letter,) = office.send("alice", "star preview new -size=8 " + "pass F6 " * 1 + "G7 " * 1)
    assert not letter.mail["Reply-To"] and "yes" not in letter.text
    names = [f"{column}{row}" for row in range(5, 9) for column in "ABCDEFGHIJ"]
    (letter,) = office.send("alice", f"star preview 1 {' '.join(names)} K8 L8")
    assert len(re.findall(r"(?m)^  \d+ \w+ by", letter.text)) <= 40
    for _ in range(5):
        *_, last = office.send("alice", "star preview 1 F6")
    assert "five previews a minute" in " ".join(last.text.split())


def test_a_yes_is_like_any_other_move(office: Office) -> None:
    """Its words stand in the record; on the board of a bot nothing is planned."""
    office.game("star challenge -size=4 alice bob")
    (first,) = office.send("alice", "star preview 1 C3 D3")
    office.send("alice", "Re: x", "yes\r\n\r\nGood luck!", first.reply_to)
    assert office.record(1) == ["C3"]
    (record,) = office.send("alice", "star record 1")
    assert "alice writes: Good luck!" in record.text
    office.run("admin", "bot", "add", "bot1")
    office.game("star challenge -size=4 alice bot1")
    (second,) = office.send("alice", "star preview 2 C3 D3 B3")
    assert "reply yes." in second.text and "yes plan" not in second.text
    (refused,) = office.send("alice", "Re: x", "yes plan", second.reply_to)
    assert "nothing to plan on this board" in " ".join(refused.text.split())
    assert office.record(2) == []
