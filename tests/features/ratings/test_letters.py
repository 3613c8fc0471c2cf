"""Ratings in letters, those of earlier versions too."""

from __future__ import annotations

from typing import Any

import lxml.html
import pytest
from render.kinds import html, mail, part, played

LOST = {"bot": "", "ratings": {"alice": "1607?", "bob": "1393?"}, "reader": "alice"}
WON = {"bot": "bot1", "ratings": {"alice": "1019?", "bot1": "800"}, "reader": "alice"}


def test_a_letter_of_an_earlier_version_proposes_its_next_bot() -> None:
    """Its next game lies among the facts about ratings, without the sentence."""
    line = "star challenge -size=3 alice bot2"
    rating = {**WON, "before": "979?", "next": {"line": line, "bot": "bot2", "beaten": "bot1"}}
    letter = mail(match=played("D1 A6"), facts={"rating": rating, "titles": {}})
    said = " ".join(part(letter, "plain").split())
    assert "Practice: 979? -> 1019? (bot1 is 800)." in said
    assert "You have won three games in a row against bot1. The next one is bot2." in said
    assert f"Send: {line}" in said
    assert "The next one is bot2." in part(letter, "html")
    assert not letter["X-Pbmstar-Rating"]


@pytest.mark.parametrize("line", ["match", "rematch"])
def test_a_letter_of_an_earlier_version_proposes_a_game_with_a_person(line: str) -> None:
    rating: dict[str, Any] = {**LOST, "before": "1500?", "next": {"line": line, "bot": ""}}
    letter = mail(match=played("D1 A6"), facts={"rating": rating, "titles": {}})
    assert "Your rating: 1500? -> 1607?." in part(letter, "plain")
    assert f">{line}<" in part(letter, "html")
    assert letter["X-Pbmstar-Rating"] == "alice=1607? bob=1393?"


def test_a_rating_of_a_player_is_one_row() -> None:
    """Below the heads of the columns, with a date as people write it."""
    rated = {"title": "Star", "rating": "1393?", "deviation": 218, "games": 1, "won": 0, "lost": 1}
    facts = {"userid": "bob", "reader": "alice", "since": "2026-11-23", "bot": None, "beaten": ()}
    facts |= {"ratings": [{**rated, "tied": 0, "date": "2026-11-23"}], "titles": (), "practice": ()}
    content = html(
        "whois", facts=facts | dict.fromkeys(("won", "lost", "tied", "turns", "away"), 0)
    )
    rows = [
        [cell.text_content().strip() for cell in row]
        for row in lxml.html.fromstring(content).iter("tr")
    ]
    assert ["Star", "1393?", "0–1–0", "23\xa0Nov\xa02026"] in rows
    assert ["Game", "Rating", "Won, lost, tied", "Last"] in rows
