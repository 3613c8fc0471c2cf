"""What a letter weighs: many readers pay for each kilobyte, or wait for it."""

from __future__ import annotations

import pytest
from bench.letters import WEIGHED, weigh

MOST = {"Star 6": 57_000, "Star 14": 82_000, "*Star 10": 105_000}


@pytest.mark.parametrize("name", WEIGHED)
def test_the_letter_to_the_player_who_moves_next_is_light(name: str) -> None:
    assert weigh(*WEIGHED[name]) < MOST[name.partition(",")[0]]
