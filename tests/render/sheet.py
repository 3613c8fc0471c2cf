"""All kinds of letters as pictures of a screen, for people to look at.

``python tests/render/sheet.py FOLDER`` writes one PNG for each letter, width and colour scheme. It needs
playwright, and Chromium where Debian puts it. ``documents.py`` makes the few pictures of docs/pictures.
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

from harness.common import sentence
from harness.positions import match_of

import pbmstar.service  # noqa: F401 - first, since the verbs of features need it whole
from pbmstar.features.course import feature
from pbmstar.features.course.lessons import LESSONS, Assessment
from pbmstar.features.postcard.feature import scene
from pbmstar.games.hexagon.star import Star
from pbmstar.match import Act, act, begin
from pbmstar.match.happenings import AsItWas, Began, Resigned
from pbmstar.render.board.clock_face import ClockFace
from pbmstar.render.letters import Renderer
from pbmstar.render.recipe import Recipe, packed

CHROMIUM = "/usr/bin/chromium"
WIDTHS = (360, 390, 1000)
MODES = ("light", "dark", "forced")
SERVER, SITE = "star@star.example.org", "https://star.example.org"
REPLY = "star+r1t5k1zbfv23vfigyfmipkwseo2txj5be@star.example.org"
_CLOCK = ClockFace(dict.fromkeys(("alice", "bob"), 1814400), "21d", 2e9, 1209600, True, None)
_TALK = {"comment": {"userid": "bob", "text": "Nice corner! Your turn.", "cut": False}}
OTHERS = ("hex", "y", "polyy", "pentaline", "pentahex", "queens", "ringsolitaire", "supplyline")
PAGES = ("star", "pentahex", "puzzles", "commands", "contests", "plans")
_PLAYER = {"userid": "alice", "running": 2, "seen": "this week"}
_GAME = {"number": 7, "title": "Star", "word": "star", "against": "bob", "left": "4 days", "end": "",
         "to_move": "karl", "move": 5, "days": 0, "reply": REPLY, "kind": "Star 5", "set_up": "{}",
         "stones": match_of("star", {}, 30).position.stones.hex()}  # fmt: skip
_GAMES = [
    _GAME,
    {**_GAME, "number": 8, "to_move": "bob", "reply": ""},
    {**_GAME, "number": 6, "to_move": "", "end": "bob won", "stones": "", "reply": ""},
]
_RATED = {
    "bot": "",
    "ratings": {"alice": "1543", "bob": "1491?"},
    "reader": "alice",
    "before": 1534,
}
_REFUSED = {"understood": "F6", "reason": sentence("taken", "F6")}


def board(word: str, options: Any, moves: int, **more: Any) -> Recipe:
    """A letter on a game after so many moves, to the player who is to move."""
    match = match_of(word, options, moves)
    heads = {"From": "bob at Star <star@star.example.org>", "To": "a@a.example", "Reply-To": REPLY}
    template, facts = more.pop("template", "board"), more.pop("facts", _TALK)
    reader = match.to_move or match.seats[0]
    return Recipe(
        template, heads, 0.0, "5e71a1", facts, packed(match), reader, pictures=True, **more
    )


def asked() -> Recipe:
    """A letter to bob, whom alice asks for a move back, and his answer."""
    match, _ = act(match_of("star", {}, 12), Act("alice", "undo"), 0.0)
    letter = board("star", {}, 12, facts={})
    return replace(letter, board=packed(match), reader="bob", clock=_CLOCK)


def lesson(number: int, verdict: Assessment | None = None) -> Recipe:
    """A letter of the course."""
    match = LESSONS[number - 1].match("alice")
    recipe = board(
        "star", {}, 0, template="lesson", facts=feature.facts_of(number, verdict).stored()
    )
    return replace(recipe, board=packed(match))


def problem(**told: Any) -> Recipe:
    """The problem of a week; it need not be one here."""
    match = begin(0, Star({"size": "5"}), ("X", "O"), 0.0)
    for move in ["H2", "C5", "E6", "D3", "G3", "F6", "D5", "B7", "G5", "C7", "E2"]:
        match = match.after(match.to_move, move, 0.0)
    facts = {
        "number": 12, "kind": "Star, size 5", "mover": "O", "by": "alice (X) and bob (O), board 17",
        "ends": "X 10 to 20, O 5 to 15", "judged": "", "right": False, "counts": "", "solution": "",
        "last": "Problem 11: S32 decides: X leads by at least 2 whatever follows (X 9 to 14, O 2 to 7). In the "
        "game A20 was played. 1 of 2 players saw it at once. Your first answer was A30.",
        "weekly": True, "stranger": False,
    }  # fmt: skip
    one = board("star", {}, 0, template="problem", facts=facts | told)
    return replace(one, board=packed(match), reader="" if told.get("right") else "O")


def digest(*games: tuple[str, Any, int]) -> Recipe:
    """A letter to alice on several boards; the last waits for nobody."""
    parts = [
        {"match": json.loads(board(*each).to_bytes())["match"], "name": "Board 17, bob",
         "time": "2 days", "waits": each != games[-1], "happened": [], "comments": [_TALK["comment"]]}
        for each in games
    ]  # fmt: skip
    facts = {"reader": "alice", "boards": parts, "talk": True, "drawing": "ascii", "zone": "UTC"}
    facts |= {"short": [{"name": "Board 9, carl", "word": "star", "number": 9}], "at": "07:00"}
    heads = {"To": "a@a.example", "Reply-To": REPLY}
    facts |= {"reply_to": REPLY}
    return Recipe("digest", heads, 0.0, "5e71a1", facts, pictures=True)


def welcome(first: str = "") -> Recipe:
    """The letter to somebody without an account; or the next one, after a first move."""
    match = begin(0, Star({"size": "4"}), ("you", "bot1"), 0.0)
    facts = {"refusals": [], "topic": "", "example": "", "points": {}, "first": first, "name": "karl",
             "is_known": False}  # fmt: skip
    one = board("star", {}, 0, template="door", facts=facts)
    shown = packed(match.after("you", first, 0.0) if first else match)
    return replace(one, board=shown, reader="you")


def invited(first: str = "") -> Recipe:
    """An invitation; or the letter that asks for a name, after a first move."""
    match = begin(0, Star({}), ("you", "alice"), 0.0)
    facts = {"inviter": "alice", "name": "karl", "address": SERVER}
    said = "Hallo Karl, remember the hexagons at the lake? Here is a game of them, one move a day. Begin!"
    facts |= {"first": first} if first else {"said": said, "sent_with": "signup karl"}
    one = board("star", {}, 0, template="waits" if first else "invitation", facts=facts)
    shown = packed(match.after("you", first, 0.0) if first else match)
    return replace(one, board=shown, reader="you")


def postcard() -> Recipe:
    """A game of alice's, shown to a reader without an account."""
    match = scene(match_of("star", {}, 75), 60, "alice", "another player")
    facts = {"sender": "alice", "side": "X", "rival": "", "title": "Star", "after": 60, "moves": 75}
    one = board("star", {}, 0, template="postcard", facts={**facts, "address": SERVER})
    return replace(one, board=packed(match), reader="")


