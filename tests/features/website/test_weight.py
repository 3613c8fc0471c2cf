"""What a page asks of a slow line: at most 40 kB, uncompressed, in at most seven requests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness.played import played
from shown import BEGUN, add_game, add_players, publish

from pbmstar.config import Config
from pbmstar.store import Store

MOST, REQUESTS = 40_000, 7
LOADED = re.compile(r'<(?:link rel="(?:stylesheet|icon)" href|script src|img [^>]*?src)="([^"#]*)"')


def loaded(page: Path) -> set[Path]:
    """The files that a browser with scripts loads for a page, lazy pictures too."""
    text = re.sub(r"<noscript>.*?</noscript>", "", page.read_text(), flags=re.DOTALL)
    return {page, *((page.parent / name).resolve() for name in LOADED.findall(text))}


@pytest.mark.slow
def test_no_page_of_any_kind_weighs_more_than_it_may(town: Path) -> None:
    pages = sorted(town.rglob("*.html"))
    kinds = {path.relative_to(town).parts[0] for path in pages}
    assert kinds >= {"index.html", "404.html", "g", "p", "games", "ratings", "rules", "play"}
    boards = [path for path in (town / "s").iterdir() if re.fullmatch("[0-9a-f]{10}", path.stem)]
    largest = max(boards, key=lambda path: path.stat().st_size)
    for page in pages:
        files = loaded(page)
        if page.parent.name == "play":  # its script loads the board of the letter
            files.add(largest)
        assert sum(path.stat().st_size for path in files) <= MOST, page.relative_to(town)
        assert len(files) <= REQUESTS, page.relative_to(town)


def test_scripts_and_styles_are_served_without_comments(empty_site: Path) -> None:
    for name in ("play.js", "viewer.js", "board.js", "style.css"):
        text = (empty_site / "s" / name).read_text()
        assert not re.search(r"/\*[^*]*\*/|\s//|^ ", text, re.MULTILINE), name


@pytest.mark.slow
def test_nor_does_a_page_of_many_games(site: tuple[Config, Store]) -> None:
    config, store = site
    assert config.site is not None
    names = [f"sixteen-letter{number:02}" for number in range(30)]
    add_players(store, *names)
    moves = list(played()[1].moves)
    for number in range(100):
        pair = names[0], names[number % 29 + 1]
        add_game(store, "star", '{"size": 6}', moves[: len(moves) >> number % 2], pair, BEGUN)
    publish(config, store)
    for name in ("index.html", "games/index.html", "games/star/index.html", f"p/{names[0]}.html"):
        page = config.site / name
        assert page.read_text().count("<li") >= 20, name
        assert sum(path.stat().st_size for path in loaded(page)) <= MOST, name
