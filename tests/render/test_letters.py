"""Letters from recipes: what each says, that both parts say the same, and always the same bytes."""

from __future__ import annotations

import email
import random
import re
from collections.abc import Callable
from dataclasses import replace
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jinja2
import lxml.html
import pytest
from harness.positions import match_of

from pbmstar.command import Command, read_reply
from pbmstar.errors import IllegalMove
from pbmstar.games import GAMES, make
from pbmstar.games.base import STONE
from pbmstar.games.hexagon.star import Star
from pbmstar.match import Act, Happening, Match, act, begin
from pbmstar.render import Recipe, Renderer, pictures, view_of
from pbmstar.render import recipe as recipes
from pbmstar.render.view import _board

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
    happened = tuple(Happening(*each) for each in more.pop("happenings", ()))
    facts = more.pop("facts", {})
    return Recipe(template, headers, 0.0, "5e71a1", facts, match, reader, happened)


def mail(template: str = "board", match: Match | None = None, **more: Any) -> Message:
    """The letter, parsed."""
    return email.message_from_bytes(RENDERER.write(recipe(template, match, **more)))


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
        "days": 1, "options": "-s", "reply": ""}  # fmt: skip
LIST: dict[str, Any] = {"title": "Star", "word": "star", "of": "alice", "filters": "", "more": 0}
TOKEN = {"userid": "alice", "token": "t0ken", "days": 7, "stranger": True, "others": ["bob"],
         "bots": True}  # fmt: skip
EVERY: dict[str, Recipe] = {
    "new": recipe("board", played(), happenings=[("began", "bob")], facts=TALK),
    "move": recipe("board", played("C3 D4"), happenings=[("moved", "bob", "D4")], facts=TALK),
    "over": recipe("board", OVER),
    "star y": recipe("board", played("", "stary", {"rings": 3})),
    "*star": recipe("board", played("S42 *31 T40", "*star", {"rings": 4}), reader="bob"),
    "refused": recipe("error", played("C3"), facts={"refusals": [REFUSED]}),
    "no board": recipe("error", facts={"refusals": [REFUSED] * 2}),
    "removed": recipe("removed", played(), happenings=[("declined", "bob")], facts=TALK),
    "score": recipe("score", played("C3 D4")),
    "games": recipe("games", facts={**LIST, "games": [GAME, GAME]}),
    "page": recipe("page", facts={"topic": "star"}),
    "account": recipe("account", facts={"userid": "alice", "notice": "The password is new."}),
    **{name: recipe(name, facts=TOKEN)
       for name in ("welcome", "signup", "taken", "address", "forgot")},
}  # fmt: skip
every = pytest.mark.parametrize("letter", EVERY.values(), ids=EVERY)


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


@every
def test_what_is_true_of_every_letter(letter: Recipe) -> None:
    """Both parts say the same in short lines of ASCII; inline styles only; nothing is remote."""
    raw = RENDERER.write(letter)
    got = email.message_from_bytes(raw)
    if letter.template in ("board", "error", "removed"):
        view = letter.match and view_of(letter.match, letter.reader, letter.happenings, REPLY)
        if letter.template == "removed":
            view = None
        said = " ".join(words(got)).replace(",", "")
        shown = view and (*view.notices, *view.commands, *view.moves, *view.prospect,
                          view.scores, *view.notes, *view.verdict, view.reading, *view.pairs,
                          view.heading, view.played)  # fmt: skip
        for each in shown or ():
            assert " ".join(each.split()).replace(",", "") in said
        below = part(got).partition("*" * 60)[2] if view else part(got).replace("*" * 60, "")
        assert set(below.split()) <= set(words(got))
    else:
        assert words(got) == part(got).split()
    for line in part(got).split("\n"):
        assert len(line) <= 72 and line == line.rstrip(), line
    assert "\n\n\n" not in part(got) and part(got)[0] != "\n"
    assert raw.isascii() and max(map(len, raw.split(b"\n"))) < 300
    assert not re.search(r"<script|src=|http|url\(", part(got, "html"))


