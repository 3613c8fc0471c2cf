"""A letter of each kind, and its parts."""

from __future__ import annotations

import email
from email.message import Message
from typing import Any

import lxml.html

from pbmstar.games import make
from pbmstar.match import Match, begin
from pbmstar.match.happenings import Began, Declined, Moved
from pbmstar.render.letters import Renderer
from pbmstar.render.recipe import Recipe, packed

SERVER, REPLY = "star@pbm.example", "star+r1t0@pbm.example"
RENDERER = Renderer(None, SERVER)


def played(
    moves: str = "", word: str = "star", options: Any = None, seats: Any = ("alice", "bob")
) -> Match:
    """A match after these moves, each by whoever is to move."""
    match = begin(17, make(word, {"size": 4} if options is None else options), seats, 0.0)
    for move in moves.split():
        match = match.after(match.to_move, move, 0.0)
    return match


def recipe(template: str = "board", match: Match | None = None, **more: Any) -> Recipe:
    """A letter to alice, who can reply to it if it is about a board of hers."""
    reader = more.pop("reader", "alice" if match else "")
    headers = {"From": SERVER, "To": "a@a.example"} | ({"Reply-To": REPLY} if reader else {})
    happened = tuple(more.pop("happenings", ()))
    facts = more.pop("facts", {})
    board = packed(match) if match else None
    return Recipe(template, headers, 0.0, "5e71a1", facts, board, reader, happened)


def mail(template: str = "board", match: Match | None = None, **more: Any) -> Message:
    """The letter, parsed, from a recipe that has lain in the outbox."""
    kept = recipe(template, match, **more).to_bytes()
    return email.message_from_bytes(RENDERER.write(Recipe.from_bytes(kept)))


def part(letter: Message, kind: str = "plain") -> str:
    """Its text, or its HTML."""
    found = next(each for each in letter.walk() if each.get_content_subtype() == kind)
    content = found.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode(found.get_content_charset() or "ascii")


def text(*args: Any, **more: Any) -> str:
    return part(mail(*args, **more))


def html(*args: Any, **more: Any) -> str:
    return part(mail(*args, **more), "html")


OVER = played("C3 pass pass")
SETTLED = played("C2 D6 B4 A4 F1 F2 A6 B6 B3 E5 E1 C6 D1 F4 A5 F3")
TALK = {
    "comment": {
        "userid": "bob",
        "text": "Hello <b>you</b> & all\n\n  far in\n\nSchön, 李!",
        "cut": False,
    }
}
REFUSED = {"understood": "star move 17 alice ****** C9", "reason": "Write it so:\n  star move ..."}
GAME = {"number": 17, "title": "Star", "against": "bob", "to_move": "bob", "end": "", "move": 3,
        "days": 1, "reply": "", "kind": "Star 4", "set_up": "{}", "stones": ""}  # fmt: skip
LIST: dict[str, Any] = {"title": "Star", "word": "star", "of": "alice", "filters": "", "more": 0}
TOKEN = {"userid": "alice", "token": "t0ken", "days": 7, "stranger": True, "others": ["bob"],
         "bots": True}  # fmt: skip
EVERY: dict[str, Recipe] = {
    "new": recipe("board", played(), happenings=[Began("bob")], facts=TALK),
    "move": recipe("board", played("C3 D4"), happenings=[Moved("bob", "D4")], facts=TALK),
    "over": recipe("board", OVER),
    "star y": recipe("board", played("", "stary", {"rings": 3})),
    "*star": recipe("board", played("S42 *31 T40", "*star", {"rings": 4}), reader="bob"),
    "refused": recipe("error", played("C3"), facts={"refusals": [REFUSED]}),
    "no board": recipe("error", facts={"refusals": [REFUSED] * 2}),
    "removed": recipe("removed", played(), happenings=[Declined("bob")], facts=TALK),
    "score": recipe("score", played("C3 D4")),
    "games": recipe("games", facts={**LIST, "games": [GAME, GAME]}),
    "page": recipe("page", facts={"topic": "star"}),
    "account": recipe("account", facts={"userid": "alice", "notice": "The password is new."}),
    **{name: recipe(name, facts=TOKEN)
       for name in ("welcome", "signup", "taken", "address", "forgot")},
}  # fmt: skip


def words(letter: Message) -> list[str]:
    """What the HTML part says, in the words of the text part."""
    tree = lxml.html.fromstring(part(letter, "html"))
    for unseen in tree.iter("title", "style"):
        unseen.text = ""
    for rule in tree.iter("hr"):
        rule.tail = " " + "*" * 60 + " " + (rule.tail or "")
    for line in tree.iter("br", "p", "pre"):
        line.tail = " " + (line.tail or "")
    return str(tree.text_content()).split()
