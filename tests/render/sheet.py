"""All kinds of letters as pictures of a screen, for people to look at.

``python tests/render/sheet.py FOLDER`` writes one PNG for each letter, width and colour scheme. It
needs playwright, and Chromium where Debian puts it.
"""

from __future__ import annotations

import base64
import email
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from harness.positions import match_of

from pbmstar.match import Act, Happening
from pbmstar.match.lessons import LESSONS, Verdict
from pbmstar.render import Recipe, Renderer
from pbmstar.service.verbs import course

CHROMIUM = "/usr/bin/chromium"
WIDTHS = (360, 390, 1000)
MODES = ("light", "dark", "forced")
SERVER = "star@star.example.org"
REPLY = "star+r1t5k1zbfv23vfigyfmipkwseo2txj5be@star.example.org"
_TALK = {"comment": {"userid": "bob", "text": "Nice corner! Your turn.", "cut": False}}
OTHERS = ("hex", "y", "polyy", "pentaline", "pentahex", "queens", "ringsolitaire", "supplyline")
_REFUSED = {"understood": "F6", "reason": "The cell F6 is taken."}


def board(word: str, options: Any, moves: int, **more: Any) -> Recipe:
    """A letter on a game after so many moves, to the player who is to move."""
    match = match_of(word, options, moves)
    return Recipe(
        more.pop("template", "board"),
        {"From": "bob at Star <star@star.example.org>", "To": "a@a.example", "Reply-To": REPLY},
        0.0,
        "5e71a1",
        more.pop("facts", _TALK),
        match,
        match.to_move or match.seats[0],
        pictures=True,
        **more,
    )


def lesson(number: int, verdict: Verdict | None = None) -> Recipe:
    """A letter of the course."""
    match = LESSONS[number - 1].match("alice")
    recipe = board("star", {}, 0, template="lesson", facts=course.facts(number, verdict))
    return replace(recipe, match=match)


def digest(*games: tuple[str, Any, int]) -> Recipe:
    """A letter to alice on several boards; the last waits for nobody."""
    parts = [
        {
            "match": json.loads(board(*each).to_bytes())["match"],
            "name": "Board 17, bob",
            "waits": each != games[-1],
            "happenings": [],
            "comments": [_TALK["comment"]],
        }
        for each in games
    ]
    facts = {"reader": "alice", "boards": parts, "talk": True, "drawing": "ascii", "zone": "UTC"}
    facts |= {"short": [{"name": "Board 9, carl", "word": "star", "number": 9}], "at": "07:00"}
    return Recipe("digest", {"To": "a@a.example"}, 0.0, "5e71a1", {**facts, "reply_to": REPLY})


def letters() -> dict[str, Recipe]:
    """The letters of the sheet by name."""
    refusals = {"refusals": [_REFUSED]}
    return {
        "new": board("star", {}, 0, facts={}, happenings=(Happening("began", "bob"),)),
        "star": board("star", {}, 34),
        "star-14": board("star", {"size": 14}, 120),
        "starstar-6": board("*star", {"rings": 6}, 50),
        "starstar-10": board("*star", {"rings": 10}, 110),
        "starstar-over": board("*star", {"rings": 6}, 999),
        "double": board("*star", {"rings": 5, "double": True}, 9),
        "stary": board("stary", {"rings": 5}, 20),
        **{word: board(word, {}, 20) for word in OTHERS},
        "lesson": lesson(1),
        "hint": lesson(5, LESSONS[4].judge(Act("alice", "move", "D2"))),
        "refused": board("star", {}, 12, template="error", facts=refusals),
        "score": board("star", {}, 30, template="score", facts={}),
        "without-picture": replace(board("*star", {"rings": 4}, 12), pictures=False),
        "words": replace(board("star", {}, 34), drawing="words"),
        "digest": digest(("star", {}, 34), ("*star", {"rings": 6}, 30), ("star", {}, 200)),
        "help": Recipe("page", {"To": "a@a.example"}, 0.0, "5e71a1", {"topic": "star"}),
    }


def page_of(recipe: Recipe) -> str:
    """The HTML part as a program shows it: its picture in the place of its name."""
    mail = email.message_from_bytes(Renderer(None, SERVER).write(recipe))
    parts = {part.get_content_subtype(): part.get_payload(decode=True) for part in mail.walk()}
    html, png = parts["html"], parts.get("png")
    assert isinstance(html, bytes)
    if isinstance(png, bytes):
        uri = b"data:image/png;base64," + base64.b64encode(png)
        html = re.sub(rb"cid:[^\"]*", lambda _: uri, html)
    return html.decode("ascii")


@contextmanager
def browser() -> Iterator[Any]:
    """A headless Chromium; and one that forces dark on pages by ``forced``."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        yield lambda forced: play.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", *(["--enable-features=WebContentsForceDark"] if forced else [])],
        )


def main(folder: Path) -> None:
    """Write the sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {name: page_of(recipe) for name, recipe in letters().items()}
    with browser() as launch:
        for mode in MODES:
            chromium = launch(mode == "forced")
            for width in WIDTHS:
                scheme = "dark" if mode == "dark" else "light"
                tab = chromium.new_page(
                    viewport={"width": width, "height": 800}, color_scheme=scheme
                )
                for name, html in pages.items():
                    tab.set_content(html)
                    tab.screenshot(path=folder / f"{name}-{width}-{mode}.png", full_page=True)
            chromium.close()
    print(f"{len(pages) * len(WIDTHS) * len(MODES)} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