@every
def test_the_same_recipe_gives_the_same_bytes(letter: Recipe) -> None:
    raw = RENDERER.write(letter)
    recipes._replayed.clear()
    _board.cache_clear()
    for _ in range(2):
        assert Renderer(None, SERVER).write(Recipe.from_bytes(letter.to_bytes())) == raw


def test_headers_stand_in_this_order() -> None:
    head = RENDERER.write(EVERY["new"]).decode().partition("\n\n")[0]
    assert (
        head
        == f"""\
Date: Thu, 01 Jan 1970 00:00:00 +0000
From: {SERVER}
To: a@a.example
Reply-To: {REPLY}
X-Pbmstar-Game: star
X-Pbmstar-Board: 17
X-Pbmstar-Move: 0
X-Pbmstar-To-Move: alice
Subject: New Star Board 17 alice **
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="=_5e71a1\""""
    )
    with pytest.raises(ValueError, match="header"):
        RENDERER.write(replace(EVERY["new"], headers={"To": "a@a.example\nBcc: x@y.example"}))


# -- the summary


@pytest.mark.parametrize(
    ("happening", "notices"),
    [
        ("began bob", ["A new game of Star has begun. alice plays X and moves first, bob plays O. "
                       "Until your own first move you may decline it.", Star.brief,
                       "A first move could be B4. All rules: star help"]),
        ("moved bob D4", []),
        ("swapped bob swap", ["bob swaps: alice plays X now and owns the stone, bob plays O."]),
        ("passed bob pass", ["bob passes. A second pass in succession ends the game with the score "
                             "as the board stands, 0-0. The board is not settled: alice could "
                             "still have 0 to 19, bob could still have 0 to 19."]),
        ("resigned bob", ["bob resigns."]),
        ("left bob", ["bob has left the server."]),
        ("forfeited bob 21.9", ["bob has not moved for 21 days and forfeits the game."]),
        ("forfeited bob 0.9", ["bob has not moved for less than a day and forfeits the game."]),
        ("proposed bob 11 8", ["bob proposes to end the game with the score 11-8, X's points "
                               "first."]),
        ("agreed bob 11 8", ["bob accepts the score 11-8, X's points first."]),
        ("proposed bob draw", ["bob proposes to end the game as a draw."]),
        ("agreed bob draw", ["bob accepts a draw."]),
        ("proposed alice cancel", ["alice asks to end the game without result."]),
        ("proposed alice undo C3", ["alice asks to take back move 1, C3."]),
        ("refused bob", ["bob declines."]),
        ("refused bob later", ["bob declines: not now, perhaps later."]),
        ("undone bob C3", ["Move 2, C3, was taken back by bob."]),
        ("undone alice D4", ["Move 2, D4, was taken back, since alice agrees."]),
        ("undone alice D4; swap", ["Move 2, D4, and the swap were taken back, since alice agrees."]),
        ("cancelled bob", ["bob agrees to end the game without result."]),
        ("declined bob busy", ["bob declines the game: too many other games are running. The board "
                               "is removed."]),
        ("hinted bob", ["No way to solve it is known from here; with undo you can take moves back."]),
        ("declined bob", ["bob declines the game; the board is removed."]),
        ("removed", ["The operator has removed this board."]),
        ("reset  9", ["The operator has put this board back to before move 9."]),
        ("reset  1", ["The operator has put this board back to the empty board."]),
        ("as-it-was  1", ["The board as it was after move 1."]),
        ("unreachable bob", ["Mails to bob come back, so none are sent for now. bob will be asked "
                             "to confirm the address at the next mail that comes from there."]),
        ("overdue bob 8 12.8", ["Your move has been awaited for 8 days.",
                                "Without a move the game is forfeited in 12 days. Before that "
                                "comes a last warning."]),
        ("overdue bob 8", ["Your move has been awaited for 8 days.", "Take as long as you like."]),
        ("warning bob 19 1", ["Your move has been awaited for 19 days.",
                              "This is the last warning: without a move from you the game is "
                              "forfeited in 1 day."]),
    ],
)  # fmt: skip
def test_a_sentence_for_each_happening(happening: str, notices: list[str]) -> None:
    view = view_of(played("C3"), "bob", [Happening(*happening.split(" ", 2))])
    assert list(view.notices) == notices
    kind = happening.split(maxsplit=1)[0]
    assert view.prefix == {"began": "New ", "overdue": "Nag: ", "warning": "Nag: "}.get(kind, "")


