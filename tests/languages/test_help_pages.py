"""Help pages in other languages are found, and follow an English one."""

from __future__ import annotations

import re
from pathlib import Path

import helppages
import pytest

from pbmstar.games import GAMES, path_of
from pbmstar.render.letters import Renderer
from pbmstar.render.pages import Page, topics
from pbmstar.render.translator import Translator

ADDRESS = "star@pbm.example"
EXAMPLES = {"Examples", "Beispiele", "Ejemplos", "Exemples"}
WORDS = re.compile("[a-z]{2,} .*[a-z]{2}")  # no line of cells only
NOTE = "This page hasn't been translated yet, so here it is in English."


def site(tmp_path: Path, pages: dict[str, str]) -> Renderer:
    """A server with pages of its own."""
    for name, text in pages.items():
        path = tmp_path / "help" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Renderer(tmp_path, ADDRESS)


def test_a_page_comes_in_the_language_of_its_reader(tmp_path: Path) -> None:
    renderer = site(tmp_path, {"eo/star.txt": "{# star.txt 123456 #}\nStelo\n\nDu ludantoj.\n"})
    page = renderer.help("star", Translator.of("eo"))
    assert page.text == "Stelo\n\nDu ludantoj.\n" and page.title == "Star"
    assert renderer.help("star").text.startswith("Star\n\nTwo players")


def test_a_page_that_nobody_has_translated_is_english_and_says_so(tmp_path: Path) -> None:
    page = site(tmp_path, {}).help("star", Translator.of("eo"))
    assert page.text.startswith(f"Star\n\n{NOTE}\n\nTwo players")


def test_a_page_of_the_sites_own_wins_over_ours_in_any_language(tmp_path: Path) -> None:
    page = site(tmp_path, {"star.txt": "Star\n\nOur rules.\n"}).help("star", Translator.of("de"))
    assert page.text.endswith("Our rules.\n")


@pytest.mark.few(3)
@pytest.mark.parametrize("page", helppages.translated(), ids=lambda each: str(each.path.name))
def test_each_translated_page_follows_an_english_one(page: helppages.Translated) -> None:
    assert page.topic == page.path.name and (helppages.HELP / page.topic).exists()
    text = Renderer(None, ADDRESS).help(page.path.stem, Translator.of(page.path.parent.name)).text
    assert NOTE not in text and all(len(line) <= 72 for line in text.splitlines())


def test_a_drawn_board_is_counted_in_the_language_of_its_page() -> None:
    renderer, seen = Renderer(None, ADDRESS), 0
    for topic in topics(None):
        english = sentences_counted(renderer.help(topic))
        for language in ("de", "es", "fr"):
            assert not sentences_counted(renderer.help(topic, Translator.of(language)))
        seen += len(english)
    assert seen > 10
    untranslated = renderer.help("star", Translator.of("eo"))
    assert sentences_counted(untranslated) == sentences_counted(renderer.help("star"))


def sentences_counted(page: Page) -> list[str]:
    """Return the lines of a page that count one of its boards in English words."""
    reports = [each.game.report(each.stones) for each in page.figures if each.game]
    lines = {line.strip() for lines in reports for line in lines if WORDS.search(line)}
    return [line.strip() for line in page.text.splitlines() if line.strip() in lines]


def test_there_are_few_pages_and_each_is_one_screen_of_a_phone_before_its_examples() -> None:
    renderer, pages = Renderer(None, ADDRESS), topics(None)
    assert len(pages) <= 20
    ours = [{each.name for each in (helppages.HELP / to).iterdir()} for to in ("de", "es", "fr")]
    assert ours[0] == ours[1] == ours[2] and len(ours[0]) == 18
    for topic in pages:
        for language in ("en", "de", "es", "fr"):
            lines = renderer.help(topic, Translator.of(language)).text.splitlines()
            before = next((n for n, line in enumerate(lines) if line in EXAMPLES), len(lines))
            assert before <= 30, f"{language}/{topic}: {before}"


def test_a_former_topic_and_a_game_that_shares_a_page_are_found() -> None:
    renderer = Renderer(None, ADDRESS)
    assert renderer.help("cells").text == renderer.help("starstar").text
    assert renderer.help("cup").title == "contests"
    shared = renderer.help("miserehex")
    assert shared.title == "Misere Hex" and shared.text == renderer.help("hex").text
    for game in GAMES:
        assert game.title in renderer.help(path_of(game.word)).text
