"""A phone that opens the page to choose a move on, and its mail program."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from harness.common import sentence
from harness.office import Got, Office, address
from shown import publish

from pbmstar.games.base import Position

URL = "https://star.example.org"


def asked(letters: list[Got]) -> tuple[str, str] | None:
    """The player who is to move, and the address of the page, of the newest letters."""
    for letter in letters:
        if found := re.search(rf"^{sentence('bigger board')}: (\S+)$", letter.text, re.M):
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


def go(page: Any, where: str) -> None:
    """Follow the address of another letter, and wait until its board is there."""
    page.evaluate(
        """hash => new Promise(done => {
          const isThere = () => document.querySelector('.told')?.textContent;
          if (location.hash === hash && isThere()) return done();
          new MutationObserver((_, all) => {
            if (isThere()) { all.disconnect(); done(); }
          }).observe(document.getElementById('play'), {childList: true, subtree: true});
          location.hash = hash;
        })""",
        where[where.index("#") :],
    )


def cell(page: Any, name: str) -> Any:
    return page.locator(f'[data-cell="{name}"]')


SIGNS = "[...document.querySelectorAll('[data-cell]')].map(e => e.dataset.stone || '.').join('')"


def stood(office: Office) -> Position:
    """The position of the first board, as the server has it."""
    row = office.row(1)
    assert row is not None
    return row.match(office.ask("boards.record", 1)).position


def mail_of(href: str) -> tuple[str, str, str]:
    """What a mail program makes of a link: subject, body, and where it goes to."""
    parts = urlsplit(href)
    assert parts.scheme == "mailto"
    query = parse_qs(parts.query)
    return query["subject"][0], query.get("body", [""])[0], unquote(parts.path)


def sent(office: Office, who: str, href: str) -> list[Got]:
    """The letters that come of the mail of a link."""
    return office.send(address(who), *mail_of(href))
