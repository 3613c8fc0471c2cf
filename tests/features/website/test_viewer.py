"""The page of a game in a browser: each step is the position that the rules say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from shown import ALL, Played, Shown

from pbmstar import games
from pbmstar.cli.analyse import play

pytestmark = pytest.mark.slow


def stones(page: Any) -> dict[str, str]:
    found = page.locator("[data-cell]").evaluate_all(
        "all => all.map(each => [each.dataset.cell, each.dataset.stone])"
    )
    return dict(found)


def expected(word: str, options: str, moves: list[str]) -> list[dict[str, str]]:
    game = games.make(word, json.loads(options))
    return [
        {n: chr(s).replace(".", "") for n, s in zip(game.grid.names, each.stones, strict=True)}
        for each in play(game, None, None, moves)
    ]


WATCH = """() => {
  const root = document.getElementById('viewer'), cells = [...document.querySelectorAll('[data-cell]')];
  window.seen = [];
  const look = () => seen.push([root.dataset.step, Object.fromEntries(cells.map(each => [each.dataset.cell, each.dataset.stone]))]);
  new MutationObserver(look).observe(root, {attributes: true, attributeFilter: ['data-step']});
}"""


# What a key does, so many times: nothing is drawn between them.
KEYS = """async ([key, count]) => {
  for (; count; count--) {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    await null;
  }
}"""


def test_each_step_by_key_is_the_position_that_the_rules_say(shown: Shown) -> None:
    """Of every game, all in one tab: to open another one takes Chromium longer than the steps."""
    page = shown.page("index.html")
    for number, (word, options, moves) in shown.played.items():
        positions = expected(word, options, moves)
        page.goto(f"{shown.root.as_uri()}/g/{number}.html")
        root = page.locator("#viewer")
        assert root.get_attribute("data-step") == str(len(positions) - 1), word
        assert stones(page) == positions[-1], word
        page.evaluate(WATCH)
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.evaluate(KEYS, ["ArrowRight", len(positions) - 2])
        assert page.evaluate("seen") == [
            [str(step), position] for step, position in enumerate(positions)
        ], word
        page.keyboard.press("ArrowLeft")
        assert root.get_attribute("data-step") == str(len(positions) - 2), word
    assert len(shown.played) == len(ALL)


@pytest.mark.parametrize("number", range(1, len(ALL) + 1), ids=lambda n: "-".join(ALL[n - 1]))
def test_the_last_board_is_the_picture(written: tuple[Path, Played], number: int) -> None:
    root, played = written
    last = expected(*played[number])[-1]
    picture = (root / f"g/{number}.svg").read_text()
    drawn = {"x": 0, "o": 0}
    for sign, colour in (("x", "#1d3557"), ("o", "#fff6e0")):
        for form in re.findall(
            rf'<marker id="(m\d+)"[^>]*><circle r="11.5" fill="{colour}"', picture
        ):
            path = re.search(rf'url\(#{form}\)" d="M0 0l([^"]*)"', picture)
            assert path
            drawn[sign] += len(re.findall(r"-?\d+", path[1])) // 2 - 1  # its end shows nothing
    counts = {sign: list(last.values()).count(sign) for sign in drawn}
    assert drawn == counts


def swipe(page: Any, across: int) -> None:
    """Draw a finger over the board."""
    page.locator(".host").scroll_into_view_if_needed()
    box = page.locator(".host").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    for kind, at in (
        ("touchStart", 0), ("touchMove", across // 2), ("touchMove", across), ("touchEnd", None),
    ):  # fmt: skip
        points = [] if at is None else [{"x": x + at, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_thumb_a_button_a_slider_a_move_and_an_address_step(shown: Shown) -> None:
    positions = expected(*shown.played[1])
    page = shown.page("g/1.html#3", has_touch=True)
    root = page.locator("#viewer")
    assert root.get_attribute("data-step") == "3"
    swipe(page, -120)
    assert root.get_attribute("data-step") == "4"
    swipe(page, 120)
    swipe(page, 120)
    assert root.get_attribute("data-step") == "2"
    for name, step in (("Forward", 3), ("Last", 40), ("Back", 39), ("First", 0)):
        page.get_by_role("button", name=name).click()
        assert root.get_attribute("data-step") == str(step)
    swipe(page, 120)
    assert stones(page) == positions[0]
    page.locator("input[type=range]").fill("7")
    assert stones(page) == positions[7]
    page.locator(".moves a").nth(11).click()
    assert root.get_attribute("data-step") == "12"
    assert page.url.endswith("#12")
    page.evaluate("location.hash = '#99'")
    page.wait_for_function("document.getElementById('viewer').dataset.step === '40'")
    swipe(page, -120)
    assert stones(page) == positions[40]
    swipe(page, 120)
    assert stones(page) == positions[39]
    page.get_by_role("button", name="Coordinates").click()
    assert not page.locator(".names text").first.is_visible()


def test_without_scripts_there_are_the_last_position_and_the_moves(shown: Shown) -> None:
    page = shown.page("g/1.html", java_script_enabled=False)
    image = page.locator(".host img")
    assert image.is_visible()
    assert page.locator(".moves li").count() == 40
    assert image.bounding_box()["height"] > 200


def test_nothing_is_wider_than_the_screen(shown: Shown) -> None:
    """On no page, and no control is smaller than a thumb."""
    page = shown.page("index.html")
    names = [path for path in sorted(shown.root.rglob("*.html")) if path.parent.name != "g"]
    for path in (*names, *(shown.root / f"g/{n}.html" for n in (1, 2, 9, 13))):
        page.goto(path.as_uri())
        for width in (320, 390, 1000):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.evaluate(SMALL) == [], path


SMALL = """() => [...document.querySelectorAll('button, .button, input, summary, nav a')]
  .filter(each => { const {width, height} = each.getBoundingClientRect(); return width < 44 || height < 44; })
  .map(each => each.outerHTML.slice(0, 80))"""


def test_all_that_is_read_stands_out_and_has_a_name(shown: Shown) -> None:
    """A contrast of 4.5 in light and dark; a name for each control, picture and table; one heading."""
    for scheme in ("light", "dark"):
        page = shown.page("index.html", color_scheme=scheme)
        for name in ("index.html", "g/1.html", "p/alice.html", "games/star/index.html"):
            page.goto(f"{shown.root.as_uri()}/{name}")
            assert page.locator("h1").count() == 1
            assert page.locator("html[lang=en]").count() == 1
            assert page.locator("main, nav").count() == 2
            assert page.evaluate(UNNAMED) == [], name
            assert page.evaluate(PALE) == [], (name, scheme)


UNNAMED = """() => [...document.querySelectorAll('a, button, input, img, svg[role], section, [role=region]')]
  .filter(each => !(each.textContent.trim() || each.alt || each.getAttribute('aria-label') || document.getElementById(each.getAttribute('aria-labelledby'))?.textContent || each.id === 'viewer' || each.ariaHidden || each.getAttribute('alt') === '' || each.querySelector('img')?.alt))
  .map(each => each.outerHTML.slice(0, 80))"""
PALE = """() => {
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = rgb(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const own = node => [...node.childNodes].some(each => each.nodeType === 3 && each.textContent.trim());
  return [...document.querySelectorAll('body *')].filter(each => own(each) && !each.closest('svg') && !each.disabled)
    .filter(each => {
      const [a, b] = [light(rgb(getComputedStyle(each).color)), light(behind(each))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
    }).map(each => each.outerHTML.slice(0, 80));
}"""


def test_a_game_prints_on_one_page(shown: Shown) -> None:
    page = shown.page("index.html")
    page.emulate_media(media="print")
    for number in (1, 2, 13):
        page.goto(f"{shown.root.as_uri()}/g/{number}.html")
        assert page.locator(".board").is_visible()
        assert not page.locator("nav, .controls, footer").first.is_visible()
        assert len(re.findall(rb"/Type */Page\b", page.pdf(format="A4"))) == 1


def test_the_tab_key_goes_from_above_to_below_and_sees_where_it_is(shown: Shown) -> None:
    page = shown.page("g/1.html#3")
    order = []
    for _ in range(12):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate(
                "[document.activeElement.textContent.trim(), document.activeElement.tagName]"
            )
        )
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    names = [name for name, tag in order if tag in ("A", "BUTTON")]
    assert names[:4] == ["pbmstar", "Games", "Ratings", "Rules"]
    assert names[4:11] == ["alice", "bob", "First", "Back", "Forward", "Last", "Coordinates"]
    page.keyboard.press("Enter")
    assert page.locator(".moves a").first.get_attribute("href") == "#1"
    page.locator(".moves a").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#viewer").get_attribute("data-step") == "1"


def test_hovering_names_a_chain_and_what_is_still_possible_is_told(shown: Shown) -> None:
    page = shown.page("g/1.html#20", width=1000)
    assert "Scores still possible: " in page.locator(".told").inner_text()
    at = page.locator('[data-stone="x"]').first
    at.hover()
    assert "bob" in page.locator(".chained").inner_text()
    assert page.locator(".hot").count() >= 1
    page = shown.page("g/6.html#4")  # of Hex, where no points are
    assert page.locator(".told").inner_text().startswith("Step 4 of 40: ")
    assert "undefined" not in page.locator(".told").inner_text()
