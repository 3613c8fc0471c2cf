"""Games that are played by the page to choose a move on and by mail, and by nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness import client
from harness.letters import SERVER
from harness.office import Got, Office, address
from harness.server import Server, until
from harness.sink import Sink
from phone import SIGNS, URL, asked, cell, go, mail_of, opened, sent, stood
from shown import moves_of

pytestmark = pytest.mark.slow


def test_a_whole_game_of_star_star_is_played_on_a_phone(browser: Any, office: Office) -> None:
    """Of a game on ten rings the first moves, some between and the last: the page shows the server's board.

    Every letter of the game has an address of the page; the other moves are played by mail alone.
    """
    moves, last = moves_of("*star", "{}", 400, seed=3)
    assert last.over
    by_page = {0, 1, 2, *range(50, len(moves), 50), len(moves) - 1}
    letters = office.send(address("alice"), "*star challenge alice bob")
    troubles: list[str] = []
    found = asked(letters)
    assert found is not None
    page = opened(browser, office, found[1], troubles)
    for number, move in enumerate(moves):
        found = asked(letters)
        assert found is not None
        who, where = found
        assert len(where) < 990
        if number not in by_page:
            letters = office.play(1, move)
            continue
        before = stood(office)
        go(page, where)
        assert page.evaluate(SIGNS) == before.stones.decode()
        if move == "swap":
            link = page.get_by_role("link", name="Swap")
        else:
            page.evaluate(
                "name => document.querySelector(`[data-cell='${name}']`).scrollIntoView()", move
            )
            cell(page, move).tap()
            link = page.get_by_role("link", name="Send")
        letters = sent(office, who, link.get_attribute("href"))
        assert office.record(1)[-1] == move, number
    assert office.record(1) == moves
    assert stood(office).over
    assert troubles == []
    page.context.close()


def test_moves_go_from_the_page_to_a_server_that_runs(browser: Any, tmp_path: Path) -> None:
    """By its own letters and files, through sockets."""
    www, troubles = tmp_path / "www", list[str]()
    keys = {"address": SERVER, "bots": "0", "site": str(www), "site_url": URL}

    def post(number: int, who: str, subject: str, body: str, to: str) -> None:
        lines = (f"From: {address(who)}", f"To: {to}", f"Subject: {subject}")
        ends = (f"Message-ID: <{number}@mua.example>", "", body, "")
        raw = "\r\n".join((*lines, *ends)).encode()
        assert client.send(server.port, raw, to).startswith("250")
        until(lambda: sink.count == 2 * number, "letters")

    with Sink() as sink, Server(tmp_path / "home", relay=sink.url, **keys) as server:
        server.add("alice", "bob")
        server.start()
        post(1, "alice", "*star challenge alice bob", "", SERVER)
        server.says("site")
        page = browser.new_page(viewport={"width": 390, "height": 800}, has_touch=True)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{www.as_uri()}/play/index.html")
        assert "from one of our letters" in page.locator("#status").inner_text()
        moves = ["A53", "*42", "T98", "S53"]
        for number, move in enumerate(moves, 2):
            letters = [
                Got(each.recipients[0], each.sender, each.content) for each in sink.letters[-2:]
            ]
            found = asked(letters)
            assert found is not None
            go(page, found[1])
            assert page.locator("[data-stone=x], [data-stone=o]").count() == number - 2
            cell(page, move).tap()
            post(
                number,
                found[0],
                *mail_of(page.get_by_role("link", name="Send").get_attribute("href")),
            )
        server.says("site")
        record = json.loads((www / "g/1.json").read_text())
        assert [each["move"] for each in record["moves"]] == moves
        server.says("site", "--check")
    assert troubles == []
    page.context.close()
