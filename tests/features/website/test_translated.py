"""The site in another language: a folder of its own, each sentence from its catalog, links to the others."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from harness.letters import PASSWORD
from harness.office import Office
from harness.played import played
from phone import URL
from shown import publish
from test_weight import MOST, REQUESTS, loaded
from town import settle

from pbmstar import games
from pbmstar.features.website.folder import SiteFolder
from pbmstar.features.website.pages.fragment import big_board
from pbmstar.features.website.worker import Publisher
from pbmstar.render import translator
from pbmstar.render.board.view import Telling, view_of
from pbmstar.render.translator import Translator

TEMPLATE = Path(__file__).parents[3] / "locale" / "pbmstar.pot"
# What is the same in all languages, and what features and games still say in English.
KEPT = re.compile(
    r"Sonneborn-Berger|SB|pbmstar|hello|match|English|Deutsch|pass|swap|rings|size|[Ff]irst of the|ladder|league|cup"
    r"|star@\S+|\S+\.xml|joined [a-z ]+|owns three corners"
)


def _quoted(text: str) -> str:
    return f"«{text}»"


@pytest.fixture(scope="module", autouse=True)
def _german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The server offers German, whose catalog puts each sentence into marks."""
    folder = tmp_path_factory.mktemp("locale")
    place = folder / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    german = Catalog(locale="de")
    with TEMPLATE.open("rb") as file:
        for each in read_po(file):
            if each.id:
                one = isinstance(each.id, str)
                german.add(each.id, _quoted(each.id) if one else tuple(map(_quoted, each.id)))
    content = io.BytesIO()
    write_mo(content, german)
    (place / "pbmstar.mo").write_bytes(content.getvalue())
    (folder / "complete.txt").write_text("de 100\n")
    before, translator.CATALOGS = translator.CATALOGS, folder
    Translator.of.cache_clear()
    yield
    translator.CATALOGS = before
    Translator.of.cache_clear()


@pytest.fixture(scope="module")
def german_town(
    _german: None, another: Callable[..., Office], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    root = tmp_path_factory.mktemp("town") / "www"
    with closing(another(people=(), site=str(root), site_url=URL, limits="off")) as office:
        settle(office)
    return root


def english_words(page: str) -> set[str]:
    """The words of a page that no sentence of the catalog has."""
    page = re.sub(r"<(style|script)\b.*?</\1>|<!DOCTYPE[^>]*>", "", page, flags=re.DOTALL)
    read = re.findall(r'(?:alt|aria-label|title|data-label)="([^"]*)"', page)
    text = unescape("\n".join([*read, re.sub(r"<[^>]*>", " ", page)]))
    while (less := re.sub(r"«[^«»]*»", " ", text)) != text:
        text = less
    titles = "|".join(re.escape(game.title) for game in games.GAMES)
    text = re.sub(rf"\b(?:{KEPT.pattern})\b|{titles}", " ", text)
    return {word for word in re.findall(r"[A-Za-z]{3,}", text) if word not in PEOPLE}


PEOPLE = {"anna", "ben", "dora", "emil", "gus", "hana", "ivo", "karl"}


@pytest.mark.slow
def test_each_page_is_in_the_folder_of_its_language_and_says_nothing_in_english(
    german_town: Path,
) -> None:
    english = {path.relative_to(german_town).as_posix() for path in german_town.rglob("*.html")}
    german = {name.removeprefix("de/") for name in english if name.startswith("de/")}
    assert german == {name for name in english if not name.startswith("de/")} - {"404.html"}
    for name in sorted(german):
        page = (german_town / "de" / name).read_text()
        assert '<html lang="de">' in page
        if not name.startswith("rules/"):
            assert english_words(page) == set(), name
    assert not re.search("«", (german_town / "index.html").read_text())


@pytest.mark.slow
def test_each_page_names_its_other_languages_and_its_links_lead_somewhere(
    german_town: Path,
) -> None:
    for path in german_town.rglob("*.html"):
        page, name = path.read_text(), path.relative_to(german_town).as_posix()
        links = re.findall(r'(?:href|src)="([^":#]+)(?:#[^"]*)?"', page)
        for link in links:
            there = (path.parent / link).resolve()
            assert there.is_file(), (name, link)
        if name == "404.html" or "play/" in name:
            assert "hreflang" not in page
            continue
        own = name.removeprefix("de/")
        found = dict(re.findall(r'<link rel="alternate" hreflang="(\w+)" href="([^"]*)">', page))
        assert {code: (path.parent / to).resolve() for code, to in found.items()} == {
            "en": german_town / own,
            "de": german_town / "de" / own,
        }
    assert f"{URL}/de/index.html" in (german_town / "sitemap.xml").read_text()


@pytest.mark.slow
def test_a_page_in_another_language_weighs_no_more_than_it_may(german_town: Path) -> None:
    boards = [p for p in (german_town / "s").iterdir() if re.fullmatch("[0-9a-f]{10}", p.stem)]
    largest = max(boards, key=lambda path: path.stat().st_size)
    for page in (german_town / "de").rglob("*.html"):
        files = loaded(page) | ({largest} if page.parent.name == "play" else set())
        assert sum(path.stat().st_size for path in files) <= MOST, page.relative_to(german_town)
        assert len(files) <= REQUESTS


@pytest.mark.slow
def test_a_player_who_goes_is_in_no_language(office: Office) -> None:
    root = office.config.site
    assert root is not None
    for who in ("alice", "bob"):
        office.send(who, f"public {who} {PASSWORD[who]} on")
    office.begun("hex challenge alice bob")
    publish(office.config, office.store)
    assert (root / "de/g/1.html").exists()
    assert (root / "de/p/bob.html").exists()
    office.send("bob", f"public bob {PASSWORD['bob']} off")
    publish(office.config, office.store)
    files = [each for each in root.rglob("*") if each.is_file() and each.parent.name != "rules"]
    assert not [path for path in files if b"bob" in path.read_bytes() or "bob" in path.name]
    assert Publisher(office.config, office.store, SiteFolder(root)).differences() == []


def test_a_letter_leads_to_the_page_in_its_language() -> None:
    match = played()[1].match(7, ("alice", "bob"), 10)
    for language, way in (("en", "/play/#"), ("de", "/de/play/#"), ("fr", "/play/#")):
        telling = Telling("alice", reply_to="star@star.example", translator=Translator.of(language))
        assert big_board(view_of(match, telling), URL).startswith(f"{URL}{way}")


@pytest.mark.slow
def test_the_viewer_speaks_it(german_town: Path, browser: Any) -> None:
    page = browser.new_page()
    page.goto(f"{(german_town / 'de/g/2.html').as_uri()}#3")
    page.get_by_role("button", name="«Forward»").click()
    told = page.locator(".told").inner_text()
    assert told.startswith("«Step 4 of 74: ") and english_words(f"<p>{told}") == set()
