"""How strong the bots are, which measures players."""

from __future__ import annotations

import re
from pathlib import Path

from pbmstar.features.bots.measure import STEPS
from pbmstar.features.ratings.practice import next_better

LEVELS = Path(__file__).parents[3] / "help" / "levels.txt"


def test_the_bots_are_rated_as_help_says() -> None:
    """Each game with 75 cells that the table of the levels has, and no other, is a measure."""
    _, table, *_ = LEVELS.read_text().split("\n\n")
    heads, *rows = re.findall(r"(?m)^(?:bot[1-9]|  +playouts) .*", table)
    games = re.findall(r"(\*?star) -(?:size|rings)=6", heads)
    steps = zip(*(map(int, re.findall(r"\+(\d+) \[", row)) for row in rows[1:]), strict=True)
    assert {game: tuple(each) for game, each in zip(games, steps, strict=False)} == dict(STEPS)


def test_after_three_wins_in_a_row_the_next_better_is_offered() -> None:
    assert next_better("star", "bot3", (1, 1, 1)) == "bot4"
    assert next_better("star", "bot3", (1, 1, 0.5)) == next_better("star", "bot3", (1, 1)) == ""
    assert next_better("star", "bot9", (1, 1, 1)) == next_better("hex", "bot3", (1, 1, 1)) == ""