def test_what_a_pass_means() -> None:
    def notice(match: Match) -> str:
        return view_of(match, "", [Happening("passed", "bob", "pass")]).notices[0]

    assert notice(OVER) == "bob passes too: the game is over."
    assert notice(played("pass", "stary", {})) == (
        "bob passes. A second pass in succession ends the game as a tie."
    )
    assert re.search(r"as the board stands, [0-9]+-[0-9]+\.$", notice(SETTLED))


@pytest.mark.parametrize(
    ("moves", "seats", "status"),
    [
        ("C1", ("alice", "bob"), "It is bob's turn."),
        ("pass pass", ("alice", "bob"), "Game was a tie."),
        ("pass pass", ("tie", "bob"), "Game was a tie."),
        ("C1 pass pass", ("tie", "bob"), "Game won by tie by 1 point."),
        ("C1 resign", ("tie", "bob"), "Game won by tie."),
    ],
)
def test_B10_a_tie_and_a_player_of_that_name(
    moves: str, seats: tuple[str, str], status: str
) -> None:
    assert view_of(played(moves, options={"size": 3}, seats=seats)).status == status


def test_a_list_of_games() -> None:
    def line(title: str = "", **changed: Any) -> str:
        facts = {**LIST, "title": title, "games": [{**GAME, **changed}]}
        return text("games", facts=facts).split("\n")[2]

    assert line() == "      17  Star against bob: bob to move for 1 day, move 3 -s"
    assert line("Star", days=2) == "      17  against bob: bob to move for 2 days, move 3 -s"
    over = {"to_move": "", "end": "a tie", "options": ""}
    assert line("Star", **over) == "      17  against bob: over, a tie, move 3"
    assert line("Mini", against="", **over) == "      17  Mini: over, a tie, move 3"


def test_player_7_a_board_as_it_was_has_nobody_to_move() -> None:
    letter = mail("board", played("C3"), reader="", happenings=[("as-it-was", "", "1")])
    assert letter["Subject"] == "Star Board 17"
    assert letter["X-Pbmstar-To-Move"] is None and letter["X-Pbmstar-Move"] == "1"
    assert "\nIt was bob's turn.\n" in part(letter) and "It is" not in part(letter)
    assert "You can:\n  star show 17\n  star help\nSend one" in part(letter)
    assert "simply reply" not in part(letter)


def test_player_8_a_reading_is_likely() -> None:
    game, rng, seen = make("stary", {"rings": 3}), random.Random(1), ""
    while not seen:
        names = rng.sample(game.grid.names, len(game.grid) - 6)
        match = begin(1, game, ("anna", "carl"), 0.0)
        for name in names:
            match = match if match.position.over else match.after(match.to_move, name, 0.0)
        seen = view_of(match).reading
    like = "Likely: (anna|carl) wins, if whoever loses one cell of a pair takes the other:"
    assert re.fullmatch(like, seen)


