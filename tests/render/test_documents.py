"""The pictures of the documents show letters and pages as they are now."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from harness.played import played

from pbmstar.parts import FEATURES, modules

from . import documents

TEXTS = [documents.PICTURES.parents[1] / "README.md", *documents.PICTURES.parent.glob("*.md")]
MOST = 300_000  # bytes of a picture


@pytest.mark.slow
@pytest.mark.skipif(
    {name for name, _ in modules("feature")} != set(FEATURES), reason="letters show every feature"
)
def test_no_picture_is_older_than_what_it_shows(tmp_path: Path) -> None:
    """If this fails: ``python tests/render/documents.py`` makes them anew. Look at them."""
    marks = {f"{name}.png": screen.mark for name, screen in documents.screens(tmp_path).items()}
    assert json.loads(documents.MADE.read_text("utf-8")) == marks


def test_each_picture_is_in_a_document_and_not_too_large() -> None:
    shown = {
        name
        for path in TEXTS
        for name in re.findall(r"!\[[^\]]+\]\([^)]*pictures/([^)]*)\)", path.read_text("utf-8"))
    }
    there = {path.name for path in documents.PICTURES.glob("*.png")}
    assert shown == there == set(json.loads(documents.MADE.read_text("utf-8")))
    assert all(path.stat().st_size <= MOST for path in documents.PICTURES.iterdir())


def test_the_games_in_the_pictures_were_played_by_the_rules_to_their_end() -> None:
    for game in played():
        match = game.match(1, ("alice", "bob"))
        assert match.position.over and match.winner, game.game
