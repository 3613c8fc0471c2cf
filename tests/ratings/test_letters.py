"""Ratings in letters."""

from __future__ import annotations

import lxml.html
from render.kinds import html


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
