"""How strong the bots are, which measures players."""

from __future__ import annotations

import re
from pathlib import Path

from pbmstar.ratings.practice import STEPS, next_better

LEVELS = Path(__file__).parents[2] / "docs" / "levels.txt"


def test_the_bots_are_rated_as_the_docs_say() -> None:
    """Each step that was measured on a board of the default size counts in the points of the bots."""
    rated = set()
    measured = 0
    for part in LEVELS.read_text().split("\n\n")[1:]:
        head, *rows = part.splitlines()
        if game := re.match(r" +playouts weaker +(\*?star) -(?:size|rings)=6 ", head):
            rated.add(game[1])
            for row, points in zip(rows[1:], STEPS[game[1]], strict=False):
                step = row[len("bot10  180,000    66%") :][:25].split()  # of the first board
                assert not step or int(step[0]) == points, row
                measured += bool(step)
    assert rated == set(STEPS) and measured


def test_after_three_wins_in_a_row_the_next_better_is_offered() -> None:
    assert next_better("star", "bot3", (1, 1, 1)) == "bot4"
    assert next_better("star", "bot3", (1, 1, 0.5)) == next_better("star", "bot3", (1, 1)) == ""
    assert next_better("star", "bot9", (1, 1, 1)) == next_better("hex", "bot3", (1, 1, 1)) == ""
