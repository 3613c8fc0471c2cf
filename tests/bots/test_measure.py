"""How strong the bots are, which measures players."""

from __future__ import annotations

import re
from pathlib import Path

from pbmstar.features.bots.measure import STEPS
from pbmstar.features.ratings.practice import next_better

LEVELS = Path(__file__).parents[3] / "help" / "levels.txt"


def test_the_bots_are_rated_as_help_says() -> None:
    """Each step that was measured on a board of the default size counts in the points of the bots."""
    rated = set()
    for part in LEVELS.read_text().split("\n\n")[1:]:
        head, *rows = part.splitlines()
        if game := re.match(r" +playouts weaker +(\*?star) -(?:size|rings)=6 ", head):
            rated.add(game[1])
            for row, points in zip(rows[1:], STEPS[game[1]], strict=False):
                step = re.match(r"bot\d+ +[\d,]+ +\d+% {1,4}\+(\d+) \[", row)
                assert step is None or int(step[1]) == points
    assert rated == set(STEPS)


def test_after_three_wins_in_a_row_the_next_better_is_offered() -> None:
    assert next_better("star", "bot3", (1, 1, 1)) == "bot4"
    assert next_better("star", "bot3", (1, 1, 0.5)) == next_better("star", "bot3", (1, 1)) == ""
    assert next_better("star", "bot9", (1, 1, 1)) == next_better("hex", "bot3", (1, 1, 1)) == ""