def plain(template: str, **facts: Any) -> Recipe:
    """A letter about an account."""
    heads = {"To": "a@a.example", "Reply-To": REPLY}
    return Recipe(template, heads, 0.0, "5e71a1", {"address": SERVER, "userid": "karl", **facts})


def reviewed() -> Recipe:
    """A review of a game that turned at its sixth move, by bob; alice's third move was a mistake too."""
    match = match_of("star", {}, 75)
    turn = {"number": 6, "cost": 0.2, "better": "A10", "line": ["A10", "A6"]}
    risen = [0.62 + place / 185 for place in range(70)]
    found = {
        "chances": [0.55, 0.55, 0.54, 0.44, 0.43, 0.42, *risen], "proved": 70, "leads": 6, "turn": turn,
        "dear": [{**turn, "number": 3, "cost": 0.1, "better": "B9"}], "margins": [1.0] * 76,
    }  # fmt: skip
    facts = {"players": match.players, "result": "alice", "found": found}
    facts["moves"] = [entry.move for entry in match.record]
    one = board("star", {}, 5, template="review", facts=facts, happenings=(AsItWas(5),))
    return replace(one, reader="alice")


def ended(word: str, options: Any, moves: int, asked: bool = False, **more: Any) -> Recipe:
    """The last letter of a game that bob gives up, or that is played to its end; or its album, ``asked`` for."""
    match = match_of(word, options, moves)
    match = match if match.position.over else match.after("bob", "resign", 0.0)
    said = "Schade um die Ecke; the middle is still worth a stone or two there."
    words = [
        [0, "bob", "Good luck!"],
        [12, "alice", f"Nice corner.\n{said}"],
        [moves, "bob", "Oh."],
    ]
    facts = {**_TALK, "rating": _RATED, "reviews": True}
    facts["next_game"] = {"line": "rematch", "said": "", "bot": ""}
    times = {"alice": 260000, "bob": 40000}
    facts["album"] = {"words": words, "more": 0, "time": times, "is_asked": asked}
    if asked:
        facts = {"album": facts["album"], "reviews": True}
    one = board(word, options, moves, facts=facts, happenings=(Resigned("bob"),))
    return replace(one, board=packed(match), reader="alice", **more)


