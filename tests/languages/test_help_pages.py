"""Help pages in other languages are found, and follow an English one."""

from __future__ import annotations

from pathlib import Path

import helppages
import pytest

from pbmstar.render.letters import Renderer
from pbmstar.render.tongue import Tongue

ADDRESS = "star@pbm.example"
NOTE = "Nobody has translated this page yet, so it is in English."


def site(tmp_path: Path, pages: dict[str, str]) -> Renderer:
    """A server with pages of its own."""
    for name, text in pages.items():
        path = tmp_path / "help" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Renderer(tmp_path, ADDRESS)


def test_a_page_comes_in_the_language_of_its_reader(tmp_path: Path) -> None:
    renderer = site(tmp_path, {"eo/star.txt": "{# star.txt 123456 #}\nStelo\n\nDu ludantoj.\n"})
    page = renderer.help("star", Tongue.of("eo"))
    assert page.text == "Stelo\n\nDu ludantoj.\n" and page.title == "Star"
    assert renderer.help("star").text.startswith("Star\n\nTwo players")


def test_a_page_that_nobody_has_translated_is_english_and_says_so(tmp_path: Path) -> None:
    page = site(tmp_path, {}).help("star", Tongue.of("eo"))
    assert page.text.startswith(f"Star\n\n{NOTE}\n\nTwo players")


def test_a_page_of_the_sites_own_wins_over_ours_in_any_language(tmp_path: Path) -> None:
    page = site(tmp_path, {"star.txt": "Star\n\nOur rules.\n"}).help("star", Tongue.of("de"))
    assert page.text.endswith("Our rules.\n")


@pytest.mark.parametrize("page", helppages.translated(), ids=lambda each: str(each.path.name))
def test_each_translated_page_follows_an_english_one(page: helppages.Translated) -> None:
    assert page.topic == page.path.name and (helppages.HELP / page.topic).exists()
    text = Renderer(None, ADDRESS).help(page.path.stem, Tongue.of(page.path.parent.name)).text
    assert NOTE not in text and all(len(line) <= 72 for line in text.splitlines())
