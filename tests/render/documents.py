"""The pictures of the documents: letters and a page of games that bots have played well, as a phone shows them.

``python tests/render/documents.py`` writes docs/pictures, and ``made.json`` there: a mark of what each
picture shows. It needs playwright, and Chromium where Debian puts it. ``test_documents.py`` compares the
marks with what letters and pages are now.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from contextlib import closing
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from harness.office import Office
from harness.played import Played, played
from PIL import Image

from pbmstar.features.website.folder import SiteFolder
from pbmstar.features.website.worker import Publisher
from pbmstar.render.picture import shapes
from render.sheet import browser, page_of_mail

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
MADE = PICTURES / "made.json"
PHONE = {"width": 390, "height": 780}
COLOURS = 160  # of a picture
_BEFORE = 37  # moves of the game of Star, before the one that the letter shows
_SAID = "I should have bridged sooner. Your corner looks safe to me."
_ANSWER = "You will see!"


class Screen(NamedTuple):
    """What a picture shows: a page, the colour scheme, the size of the screen, and the boards on it."""

    html: str
    scheme: str = "light"
    width: int = PHONE["width"]
    height: int = PHONE["height"]
    boards: tuple[str, ...] = ()

    @property
    def mark(self) -> str:
        """Return a mark of all that is seen; pixels of boards and addresses to reply to do not count."""
        text = re.sub(r"data:image/png[^\"']*", "", self.html)
        text = re.sub(r"star(?:%2B|\+)[a-z0-9]+", "star", text)
        parts = (text, self.scheme, f"{self.width}", f"{self.height}", *self.boards)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def screens(folder: Path) -> dict[str, Screen]:
    """Return what the pictures show, by name; a server in that folder plays the games."""
    options = {"pictures": "on", "site": str(folder / "www"), "limits": "off"}
    people = ("alice", "bob", "carol")
    with closing(Office(f"sqlite:///{folder}/pbmstar.db", folder, people, **options)) as office:
        return _screens(office)


def _screens(office: Office) -> dict[str, Screen]:
    starstar, star, small, *_ = played()
    for who, password in (("alice", "s3cret"), ("bob", "hunter2")):
        office.send(who, f"public {who} {password} on")
    first = _begun(office, star, "bob", _BEFORE)
    drawn = [_drawing(office, first)]
    letter = _to_alice(office, first, star.moves[_BEFORE], _SAID)
    drawn.append(_drawing(office, first))
    office.now += 7200.0
    office.play(first, star.moves[_BEFORE + 1], body=_ANSWER)
    office.now += 3 * 3600.0
    answer = _to_alice(office, first, star.moves[_BEFORE + 2], "Now that hurts.")
    drawn.append(_drawing(office, first))
    _advance(office, first, star.moves[_BEFORE + 3 : -1])
    office.now += 7200.0
    last = _to_alice(office, first, star.moves[-1], "Well played. Another one?")
    drawn.append(_drawing(office, first))
    second = _begun(office, starstar, "bob", len(starstar.moves))
    boards = [
        _begun(office, game, rival, moves)
        for game, rival, moves in ((starstar, "bob", 41), (small, "carol", 18), (star, "carol", 52))
    ]
    drawn += [_drawing(office, board) for board in (second, *boards)]
    office.letters()
    office.send("alice", "letters alice s3cret daily 7:30")
    (daily,) = [each for each in office.digests() if each.to.startswith("alice")]
    boards_drawn = tuple(drawn)
    return {
        "letter": Screen(letter, boards=boards_drawn),
        "letter-dark": Screen(letter, "dark", boards=boards_drawn),
        "daily": Screen(page_of_mail(daily.raw), boards=boards_drawn),
        "last": Screen(last, boards=boards_drawn),
        "site": Screen(_page(office, second), boards=boards_drawn),
        "by-mail": _strip(letter, star.moves[_BEFORE + 1], answer, last)._replace(
            boards=boards_drawn
        ),
    }


def _begun(office: Office, game: Played, rival: str, moves: int) -> int:
    """Let alice and a rival play so many moves of a game; return the number of the board."""
    letters = office.send("alice", f"{game.challenge} alice {rival}")
    board = int(letters[0].mail["X-Pbmstar-Board"])
    _advance(office, board, game.moves[:moves])
    return board


def _advance(office: Office, board: int, moves: tuple[str, ...]) -> None:
    for move in moves:
        office.now += 4 * 3600.0
        office.advance(board, move)


def _to_alice(office: Office, board: int, move: str, words: str) -> str:
    """Return the letter to alice about bob's next move."""
    (letter,) = [
        each for each in office.play(board, move, body=words) if each.to.startswith("alice")
    ]
    return page_of_mail(letter.raw)


def _drawing(office: Office, board: int) -> str:
    """Return the shapes of a board."""
    row = office.row(board)
    assert row is not None
    position = row.match(office.ask("boards.record", board)).position
    return repr(list(shapes.picture(position.game, position.stones, over=position.over).shapes))