BOARDS: dict[str, tuple[str, Any, int]] = {
    "star": ("star", {}, 34),
    "star-7": ("star", {"size": 7}, 20),
    "star-8": ("star", {"size": 8}, 20),
    "star-14": ("star", {"size": 14}, 120),
    "starstar-6": ("*star", {"rings": 6}, 50),
    "starstar-10": ("*star", {"rings": 10}, 110),
    "starstar-over": ("*star", {"rings": 6}, 999),
    "double": ("*star", {"rings": 5, "double": True}, 9),
    "stary": ("stary", {"rings": 5}, 20),
    **{word: (word, {}, 20) for word in OTHERS},
    "queens-5": ("queens", {}, 5),
    "minisolitaire": ("minisolitaire", {}, 1),
    "hex-7": ("hex", {"size": 7}, 12),
}
ENDED: dict[str, tuple[str, Any, int]] = {
    "album": ("star", {}, 64),
    "album-starstar-10": ("*star", {"rings": 10}, 250),
    "album-hex": ("hex", {}, 999),
}
_AGAIN = {"last": "", "weekly": False}
_BEGAN: dict[str, Any] = {"facts": {}, "happenings": (Began("bob"),)}
_TRIED = {"first": 12, "words": ["yes", "yes plan"], "tried": "F6 G7",
          "offers": ["To play F6, reply yes.", "To play F6 and save the rest as a plan, reply: yes plan"]}  # fmt: skip
_LINE = {"userid": "karl", "points": "2.5", "sb": "3", "played": 4, "won": 2, "tied": 1, "lost": 1}
_SETTINGS = [
    ("Letters", "only when it's your turn", "letters daily"),
    ("Maximum games at a time", "5", ""),
    ("Boards as text", "drawn with plain characters", "letters drawing words"),
]
_NAMED = "catherine-anne"
_IN_CUP = [{"userid": name, "marks": ["½", "0", "x", "1", "-", "0", "1", "½"], "points": "10.5",
            "sb": "27.25"} for name in ("karl", _NAMED)]  # fmt: skip
_OFFER = {"number": 128, "by": _NAMED, "rating": "1543?", "what": "*star -rings=10 -double", "to": "",
          "seat": "first", "wanted": 2, "until": "Mon 2026-12-14 12:00 UTC"}  # fmt: skip
_RATING = {"title": "Ring Solitaire", "place": 12, "userid": _NAMED, "rating": "1543?", "deviation": 120,
           "games": 123, "won": 61, "lost": 60, "tied": 2, "date": "2026-11-28"}  # fmt: skip
_SUM = {"title": "Star", "won": [12, 10], "ties": 1, "void": 2, "first": [[6, 12], [5, 13]]}
_PAIR = {
    "one": "alice",
    "running": 2,
    "over": 25,
    "sums": [_SUM],
    "streak": "",
    "games": _GAMES,
}


