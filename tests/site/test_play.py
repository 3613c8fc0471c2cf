"""The page to choose a move on: what is tapped there is played by mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from harness.office import Got, Office, address
from harness.shown import chromium, publish

pytestmark = pytest.mark.slow
URL = "https://star.example.org"
GAMES = (
    "star challenge -size=14 alice bob",
    "*star challenge -rings=10 alice bob",
    "*star challenge -rings=6 -double alice bob",
    "pentaline challenge alice bob",
    "pentahex challenge alice bob",
    "hex challenge -size=19 alice bob",
    "queens challenge alice",
    "ringsolitaire challenge alice",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def office(office_of: Callable[..., Office], tmp_path: Path) -> Office:
    return office_of(site=str(tmp_path / "www"), site_url=URL)


def asked(letters: list[Got]) -> tuple[str, str] | None:
    """The player who is to move, and the address of the page, of the newest letters."""
    for letter in letters:
        if found := re.search(r"^Choose on a big board: (\S+)$", letter.text, re.M):
            return letter.to.partition("@")[0], found[1]
    return None


def opened(browser: Any, office: Office, where: str, troubles: list[str]) -> Any:
    assert office.config.site is not None
    publish(office.config, office.store)
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.on("console", lambda said: troubles.append(said.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    root = office.config.site.as_uri()
    page.on("request", lambda a: a.url.startswith(root) or troubles.append(a.url))
    page.goto(f"{root}/play/index.html{where[where.index('#') :]}")
    return page


def cell(page: Any, name: str) -> Any:
    return page.locator(f'[data-cell="{name}"]')


def sent(office: Office, who: str, href: str) -> list[Got]:
    """What a mail program does with the link."""
    parts = urlsplit(href)
    assert parts.scheme == "mailto"
    query = parse_qs(parts.query)
    to = unquote(parts.path)
    return office.send(address(who), query["subject"][0], query.get("body", [""])[0], to)


@pytest.mark.parametrize("challenge", GAMES)
def test_what_is_tapped_is_played(browser: Any, office: Office, challenge: str) -> None:
    letters = office.send(address("alice"), challenge)
    troubles: list[str] = []
    for turn in range(3):
        found = asked(letters)
        assert found is not None
        who, where = found
        assert len(where) < 990
        page = opened(browser, office, where, troubles)
        with office.store.transaction(writes=False) as tx:
            row = tx.boards.get(1)
            assert row is not None
            position = row.match(tx.boards.record(1)).position
        shown = page.locator("[data-cell]").evaluate_all(
            "a => a.map(e => e.dataset.stone || '.').join('')"
        )
        assert shown == position.stones.decode()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        moves = [m for m in islice(position.moves(), 400) if m not in ("pass", "swap")]
        move = moves[(7 * turn + 3) % len(moves)]
        send = page.get_by_role("link", name="Send")
        for name in re.split("[ -]", move):
            assert send.get_attribute("href") is None or challenge.startswith("ring")
            cell(page, name).tap()
        if "alice bob" in challenge:
            page.get_by_role("textbox").fill("Good luck!\nBye")
        letters = sent(office, who, send.get_attribute("href"))
        assert office.record(1)[-1] == move
        assert troubles == []
        page.context.close()


def test_a_second_tap_and_undo_take_back_and_a_full_turn_takes_no_more(
    browser: Any, office: Office
) -> None:
    letters = office.send(address("alice"), "*star challenge -rings=4 -double alice bob")
    letters = office.play(1, "A10")
    found = asked(letters)
    assert found is not None
    troubles: list[str] = []
    page = opened(browser, office, found[1], troubles)
    send = page.get_by_role("link", name="Send")
    cell(page, "*30").tap()
    assert send.get_attribute("href") is None
    cell(page, "A40").tap()
    first = send.get_attribute("href")
    assert first is not None
    assert "Z30" in first
    cell(page, "A41").tap()
    assert send.get_attribute("href") == first
    page.get_by_role("button", name="Undo").tap()
    assert send.get_attribute("href") is None
    cell(page, "*30").tap()
    assert page.locator(".chosen").count() == 0
    page.get_by_role("button", name="Larger").tap()
    assert page.locator(".big").bounding_box()["width"] > 390
    assert troubles == []
    page.context.close()


def test_an_address_with_any_other_character_shows_nothing(browser: Any, office: Office) -> None:
    found = asked(office.send(address("alice"), "star challenge -size=3 alice bob"))
    assert found is not None
    where = found[1]
    page = opened(browser, office, where, [])
    assert page.locator("[data-cell]").count() == 12
    begin = where.index("#") + 1
    for at in range(begin, len(where), 7):
        other = "x" if where[at] != "x" else "y"
        page.evaluate(
            "hash => { location.hash = hash; }", where[begin - 1 : at] + other + where[at + 1 :]
        )
        page.wait_for_function("!document.querySelector('[data-cell]')")
        assert "not whole" in page.locator("#status").inner_text()
    page.context.close()


def test_all_of_it_goes_by_keyboard(browser: Any, office: Office) -> None:
    found = asked(office.send(address("alice"), "hex challenge -size=5 alice bob"))
    assert found is not None
    page = opened(browser, office, found[1], [])
    cell(page, "A1").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert page.locator(".chosen").get_attribute("data-cell") == "C1"
    assert page.locator(".chosen").get_attribute("aria-label") == "C1, empty"
    sent(office, "alice", page.get_by_role("link", name="Send").get_attribute("href"))
    assert office.record(1) == ["C1"]
    page.context.close()
