"""The page to choose a move on: what is tapped there is played by mail."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from harness.office import Office, address
from phone import SIGNS, asked, cell, go, mail_of, opened, sent, stood

pytestmark = pytest.mark.slow
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


@pytest.mark.parametrize("challenge", GAMES)
def test_what_is_tapped_is_played(browser: Any, office: Office, challenge: str) -> None:
    letters = office.send(address("alice"), challenge)
    troubles: list[str] = []
    page = None
    for turn in range(3):
        found = asked(letters)
        assert found is not None
        who, where = found
        assert len(where) < 990
        page = page or opened(browser, office, where, troubles)
        go(page, where)
        position = stood(office)
        assert page.evaluate(SIGNS) == position.stones.decode()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        moves = [m for m in islice(position.moves(), 400) if m not in ("pass", "swap")]
        move = moves[(7 * turn + 3) % len(moves)]
        send = page.get_by_role("link", name="Send")
        for name in re.split("[ -]", move):
            assert send.get_attribute("href") is None or challenge.startswith("ring")
            cell(page, name).tap()
        if "alice bob" in challenge:
            page.get_by_role("textbox").fill("Good luck!\nBye")
            for link in page.locator("a.send").all():  # pass and swap too
                assert mail_of(link.get_attribute("href"))[1] == "Good luck!\r\nBye"
        letters = sent(office, who, send.get_attribute("href"))
        assert office.record(1)[-1] == move
    assert troubles == []
    page.context.close()


def test_penta_hex_marks_where_each_stone_can_go(browser: Any, office: Office) -> None:
    """Also with long names, and later in a game: there are hundreds of ways, and a line of a mail is short."""
    letters = office.send(address("alice"), "pentahex challenge alice bob")
    troubles: list[str] = []
    page = None
    for turn in range(4):
        found = asked(letters)
        assert found is not None
        page = page or opened(browser, office, found[1], troubles)
        go(page, found[1])
        moves = [m.split(" ")[0] for m in stood(office).moves() if "-" in m]
        marked = page.locator(".legal").evaluate_all("all => all.map(g => g.dataset.cell)")
        assert set(marked) == {move.split("-")[0] for move in moves}
        here = moves[(9 * turn) % len(moves)].split("-")[0]
        cell(page, here).tap()
        marked = page.locator(".legal").evaluate_all("all => all.map(g => g.dataset.cell)")
        assert set(marked) == {m.split("-")[1] for m in moves if m.split("-")[0] == here}
        there = marked[0]
        cell(page, there).tap()
        href = page.get_by_role("link", name="Send").get_attribute("href")
        letters = sent(office, found[0], href)
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
        assert "incomplete" in page.locator("#status").inner_text()
    page.context.close()


def test_the_page_says_what_the_letter_says_beside_the_board(browser: Any, office: Office) -> None:
    """The words of the opponent, the time, the lead and the moves; a chosen stone is there at once."""
    office.send(address("alice"), "star challenge -size=4 alice bob")
    office.play(1, "C4")
    letters = office.play(1, "E5", body="Well, <b>well</b>. " + "I have more to say. " * 20)
    found = asked(letters)
    assert found is not None
    page = opened(browser, office, found[1], [])
    assert page.locator("h1").inner_text() == "Your move, alice"
    quote = page.locator("blockquote").inner_text()
    assert quote.startswith("Well, <b>well</b>.") and quote.endswith("…") and len(quote) <= 120
    seats = page.locator(".seats li").all_inner_texts()
    assert [" to " in seat and "21 days left" in seat for seat in seats] == [True, True]
    assert page.locator(".moves li").all_inner_texts() == ["1 C4", "2 E5"]
    classes = page.locator(".moves li").evaluate_all("all => all.map(each => each.className)")
    assert classes == ["x", "o"]
    send = page.get_by_role("link", name="Send")
    assert send.get_attribute("aria-disabled") == "true"
    cell(page, "D4").tap()
    assert page.locator(".ghost").count() == 1
    assert send.inner_text() == "Send D4"
    page.get_by_role("button", name="Undo").tap()
    assert page.locator(".ghost").count() == 0
    page.context.close()


def test_the_page_says_who_leads_and_which_board_waits_next(browser: Any, office: Office) -> None:
    """Only to the player to move, and a tap mails that board."""
    office.send(address("alice"), "star challenge -size=3 alice bob")
    office.send(address("alice"), "hex challenge -size=4 alice bob")
    office.play(1, "A3", "B3", "A4", "B5", "A5", "D2", "C4", "E3")
    letters = office.play(1, "D4", "D3")
    found = asked(letters)
    assert found is not None and found[0] == "alice"
    page = opened(browser, office, found[1], [])
    row = office.row(1)
    assert row is not None
    x, o = row.match(office.ask("boards.record", 1)).points
    leader = "alice" if x > o else "bob"
    said = page.locator(".words-side .small").all_inner_texts()
    assert any(f"{leader} leads by {abs(x - o)}." in line for line in said) and x != o
    assert "Hex against bob is waiting for you, too." in page.locator("#side").inner_text()
    href = page.get_by_role("link", name="Send me board 2").get_attribute("href")
    (shown,) = sent(office, "alice", href)
    assert shown.subject.startswith("Hex Board 2") and shown.to == address("alice")
    found = asked(office.play(1, "C3"))
    assert found is not None and found[0] == "bob"
    assert "|" not in unquote(found[1]).partition("&fx=")[0]  # bob is to move in no other game
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


def pinch(page: Any, apart: int, to: int) -> None:
    """Draw two fingers from one distance to another on the middle of the board."""
    box = page.locator(".zoom").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 150
    touch = page.context.new_cdp_session(page)
    steps = [
        ("touchStart", apart),
        *(("touchMove", apart + (to - apart) * n // 4) for n in (1, 2, 3, 4)),
    ]
    for kind, far in steps:
        points = [{"x": x - far / 2, "y": y, "id": 0}, {"x": x + far / 2, "y": y, "id": 1}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_two_fingers_make_a_large_board_larger_and_smaller(browser: Any, office: Office) -> None:
    found = asked(office.send(address("alice"), "*star challenge -rings=10 alice bob"))
    assert found is not None
    page = opened(browser, office, found[1], [])
    board = page.locator(".big")
    narrow = board.bounding_box()["width"]
    pinch(page, 80, 200)
    wide = board.bounding_box()["width"]
    assert 2.2 * narrow < wide < 2.8 * narrow
    assert page.locator(".chosen").count() == 0
    assert cell(page, "A50").bounding_box()["width"] >= 36
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    pinch(page, 200, 60)
    assert board.bounding_box()["width"] == narrow
    page.set_viewport_size({"width": 1000, "height": 700})
    # The page hears of that after the call has returned.
    high = "least => document.querySelector('.big').getBoundingClientRect().height >= least"
    page.wait_for_function(high, arg=0.7 * 700)
    box = board.bounding_box()
    assert box["y"] + box["height"] <= 700
    page.context.close()
    small = asked(office.send(address("alice"), "star challenge -size=3 alice bob"))
    assert small is not None
    page = opened(browser, office, small[1], [])
    assert page.get_by_role("button", name="Larger").count() == 0
    page.context.close()


def test_copy_takes_the_line_of_a_reply(browser: Any, office: Office) -> None:
    found = asked(office.send(address("alice"), "*star challenge -rings=4 alice bob"))
    assert found is not None
    page = opened(browser, office, found[1], [])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = page.get_by_role("button", name="Copy")
    assert copy.is_disabled()
    cell(page, "*30").tap()
    copy.tap()
    page.get_by_text("Copied.").wait_for()
    line = page.evaluate("navigator.clipboard.readText()")
    assert line == "*30"
    office.send(address("alice"), body=line, to=unquote(found_reply(page)))
    assert office.record(1) == ["*30"]
    page.context.close()


def found_reply(page: Any) -> str:
    """The address that the mail of a page goes to."""
    return urlsplit(page.get_by_role("link", name="Send").get_attribute("href")).path
