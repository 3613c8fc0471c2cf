"""Letters as a browser shows them: nothing to scroll sideways, the board on the first screen, taps hit."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from PIL import Image

from pbmstar.render.board.clock_face import ClockFace
from pbmstar.render.recipe import Recipe, Replays

from .sheet import CHROMIUM, ENDED, MODES, OTHERS, WIDTHS, browser, letters, page_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def written() -> dict[str, Recipe]:
    return letters()


@pytest.fixture(scope="module")
def tabs(written: dict[str, Recipe]) -> Iterator[Any]:
    """Opens a letter at a width, in a mode: always in the same tab of that mode."""
    pytest.importorskip("playwright")
    if not os.path.exists(CHROMIUM):
        pytest.skip("there is no Chromium")
    with browser() as launch, ExitStack() as stack:

        @cache
        def running(forced: bool) -> Any:
            return stack.enter_context(closing(launch(forced)))

        @cache
        def opened(mode: str) -> Any:
            scheme = "dark" if mode == "dark" else "light"
            return running(mode == "forced").new_page(color_scheme=scheme)

        @cache
        def html(name: str) -> str:
            return page_of(written[name])

        def tab(name: str, width: int, mode: str = "light") -> Any:
            page = opened(mode)
            page.set_viewport_size({"width": width, "height": 800})
            page.set_content(html(name))
            return page

        yield tab


def test_nothing_is_wider_than_the_screen(tabs: Any, written: dict[str, Recipe]) -> None:
    for name in written:
        page = tabs(name, WIDTHS[0])
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_nothing_is_wider_than_a_phone(
    tabs: Any, written: dict[str, Recipe], language: str
) -> None:
    """Gmail scrolls no part of a letter: the last column of a wider table, or the end of a line, is cut off."""
    page, wide = tabs("league", 360), {}
    for name, letter in written.items():
        page.set_content(page_of(replace(letter, language=language)))
        if over := page.evaluate(OVER):
            wide[name] = over
    assert wide == {}


OVER = """() => [...document.querySelectorAll('table, pre')]
  .filter(each => each.getBoundingClientRect().right > 360 || each.scrollWidth > each.clientWidth + 1)
  .map(each => each.innerText)"""


@pytest.mark.parametrize("mode", MODES)
def test_all_can_be_read(tabs: Any, written: dict[str, Recipe], mode: str) -> None:
    """In light, dark and forced dark, text stands out from what is behind it.

    Of elements that have the same styles around them, and so the same colours, one is looked at.
    """
    seen = set()
    for name in written:
        page = tabs(name, WIDTHS[0], mode)
        for kind in ("h1", "a:visible", "pre", "p"):
            for element in page.locator(kind).all()[:1]:
                styles = element.evaluate(STYLES)
                if styles in seen:
                    continue
                seen.add(styles)
                dark, bright = (
                    Image.open(io.BytesIO(element.screenshot())).convert("L").getextrema()
                )
                assert bright - dark > 110, (name, kind)


STYLES = """each => {
  const styles = [];
  for (; each; each = each.parentElement)
    styles.push([each.tagName, each.className, each.getAttribute('style')].join(' '));
  return styles.join();
}"""


@pytest.mark.parametrize(
    "name",
    ["new", "new-starstar-10", "star", "starstar-6", "starstar-10", "starstar-over", *OTHERS],
)
def test_heading_and_board_are_on_the_first_screen_of_a_phone(tabs: Any, name: str) -> None:
    page = tabs(name, 360)
    heading, image = page.locator("h1"), page.locator("img:visible")
    assert heading.count() == image.count() == 1
    assert heading.bounding_box()["y"] < 20
    box = image.bounding_box()
    assert box["y"] + box["height"] <= 640 and box["width"] >= 320


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_your_move_takes_little_of_a_phone(
    tabs: Any, written: dict[str, Recipe], language: str
) -> None:
    """At most 900 pixels, with the time, a line of words, and the page of a big board; and it is not wider."""
    clock = ClockFace(dict.fromkeys(("alice", "bob"), 864000), "10d+36h", 2e9, None, False, None)
    letter = replace(written["star"], language=language, clock=clock)
    page = tabs("star", 360)
    page.set_content(page_of(letter))
    height, width = (
        page.evaluate(f"document.documentElement.scroll{each}") for each in ("Height", "Width")
    )
    assert height <= 900 and width <= 360


@pytest.mark.parametrize("width", [360, 1000])
def test_each_target_hits_its_cell(tabs: Any, written: dict[str, Recipe], width: int) -> None:
    """What is under the middle of each link and of each circle of the image map is that link."""
    boards = {name: letter.board for name, letter in written.items() if letter.board}
    for name in (name for name, board in boards.items() if Replays().match(board).to_move):
        page = tabs(name, width)
        missed = page.evaluate(
            """() => {
            const missed = [];
            for (const fold of document.querySelectorAll('details')) fold.open = true;
            for (const a of document.querySelectorAll('.c a')) {
                a.scrollIntoView({block: 'center'});
                const r = a.getBoundingClientRect();
                const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
                if (hit !== a || r.width < 24 || r.height < 24) missed.push(a.textContent);
            }
            for (const image of document.querySelectorAll('img[usemap]')) {
                if (!image.offsetParent) continue;
                image.scrollIntoView();
                const box = image.getBoundingClientRect();
                for (const area of document.querySelector(
                        'map[name=' + image.useMap.slice(1) + ']').areas) {
                    const [x, y] = area.coords.split(',').map(Number);
                    if (document.elementFromPoint(box.x + x, box.y + y) !== area)
                        missed.push(area.alt);
                }
            }
            return missed;
        }"""
        )
        assert missed == [], name


@pytest.mark.parametrize("name", ["star-7", "star-8", "star-14"])
def test_no_row_of_cells_leaves_one_or_two_alone(tabs: Any, name: str) -> None:
    """At the width of a phone the lines of a long row are about as long as one another."""
    page = tabs(name, 390)
    lines = page.evaluate(
        """() => [...document.querySelectorAll('div.c')].map(row => {
            const lines = {};
            for (const cell of row.querySelectorAll('a, b, i')) {
                const top = Math.round(cell.getBoundingClientRect().top / 8);
                lines[top] = (lines[top] || 0) + 1;
            }
            return Object.values(lines);
        })"""
    )
    assert lines and all(max(each) - min(each) <= 2 for each in lines if len(each) > 1), lines


@pytest.mark.parametrize("name", [*ENDED, "album-without-picture"])
def test_the_last_letter_of_a_game_is_one_page_of_a_phone(tabs: Any, name: str) -> None:
    page = tabs(name, 360)
    assert page.evaluate("document.documentElement.scrollHeight") < 1600
    button = page.get_by_role("link", name="Play again").bounding_box()
    assert button["y"] < 400


# A solved problem wants nothing more; a lesson begins with what it teaches.
CALM = ("problem-solved", "lesson")
FIRST = """() => Math.min(...[...document.querySelectorAll('a[href], img[usemap]')].map(each => {
  const box = each.getBoundingClientRect();
  return box.height > 8 ? box.y : Infinity;
}))"""


def test_what_to_do_is_in_the_first_400_pixels(tabs: Any, written: dict[str, Recipe]) -> None:
    """A button, a link, or a picture to tap; a help page is to be read, and ends in its buttons."""
    late = {}
    for name in written:
        first = tabs(name, 360).evaluate(FIRST)
        if first > 400 and not name.startswith("help-"):
            late[name] = first
    assert set(late) <= set(CALM), late


def test_nothing_is_wider_if_pictures_are_blocked(tabs: Any, written: dict[str, Recipe]) -> None:
    for name, letter in written.items():
        page = tabs(name, 360)
        page.set_content(re.sub('src="data:[^"]*"', 'src="cid:none"', page_of(letter)))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name


def test_a_review_is_pictures_with_letters_that_can_be_read(tabs: Any) -> None:
    page = tabs("review", 390)
    assert page.locator("img:visible").count() == 2 and page.locator("pre").count() == 0
    assert "The board before move 6:" in page.inner_text("body")


def test_what_a_screen_reader_says(tabs: Any) -> None:
    """Headings in order, the picture in words, each row of cells from left to right."""
    page = tabs("star", 360)
    heard = page.locator("body").aria_snapshot()
    assert re.search(r'^- heading "Your move, alice" \[level=1\]', heard)
    assert "17 of alice, 17 of bob. All cells are in the rows below." in heard
    levels = [int(level) for level in re.findall(r"\[level=(\d)\]", heard)]
    assert levels[0] == 1 and set(levels[1:]) <= {2}
    assert heard.index("Nice corner!") < heard.index("Tap a cell, ") < heard.index("No picture?")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_type_is_large_enough_and_stands_out(
    tabs: Any, written: dict[str, Recipe], mode: str
) -> None:
    """At least 13 px, and a contrast of 4.5 with the ground it lies on."""
    for name in written:
        page = tabs(name, WIDTHS[0], mode)
        for text, size, color, ground in page.evaluate(TYPE, CANVAS[mode]):
            assert size >= 13, (name, text, size)
            assert contrast(color, ground) >= 4.5, (name, text, color, ground)


def contrast(color: str, ground: str) -> float:
    """Return the contrast of two colors as WCAG 2 defines it."""
    light, dark = sorted(map(_luminance, (color, ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


CANVAS = {
    "light": "rgb(255, 255, 255)",
    "dark": "rgb(18, 18, 18)",
}  # what a browser lies below pages
TYPE = """canvas => {
  const found = new Map(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const each = texts.currentNode.parentElement, style = getComputedStyle(each);
    if (!texts.currentNode.data.trim() || !each.getClientRects().length) continue;
    let ground = canvas;
    for (let at = each; at; at = at.parentElement) {
      const own = getComputedStyle(at).backgroundColor;
      if (own !== 'rgba(0, 0, 0, 0)') { ground = own; break; }
    }
    const value = [parseFloat(style.fontSize), style.color, ground];
    found.set(value.join(), [texts.currentNode.data.trim().slice(0, 40), ...value]);
  }
  return [...found.values()];
}"""