def test_player_10_an_agreement_is_no_move_and_the_chains_stay() -> None:
    view = view_of(played("C1 D1", options={"size": 3}).after("bob", "agree 7 6", 0.0))
    assert view.last == "bob accepts 7-6." and view.played == "bob accepted 7-6."
    drawn = view_of(played("C3").after("bob", "agree draw", 0.0))
    assert drawn.last == "bob accepts a draw." and drawn.played == "bob accepted a draw."
    assert view.moves == ("1 C1", "2 D1")
    assert view.scores == "alice (x): 7   bob (o): 6"
    assert [note.split()[0] for note in view.notes] == ["alice:", "bob:"]
    assert view.status == "Game won by alice by 1 point."


def test_stones_the_edge_and_the_last_move() -> None:
    view = view_of(played("C3 A6"))
    names = view.match.game.grid.names
    assert {(names[s.cell], s.stone, s.edge, s.last) for s in view.stones} == {
        ("C3", "x", False, False),
        ("A6", "o", True, True),
    }
    styles = dict(re.findall(r'<([bi])\nstyle="([^"]*)">[xo]</', html("board", played("D1 A6"))))
    assert "border-bottom" in styles["b"], "a chain at the edge is underlined"
    assert "outline" in styles["i"] and "background" in styles["i"], "the last move stands out"


def test_the_chain_that_won_stands_below() -> None:
    moves = "@ S20 *20 A20 T20 R20 *30 A10 T10 S30 *10 R30 T30 A30 *40 S40 T41"
    match = played(moves, "stary", {"rings": 4})
    assert {"@", "*40", "T41"} <= set(view_of(match).chain)
    assert "\nWinning chain: " in text("board", match)


# -- the choices


@pytest.mark.parametrize(
    ("match", "reader", "commands", "replies"),
    [
        (played(), "alice", ["move 17 alice password B4#1", "move 17 alice password pass#1",
                             "resign 17 alice password", "decline 17 alice password",
                             "counter 17 alice password -seat=o"],
         "pass  resign  show  score  help  say  try B4  decline"),
        (played("C3"), "bob", ["move 17 bob password B4#2", "move 17 bob password pass#2",
                               "move 17 bob password swap#2", "resign 17 bob password",
                               "decline 17 bob password", "counter 17 bob password -seat=x"],
         "pass  swap  resign  show  score  help  say  try B4  decline"),
        (played("C3"), "alice", ["undo 17 alice password", "resign 17 alice password"],
         "resign  show  score  help  say  undo  plan"),
        (OVER, "bob", ["rematch 17 bob password", "undo 17 bob password"],
         "rematch  undo  show  score  help  say"),
    ],
)  # fmt: skip
def test_what_a_player_can_do(match: Match, reader: str, commands: list[str], replies: str) -> None:
    lines = [f"  star {line}\n" for line in (*commands, "show 17", "help")]
    content = text("board", match, reader=reader)
    assert f"\nYou can:\n{''.join(lines)}Send one of these as the Subject" in content
    assert f":\n\n  {replies}\n" in content
    assert ("put your move, like B4, in" in content) == (match.to_move == reader)
    assert ("\n\nYour move, " in content) == (match.to_move == reader), "first of its status"


def test_player_14_propose_is_a_reply_as_soon_as_it_is_offered() -> None:
    """Where the end is proved there is nothing to propose: either may claim it."""
    for reader in SETTLED.seats:
        words = " ".join(view_of(SETTLED, reader, reply_to=REPLY).words)
        assert "claim" in words and "propose" not in words
    match = played("D2 B5 D6 F1 E3 E2 C5 A5 E5 E4 D3 F2 B4 D1 C4 D4 B6 E1 A6 A4")
    assert match.reading is not None and not match.bounds.settled
    x, o = match.reading.points
    for reader in match.seats:
        view = view_of(match, reader, reply_to=REPLY)
        assert f"propose {x}-{o}" in view.words
        assert f"star propose 17 {reader} password {x}-{o}" in view.commands
    assert f'?subject=propose%20{x}-{o}">propose {x}-{o}</a>' in html("board", match)
    asked, _ = act(match, Act("alice", "propose", f"{x} {o}"), 0.0)
    assert "accept" in view_of(asked, "bob", reply_to=REPLY).words
    for reader in asked.seats:
        assert "propose" not in " ".join(view_of(asked, reader, reply_to=REPLY).words)