def _page(office: Office, board: int) -> str:
    """Return the page of a game, with all that it loads in it: the picture needs no folder."""
    root = office.config.site
    assert root is not None
    Publisher(office.config, office.store, SiteFolder(root)).run()
    page = (root / f"g/{board}.html").read_text("utf-8")
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    page = re.sub(
        r'<link rel="stylesheet" href="../(s/[^"]*)">',
        lambda found: f"<style>{(root / found[1]).read_text('utf-8')}</style>",
        page,
    )
    scripts = re.findall(r'<script src="../(s/[^"]*)" defer></script>', page)
    page = re.sub(r"<script [^>]*></script>|<link rel=\"icon\"[^>]*>", "", page)
    inside = "".join(f"<script>{(root / each).read_text('utf-8')}</script>" for each in scripts)
    return page.replace("</body>", f"{inside}</body>")


_STYLE = """
body { margin: 0; padding: 24px; display: flex; gap: 24px; background: #33424d; color: #f7f1e3;
  font: 22px/1.3 Helvetica, Arial, sans-serif; }
figure { margin: 0; width: 360px; position: relative; }
figcaption { height: 60px; margin-bottom: 12px; }
b { color: #f0a63a; }
iframe { display: block; width: 360px; height: 600px; border: 0; border-radius: 12px; background: #fff; }
i { position: absolute; width: 44px; height: 44px; margin: -22px; border: 3px solid #d6004c;
  border-radius: 50%; background: #d6004c55; }
"""
_DRAFT = """<!DOCTYPE html><style>
body { margin: 0; font: 17px/1.4 Helvetica, Arial, sans-serif; color: #1d252b; }
p { margin: 0; padding: 14px 16px; border-bottom: 1px solid #d0d5d9; }
header { display: flex; justify-content: space-between; padding: 12px 16px; background: #eef1f3; }
strong { padding: 6px 18px; border-radius: 8px; background: #1d5290; color: #fff; }
small { color: #55606a; }</style>
<header><span>New message</span><strong>Send</strong></header>
<p><small>To</small> star@star.example.org<p><small>Subject</small> %s<p style="border:0">%s"""


def _strip(letter: str, move: str, answer: str, last: str) -> Screen:
    """Return four screens of one game: a letter, the mail that a tap opens, the answer, the last letter."""
    found = re.search(rf"coords=(\d+),(\d+),\d+ alt={re.escape(move)}\s", letter)
    assert found, move
    # The map's places are those in the picture, which a script puts where the picture is.
    steps = (
        ("The board comes by mail. <b>Tap a cell.</b>", letter),
        ("A mail opens. <b>Send it.</b>", _DRAFT % (escape(move), escape(_ANSWER))),
        ("The answer comes back: in an hour, or in days.", answer),
        ("In the end one letter tells the whole game.", last),
    )
    figures = "".join(
        f'<figure><figcaption><b>{number}</b> {text}</figcaption><iframe srcdoc="{escape(page)}">'
        "</iframe></figure>"
        for number, (text, page) in enumerate(steps, 1)
    )
    finger = f"<i class=finger data-x={found[1]} data-y={found[2]}></i>"
    html = f"<!DOCTYPE html><meta charset=utf-8><style>{_STYLE}</style>{figures}".replace(
        "</iframe>", f"</iframe>{finger}", 1
    )
    return Screen(html, width=4 * 384 + 24, height=720)


_FINGER = """() => {
  const finger = document.querySelector('.finger');
  if (!finger) return;
  const frame = finger.previousSibling;
  const board = [...frame.contentDocument.images].find(each => each.useMap && each.offsetWidth);
  finger.style.left = `${frame.offsetLeft + board.getBoundingClientRect().x + +finger.dataset.x}px`;
  finger.style.top = `${frame.offsetTop + board.getBoundingClientRect().y + +finger.dataset.y}px`;
}"""


# A screen ends below its board: what follows there is cut off anyway, and is of another color.
_CROP = """() => {
  for (const frame of document.querySelectorAll('iframe')) {
    const board = [...frame.contentDocument.images].find(each => each.offsetHeight > 100);
    if (board) frame.style.height = `${board.getBoundingClientRect().bottom + 8}px`;
  }
}"""


def _save(tab: Any, name: str) -> None:
    image = Image.open(BytesIO(tab.screenshot())).convert("RGB")
    image.quantize(COLOURS, kmeans=3, dither=Image.Dither.NONE).save(
        PICTURES / f"{name}.png", optimize=True
    )


def main() -> None:
    """Write the pictures, and their marks."""
    with TemporaryDirectory() as folder:
        shown = screens(Path(folder))
    with browser() as launch:
        chromium = launch(False)
        for name, screen in shown.items():
            tab = chromium.new_page(
                viewport={"width": screen.width, "height": screen.height},
                color_scheme=screen.scheme,
            )
            tab.set_content(screen.html, wait_until="load")
            tab.evaluate(_CROP)
            tab.evaluate(_FINGER)
            _save(tab, name)
        chromium.close()
    marks = {f"{name}.png": screen.mark for name, screen in sorted(shown.items())}
    MADE.write_text(json.dumps(marks, indent=1) + "\n", "utf-8")
    for name in marks:
        print(f"{(PICTURES / name).stat().st_size:7} {name}")


if __name__ == "__main__":
    main()
