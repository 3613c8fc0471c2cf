"""The demonstration: a whole game on one screen. In full it is played where it is installed, by test_package."""

from __future__ import annotations

import click
import pytest
from harness.common import sentence

from pbmstar.cli import demo


@pytest.mark.slow
def test_the_game_is_told_on_one_screen() -> None:
    """One sees who wrote what, each new board, and where the rest is."""
    said: list[str] = []
    assert demo.run(said.append, is_full=False) == 0
    text = click.unstyle("\n".join(said))
    assert len(text.splitlines()) < 75
    assert max(map(len, text.splitlines())) < 112
    for line in ("alice replies: C3", "bob replies: swap", sentence("taken", "C3"), "pass"):
        assert line in text
    assert text.count("A B C D") == 4
    assert "1.html" in text and "pbmstar demo --full" in text
    assert "Reply-To" not in text