# -- HTML


def links(content: str) -> list[str]:
    """The words that the links of an HTML part mail as a Subject to the reply address."""
    hrefs = [str(a.get("href")) for a in lxml.html.fromstring(content).iter("a", "area")]
    begin = f"mailto:{REPLY.replace('+', '%2B')}?subject="
    assert all(href.startswith(begin) for href in hrefs)
    return [unquote(href.removeprefix(begin)) for href in hrefs]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.word)
def test_every_move_and_every_word_can_be_tapped(game: Any) -> None:
    """Only by the player who is to move; what a tap mails as a Subject is read as that move."""
    match = match_of(game.word, {"rings": 4} if game.word == "stary" else {}, 5)
    letter = replace(recipe("board", match, reader=match.to_move), pictures=True)
    tapped = links(part(email.message_from_bytes(RENDERER.write(letter)), "html"))
    assert not [word for word in tapped if "*" in word], "it gets lost on the way"
    said = [read_reply(word, False, (), game).commands[0] for word in tapped]
    assert all(isinstance(each, Command) for each in said)
    read = [match.game.read(each.args["move"]) for each in said if "move" in each.args]  # type: ignore[union-attr]
    legal = {move for move in match.position.moves() if move not in ("pass", "swap")}
    assert set(read) == legal, "each cell, or each way of each stone"
    if len(match.seats) > 1:
        others = links(html("board", match, reader=match.opponent(match.to_move)))
        assert not legal.intersection(others)


def test_a_large_cell_is_tapped_on_both_maps_and_in_its_row() -> None:
    letter = replace(recipe("board", played("D1 A6")), pictures=True)
    content = part(email.message_from_bytes(RENDERER.write(letter)), "html")
    assert links(content).count("C3") == 3


@pytest.mark.parametrize(
    ("match", "how", "tapped", "rest"),
    [
        (played("S42", "*star", {"rings": 4, "double": True}), "the second behind", "T30+", "T31"),
        (match_of("pentahex", {}, 40, 3), "for the stones that you enclose", "R40-R62+", "Z01"),
    ],
    ids=["double", "pentahex"],
)
def test_what_a_tap_leaves_open_is_written_behind_a_plus(
    match: Match, how: str, tapped: str, rest: str
) -> None:
    """The move that is tapped is refused alone, and with what is missing it is played."""
    content = html("board", match, reader=match.to_move)
    assert how in content and tapped in links(content)

    def play(subject: str) -> None:
        (command,) = read_reply(subject, False, (), type(match.game)).commands
        assert isinstance(command, Command)
        match.position.play(match.game.read(command["move"]))

    with pytest.raises(IllegalMove):
        play(tapped)
    play(f"{tapped} {rest}")


def test_too_many_movements_are_written_behind_their_stones() -> None:
    """Penta-Hex begins with 700: where our address is long a tap names the stone alone."""
    letter = recipe("board", match_of("pentahex", {}, 0))
    long = {"Reply-To": f"star+{'k' * 40}@games.department.example.org"}
    content = part(email.message_from_bytes(RENDERER.write(replace(letter, headers=long))), "html")
    assert content.count("?subject=Z00-") == 1 and "where it goes behind the -" in content


