"""The page of a game in a browser: each step is the position that the rules say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from harness.shown import ALL, chromium, publish, site_of, world

from pbmstar import games
from pbmstar.cli.analyse import play

pytestmark = pytest.mark.slow


class Shown(NamedTuple):
    """A site with a game of each kind, in a browser."""

    root: Path
    played: dict[int, tuple[str, str, list[str]]]
    browser: Any
    troubles: list[str]

    def page(self, name: str, **settings: Any) -> Any:
        """Open a page; what it asks for elsewhere or complains about is noted."""
        context = self.browser.new_context(viewport={"width": 390, "height": 800}, **settings)
        page = context.new_page()
        here = self.root.as_uri()
        page.on("console", lambda said: self.troubles.append(said.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on(
            "request",
            lambda asked: asked.url.startswith(here) or self.troubles.append(asked.url),
        )
        page.goto(f"{here}/{name}")
        return page


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    config, store = site_of(tmp_path_factory.mktemp("shown"))
    with closing(store), chromium() as browser:
        played = world(store, most=40)
        publish(config, store)
        assert config.site is not None
        yield Shown(config.site, played, browser, [])


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


@pytest.mark.parametrize("number", range(1, len(ALL) + 1), ids=lambda n: "-".join(ALL[n - 1]))
def test_each_step_by_key_is_the_position_that_the_rules_say(shown: Shown, number: int) -> None:
    positions = expected(*shown.played[number])
    page = shown.page(f"g/{number}.html")
    root = page.locator("#viewer")
    assert root.get_attribute("data-step") == str(len(positions) - 1)
    assert stones(page) == positions[-1]
    page.keyboard.press("Home")
    for step, position in enumerate(positions):
        assert root.get_attribute("data-step") == str(step)
        assert stones(page) == position
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert root.get_attribute("data-step") == str(len(positions) - 2)
    assert shown.troubles == []
    page.context.close()


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
    page.locator("input[type=range]").fill("7")
    assert stones(page) == positions[7]
    page.locator(".moves a").nth(11).click()
    assert root.get_attribute("data-step") == "12"
    assert page.url.endswith("#12")
    page.evaluate("location.hash = '#99'")
    page.wait_for_function("document.getElementById('viewer').dataset.step === '40'")
    page.get_by_role("button", name="Coordinates").click()
    assert not page.locator(".names text").first.is_visible()
    assert shown.troubles == []
    page.context.close()


def test_without_scripts_there_are_the_last_position_and_the_moves(shown: Shown) -> None:
    page = shown.page("g/1.html", java_script_enabled=False)
    image = page.locator(".host img")
    assert image.is_visible()
    assert page.locator(".moves li").count() == 40
    assert image.bounding_box()["height"] > 200
    page.context.close()


@pytest.mark.parametrize("width", [320, 390, 1000])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(shown: Shown, width: int, scheme: str) -> None:
    """On no page, and no control is smaller than a thumb."""
    context = shown.browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    page = context.new_page()
    names = [path for path in sorted(shown.root.rglob("*.html")) if path.parent.name != "g"]
    for path in (*names, *(shown.root / f"g/{n}.html" for n in (1, 2, 9, 13))):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        for control in page.locator("button:visible, input:visible, nav a").all():
            box = control.bounding_box()
            assert box["width"] >= 44, path
            assert box["height"] >= 44, path
    context.close()


def test_all_that_is_read_stands_out_and_has_a_name(shown: Shown) -> None:
    """A contrast of 4.5 in light and dark; a name for each control, picture and table; one heading."""
    for scheme in ("light", "dark"):
        for name in ("index.html", "g/1.html", "p/alice.html", "games/star/index.html"):
            page = shown.page(name, color_scheme=scheme)
            assert page.locator("h1").count() == 1
            assert page.locator("html[lang=en]").count() == 1
            assert page.locator("main, nav").count() == 2
            assert page.evaluate(UNNAMED) == [], name
            assert page.evaluate(PALE) == [], (name, scheme)
            page.context.close()


UNNAMED = """() => [...document.querySelectorAll('a, button, input, img, svg[role], section, [role=region]')]
  .filter(each => !(each.textContent.trim() || each.alt || each.getAttribute('aria-label') || document.getElementById(each.getAttribute('aria-labelledby'))?.textContent || each.id === 'viewer'))
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
