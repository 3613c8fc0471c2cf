"""The way back: the letter that confirms a choice says how to change it, in its text and to tap."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from harness.common import sentence
from harness.office import Office, is_there

from pbmstar.match.happenings import Moved
from pbmstar.parts import FEATURES
from pbmstar.service.letters.post import BoardLetter, send
from pbmstar.service.work.apply import load
from pbmstar.service.work.work import Work

PW = "tr1angle"


_CHOICES = [
    ((), f"watch 1 carol {PW}", ("unwatch 1", "watches")),
    ((f"watch 1 carol {PW}",), f"unwatch 1 carol {PW}", ("watches",)),
    ((), f"watch player bob carol {PW}", ("unwatch player bob", "watches")),
    ((f"watch player bob carol {PW}",), f"unwatch player bob carol {PW}", ("watches",)),
    (
        (f"watch 1 carol {PW}", f"watch player bob carol {PW}"),
        f"watches carol {PW}",
        ("unwatch 1", "unwatch player bob"),
    ),
    ((), f"league join star carol {PW}", ("league leave star",)),
    ((f"league join star carol {PW}",), f"league leave star carol {PW}", ("league join star",)),
    ((), f"cup carol {PW}", ("cup leave star",)),
    ((f"cup carol {PW} hex",), f"cup leave carol {PW}", ("cup hex",)),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("before", "line", "replies"), [each for each in _CHOICES if is_there(each[1])]
)
def test_a_choice_can_be_changed_by_reply_and_by_a_tap(
    office: Office, before: tuple[str, ...], line: str, replies: tuple[str, ...]
) -> None:
    office.game("star challenge -size=4 alice bob")
    office.add("carol")
    if "league" in FEATURES:
        office.run("admin", "league", "open", "star", "--days", "30", "-size=3")
    for each in before:
        office.send("carol", each)
    (letter,) = office.send("carol", line)
    below = letter.text.partition(f"\n{sentence('reply lines')}:\n")[2]
    assert tuple(map(str.strip, below.strip().split("\n"))) == replies
    for reply in replies:
        assert f"?subject={quote(reply)}" in letter.html


def test_both_parts_of_the_list_of_players_name_the_same_ways_on(office: Office) -> None:
    office.add("carol")
    (letter,) = office.send("carol", "who")
    for way in ("match", "seeks", "listed"):
        assert way in letter.text and f"?subject={way}" in letter.html
    (answer,) = office.send("carol", "Re: Star players", "listed off", to=letter.reply_to)
    assert answer.subject == "Star account carol: settings"


def test_composing_a_letter_uses_up_nothing_and_sending_it_does(office: Office) -> None:
    """A rating's correction is told once, and three receipts tell how to get no more of them."""
    board = office.game("star challenge -size=4 alice bob")
    told = []

    def compose(work: Work) -> None:
        match = load(work, board).after("alice", "B3", work.now)
        letter = BoardLetter(match, (Moved("alice", "B3"),), answers="alice")
        work.tx.accounts.set_correction("alice", "Star 1500 -> 1447")
        for _ in range(2):
            facts = next(iter(letter.outgoing(work))).recipe.facts
            told.append((facts.get("receipt"), facts.get("correction")))
        send(work, letter)
        facts = next(iter(letter.outgoing(work))).recipe.facts
        told.append((facts.get("receipt"), facts.get("correction")))

    office.at_work(compose)
    assert told == [(True, "Star 1500 -> 1447")] * 2 + [(True, None)]
    assert office.ask("accounts.user", "alice").receipts == 1