def test_a_picture_is_a_part_that_the_html_names() -> None:
    """multipart/alternative { text, multipart/related { html, png } }, each asked for by its reader."""
    one = recipe("board", played("C3 D4"))
    kinds = {
        (True, True): ["alternative", "plain", "related", "html", "png"],
        (True, False): ["alternative", "plain", "html"],
        (False, True): ["plain"],
    }
    for (hyper, shown), parts in kinds.items():
        got = email.message_from_bytes(RENDERER.write(replace(one, html=hyper, pictures=shown)))
        assert [each.get_content_subtype() for each in got.walk()] == parts
        assert part(got).startswith("Summary of Star Board 17")
    got = email.message_from_bytes(RENDERER.write(replace(one, pictures=True)))
    image = list(got.walk())[-1]
    assert image["Content-Disposition"].startswith("inline")
    assert f'src="cid:{image["Content-ID"].strip("<>")}"' in part(got, "html")
    assert 'role="img"' not in part(got, "html"), "the picture is in the place of the drawn board"


def test_a_letter_whose_html_shows_no_picture_carries_none() -> None:
    awaited = {"found": None, "players": {"X": "alice", "O": "bob"}, "result": "", "moves": []}
    for name, facts in (("record", {"parts": []}), ("notes", {"notes": []}), ("review", awaited)):
        one = replace(recipe(name, played("C3 D4"), facts=facts), pictures=True)
        kinds = [
            p.get_content_subtype() for p in email.message_from_bytes(RENDERER.write(one)).walk()
        ]
        files = (["mixed"], ["json"]) if name == "record" else ([], [])
        assert kinds == [*files[0], "alternative", "plain", "html", *files[1]], name


def test_without_its_picture_a_letter_goes_all_the_same(
    monkeypatch: pytest.MonkeyPatch, logged: Callable[[], list[dict[str, Any]]]
) -> None:
    monkeypatch.setattr(pictures, "_drawn", lambda *_: 1 / 0)
    got = email.message_from_bytes(RENDERER.write(replace(EVERY["move"], pictures=True)))
    assert [each.get_content_subtype() for each in got.walk()] == ["alternative", "plain", "html"]
    assert [line["event"] for line in logged()] == ["picture"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.word)
def test_the_html_of_the_largest_board_stays_small(game: Any) -> None:
    """Programs clip what is over 100 kB: 90,000 bytes for every board, the emptiest and a long game."""
    options = {o.name: o.range[1] for o in game.options if o.name in ("size", "rings") and o.range}
    match = begin(10**6, make(game.word, options), ("a" * 16, "b" * 16)[: len(game.seats)], 0.0)
    long = {"Reply-To": f"star+{'k' * 40}@games.department.example.org"}
    for moves in (0, 300):
        for _ in range(moves):
            turn = next(match.position.moves(), "pass")
            match = (
                match
                if match.position.over or turn == "pass"
                else match.after(match.to_move, turn, 0.0)
            )
        reader = match.to_move or match.seats[0]
        for shown in (True, False):
            letter = replace(recipe("board", match, reader=reader), headers=long, pictures=shown)
            raw = RENDERER.write(letter)
            assert len(part(email.message_from_bytes(raw), "html")) < 90_000
            assert max(map(len, raw.split(b"\n"))) < 990


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.word)
def test_O4_a_full_board_is_drawn_unbroken_and_stays_small(game: Any) -> None:
    """O4: no HTML part is over 40 kB, not even of the largest board."""
    rules = game({"size": 14} if game.word == "star" else {})
    stones = bytes(STONE[rules.seats[i % len(rules.seats)]] for i in range(len(rules.grid)))
    full = rules.judge(replace(rules.start(), stones=stones), range(len(stones)))
    start = begin(1, rules, ("alice", "bob")[: len(rules.seats)], 0.0)
    content = html("board", replace(start, position=full))
    assert len(content) < 40_000
    boxes = [box.text_content() for box in lxml.html.fromstring(content).iter("pre")]
    assert rules.draw(stones).rstrip("\n") in boxes


def test_a_comment_cannot_become_markup() -> None:
    text = "<script>alert(1)</script> {{7*7}} %s"
    facts = {"comment": {"userid": "bob", "text": text, "cut": False}}
    letter = mail("board", played(), facts=facts)
    assert "<script>" not in part(letter, "html") and "&lt;script&gt;" in part(letter, "html")
    assert "{{7*7}} %s" in part(letter) and letter["Subject"].endswith(" **")