def letters() -> dict[str, Recipe]:
    """The letters of the sheet by name."""
    return {
        **{name: board(*each) for name, each in BOARDS.items()},
        "new": board("star", {}, 0, **_BEGAN),
        "new-starstar-10": board("*star", {"rings": 10}, 0, clock=_CLOCK, **_BEGAN),
        "review": reviewed(),
        **{name: ended(*each) for name, each in ENDED.items()},
        "album-asked": ended("star", {}, 64, asked=True),
        "album-without-picture": ended("star", {}, 64, pictures=False),
        "asked": asked(),
        "lesson": lesson(1),
        "hint": lesson(5, LESSONS[4].judge(Act("alice", "move", "D2"))),
        "problem": problem(),
        "problem-again": problem(
            **_AGAIN,
            judged=f"After C3, X still has a chance. {sentence('possible', 'X 10 to 20, O 5 to 15')}",
            counts="You can try again, but only your first answer counts for the list of solvers.",
        ),
        "problem-solved": problem(
            **_AGAIN,
            right=True,
            judged="C3 decides: O leads by at least 3 whatever follows (X 9 to 14, O 17 to 22).",
            counts="That was your first answer, so it counts for the list of solvers.",
        ),
        "refused": board("star", {}, 12, template="error", facts={"refusals": [_REFUSED]}),
        "score": board("star", {}, 30, template="score", facts={}),
        "without-picture": replace(board("*star", {"rings": 4}, 12), pictures=False),
        "words": replace(board("star", {}, 34), drawing="words"),
        "digest": digest(("star", {}, 34), ("*star", {"rings": 6}, 30), ("star", {}, 200)),
        "door": welcome(),
        "door-first": welcome("C3"),
        "invitation": invited(),
        "invitation-first": invited("F6"),
        "postcard": postcard(),
        "welcome": plain("welcome", at_once=True, others=["alice", "bob"]),
        "settings": plain("account", notice="Letters: only when it's your turn.", settings=_SETTINGS),
        "who": plain("who", reader="karl", players=[_PLAYER], at_once=True),
        "preview": board("star", {}, 14, template="preview", facts=_TRIED),
        "forgot": plain("forgot", token="abcdefgh23456789", days=7),
        "taken": plain("taken", stranger=False, token="abcdefgh23456789"),
        "away": plain("away", who="bob", notice="bob is away until 23 January 2027. On your board 4."),
        "league": plain("league", title="Star", word="star", season=2, division=1, divisions=1, kind="over",
                        runs=False, until="", won=False, lines=[_LINE], own=[], cross=[], goes_on=True,
                        following=3, moves="", is_in=False, reader="karl",
                        replies=["league crosstable star", "league join star"]),
        "cup": plain("cup", title="Star", season=3, until="2026-12-14", kind="table", runs=True, lines=_IN_CUP, own=[], reader="karl",
                     replies=["cup table star"]),
        "seeks": plain("seeks", title="", offers=[_OFFER], more=0, own=[_OFFER], buttons=["match"]),
        "whois": replace(plain("whois", bot=None, since="2 November 2026", away=False, titles=[], ratings=[_RATING],
                       practice=[_RATING], beaten=[], won=3, lost=2, tied=0, turns=40, in_time=39, reader="alice",
                       pair=_PAIR), pictures=True),
        "ratings": plain("ratings", word="star", practice=False, near=False, all=False,
                         lists=[{"title": "Star", "provisional": False, "lines": [_RATING]}]),
        "games": replace(plain("games", title="", word="star", of="karl", reader="karl", filters="", games=_GAMES, more=0), pictures=True),
        **{f"help-{topic}": help_page(topic) for topic in PAGES},
    }  # fmt: skip


def help_page(topic: str) -> Recipe:
    """A help page with its pictures."""
    heads = {"To": "a@a.example"}
    return Recipe("page", heads, 0.0, "5e71a1", {"topic": topic}, pictures=True)


def page_of(recipe: Recipe) -> str:
    """The HTML part of a letter as a program shows it."""
    return page_of_mail(Renderer(None, SERVER, url=SITE).write(recipe))


def page_of_mail(raw: bytes) -> str:
    """The HTML part of a mail as a program shows it: its pictures in the place of their names."""
    mail = email.message_from_bytes(raw)
    content, pictures = "", {}
    for part in mail.walk():
        payload = part.get_payload(decode=True)
        if part.get_content_subtype() == "html" and isinstance(payload, bytes):
            content = payload.decode("ascii")
        elif part.get_content_subtype() == "png" and isinstance(payload, bytes):
            uri = f"data:image/png;base64,{base64.b64encode(payload).decode('ascii')}"
            pictures[part["Content-ID"].strip("<>")] = uri
    return re.sub(r"cid:([^\"]*)", lambda cid: pictures[cid[1]], content)


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
