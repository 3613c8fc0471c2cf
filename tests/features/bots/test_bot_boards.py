"""The board of a bot: what a player can do on it, and what letters offer there."""

from __future__ import annotations

from collections.abc import Callable

from harness.office import Office
from service.test_offers import play_and_take


def test_nothing_is_planned_on_it(office: Office) -> None:
    office.game("star challenge -size=4 alice bot1")
    (shown,) = office.send("alice", "star show 1")
    (preview,) = office.send("alice", "Re: x", "try C3 D3 B3", shown.reply_to)
    assert "reply yes." in preview.text and "yes plan" not in preview.text
    (refused,) = office.send("alice", "Re: x", "yes plan", preview.reply_to)
    assert "nothing to plan on this board" in refused.words
    assert office.record(1) == []


def test_what_its_letters_offer_is_taken(office_of: Callable[..., Office]) -> None:
    play_and_take(office_of(limits="off"), "star challenge -size=3 alice bot1", 1)