# -- words


@pytest.mark.parametrize("name", ["welcome", "signup", "taken", "address", "forgot"])
def test_player_13_a_blank_line_before_each_command(name: str) -> None:
    lines = text(name, facts=TOKEN).split("\n")
    commands = [i for i, line in enumerate(lines) if line.startswith("  ")]
    assert commands
    assert all(not lines[i - 1] or lines[i - 1].startswith("  ") for i in commands)


@pytest.mark.parametrize("userid", ["al", "a" * 16])
def test_the_columns_of_the_welcome_are_columns(userid: str) -> None:
    table = re.findall(
        r"(?m)^  .*", text("welcome", facts={**TOKEN, "userid": userid, "bots": False})
    )
    docs = ["start a game, you begin", "start a game, the other begins", "learn Star", "players whom",
            "the rules", "everything else"]  # fmt: skip
    assert [line.index(doc) for line, doc in zip(table, docs, strict=True)] == [42] * 6


def test_player_12_and_the_lies_of_the_help() -> None:
    pages = {topic: " ".join(RENDERER.help(topic).text.split()) for topic in RENDERER.topics()}
    assert "On a full board with an even number of rings no tie is possible." in pages["starstar"]
    assert "On a full board the two scores add up to five times" in pages["starstar"]
    assert "how to play by mail" not in text("welcome", facts=TOKEN)


# -- a site's own templates


def test_a_sites_own_text_is_set_in_html_too(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("Subject: Ours\n\n{{ board.status }} <Ciao>\n")
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "star.txt").write_text("Our page.")
    site = Renderer(tmp_path, SERVER)
    letter = email.message_from_bytes(site.write(EVERY["move"]))
    assert letter["Subject"] == "Ours" and part(letter) == "It is alice's turn. <Ciao>\n"
    assert words(letter) == ["It", "is", "alice's", "turn.", "<Ciao>"]
    assert site.help("star").text == "Our page." and "stary" in site.topics()
    (tmp_path / "board.txt").write_text("Subject: Ours\n\n{{ nothing }}\n")
    with pytest.raises(jinja2.UndefinedError):
        Renderer(tmp_path, SERVER).write(EVERY["move"])


# -- recipes


def test_a_record_that_goes_on_is_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next letter of a board replays what is new; a record cut back is replayed from the start."""
    recipes._replayed.clear()
    steps, after = [], Match.after

    def counted(match: Match, userid: str, move: str, *more: float) -> Match:
        steps.append(move)
        return after(match, userid, move, *more)  # type: ignore[arg-type]

    records = ("C3 swap D4", "C3 swap D4", "C3 swap D4 pass", "C3 D4")
    letters = [recipe("board", played(moves)).to_bytes() for moves in records]
    monkeypatch.setattr(Match, "after", counted)
    matches = [Recipe.from_bytes(letter).match for letter in letters]
    assert steps == ["C3", "swap", "D4", "pass", "C3", "D4"]
    assert matches[0] is matches[1]
    monkeypatch.setattr(recipes, "_BOARDS", 3)
    for number in range(20):
        Recipe.from_bytes(recipe("board", replace(played(), number=number)).to_bytes())
        assert len(recipes._replayed) <= 3


def test_a_recipe_keeps_what_a_letter_shows() -> None:
    asked, happened = act(played("C3 swap D4"), Act("alice", "propose", "11 8"), 5.0)
    one = replace(recipe("board", asked, facts=TALK), happenings=happened)
    again = Recipe.from_bytes(one.to_bytes())
    assert replace(again, match=None) == replace(one, match=None)
    assert again.match is not None and again.match.request == asked.request
    assert again.match.players == asked.players
    assert again.match.position.stones == asked.position.stones
