"""The HTML part: what can be tapped, the picture, how large it is."""

from __future__ import annotations

import email
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jinja2
import lxml.html
import pytest
from harness.positions import largest, match_of, some_games

from pbmstar.command import Command, read_reply
from pbmstar.errors import IllegalMove
from pbmstar.games import GAMES, make
from pbmstar.games.base import STONE
from pbmstar.match import Act, Match, act, begin
from pbmstar.match.happenings import Began
from pbmstar.render import style
from pbmstar.render.letters import Renderer
from pbmstar.render.pages import topics
from pbmstar.render.picture import attached
from pbmstar.render.recipe import Replays
from pbmstar.render.text import page

from .kinds import EVERY, RENDERER, REPLY, SERVER, SETTLED, html, mail, part, played, recipe, words


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
    ("position", "how", "tapped", "rest"),
    [
        (
            lambda: played("S42", "*star", {"rings": 4, "double": True}),
            "the second one after",
            "T30+",
            "T31",
        ),
        (
            lambda: match_of("pentahex", {}, 40, 3),
            "where the stones you enclose should go",
            "R40-R62+",
            "Z01",
        ),
    ],
    ids=["double", "pentahex"],
)
def test_what_a_tap_leaves_open_is_written_behind_a_plus(
    position: Callable[[], Match], how: str, tapped: str, rest: str
) -> None:
    """The move that is tapped is refused alone, and with what is missing it is played."""
    match = position()
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
    assert content.count("?subject=Z00-") == 1 and "type the cell it should go to" in content


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
        assert part(got).startswith("bob played D4. Your move, alice.")
    got = email.message_from_bytes(RENDERER.write(replace(one, pictures=True)))
    image = list(got.walk())[-1]
    assert image["Content-Disposition"].startswith("inline")
    assert f'src="cid:{image["Content-ID"].strip("<>")}"' in part(got, "html")
    assert 'role="img"' not in part(got, "html"), "the picture is in the place of the drawn board"


def test_a_letter_whose_html_shows_no_picture_carries_none() -> None:
    for name, facts in (("record", {"parts": []}), ("notes", {"notes": []})):
        one = replace(recipe(name, played("C3 D4"), facts=facts), pictures=True)
        kinds = [
            p.get_content_subtype() for p in email.message_from_bytes(RENDERER.write(one)).walk()
        ]
        files = (["mixed"], ["json"]) if name == "record" else ([], [])
        assert kinds == [*files[0], "alternative", "plain", "html", *files[1]], name


@pytest.mark.parametrize(("word", "options"), [("star", {"size": 3}), ("*star", {"rings": 3})])
def test_the_boards_of_a_record_are_drawn_in_its_html_too(word: str, options: Any) -> None:
    """A line of one label, and rows of a number and few cells, look like a list of words."""
    match = match_of(word, options, 2)
    drawing = match.game.draw(match.position.stones).rstrip("\n")
    facts = {"parts": [{"lines": ["a & b\nc", "d"], "move": None}]}
    (shown,) = lxml.html.fromstring(html("record", match, facts=facts)).iter("pre")
    assert shown.text == drawing


def test_without_its_picture_a_letter_goes_all_the_same(
    monkeypatch: pytest.MonkeyPatch, logged: Callable[[], list[dict[str, Any]]]
) -> None:
    monkeypatch.setattr(attached, "picture", lambda *_: 1 / 0)
    got = email.message_from_bytes(
        RENDERER.write(replace(recipe("board", played("D4 C3 C4")), pictures=True))
    )
    assert [each.get_content_subtype() for each in got.walk()] == ["alternative", "plain", "html"]
    assert [line["event"] for line in logged()] == ["picture"]


@pytest.mark.few(1)
@pytest.mark.parametrize("game", some_games("star", "y", "pentahex"))
def test_the_html_of_the_largest_board_stays_small(game: Any) -> None:
    """Programs clip what is over 100 kB: 90,000 bytes for every board, the emptiest and a long game."""
    match = begin(
        10**6, make(game.word, largest(game)), ("a" * 16, "b" * 16)[: len(game.seats)], 0.0
    )
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
def test_a_full_board_is_drawn_unbroken_and_stays_small(
    game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O4: no HTML part is over 40 kB, not even of the largest board."""
    rules = game({"size": 14} if game.word == "star" else {})
    stones = bytes(STONE[rules.seats[i % len(rules.seats)]] for i in range(len(rules.grid)))
    full = rules.judge(replace(rules.start(), stones=stones), range(len(stones)))
    start = begin(1, rules, ("alice", "bob")[: len(rules.seats)], 0.0)
    monkeypatch.setattr(Replays, "match", lambda *_: replace(start, position=full))
    content = html("board", start)
    assert len(content) < 40_000
    boxes = [box.text_content() for box in lxml.html.fromstring(content).iter("pre")]
    assert rules.draw(stones).rstrip("\n") in boxes


def test_a_comment_cannot_become_markup() -> None:
    text = "<script>alert(1)</script> {{7*7}} %s"
    facts = {"comment": {"userid": "bob", "text": text, "cut": False}}
    letter = mail("board", played(), facts=facts)
    assert "<script>" not in part(letter, "html") and "&lt;script&gt;" in part(letter, "html")
    assert "{{7*7}} %s" in part(letter) and letter["Subject"].endswith(" **")


def test_a_sites_own_text_is_set_in_html_too(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("Subject: Ours\n\n{{ board.status }} <Ciao>\n")
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "star.txt").write_text("Our page.")
    site = Renderer(tmp_path, SERVER)
    letter = email.message_from_bytes(site.write(EVERY["move"]))
    assert letter["Subject"] == "Ours" and part(letter) == "It is alice's turn. <Ciao>\n"
    assert words(letter) == ["Ours", "It", "is", "alice's", "turn.", "<Ciao>"]
    assert site.help("star").text == "Our page." and "hex" in topics(tmp_path)
    (tmp_path / "board.txt").write_text("Subject: Ours\n\n{{ nothing }}\n")
    with pytest.raises(jinja2.UndefinedError):
        Renderer(tmp_path, SERVER).write(EVERY["move"])


@pytest.mark.parametrize("name", ["score", "board"])
def test_a_picture_in_words_promises_rows_of_cells_where_there_are_some(name: str) -> None:
    letter = replace(recipe(name, match_of("star", {}, 12)), pictures=True)
    shown = part(email.message_from_bytes(RENDERER.write(letter)), "html")
    assert ("rows below" in shown) is (name == "board")
    assert ('class="c"' in shown) is (name == "board")


def test_only_titles_are_headings_of_a_help_page() -> None:
    shown = page("Hex\n\nThe board\n\nText.\n\nAll commands: help commands\n")
    assert re.findall("<(h1|h2)[^>]*>(.*?)</", shown) == [("h1", "Hex"), ("h2", "The board")]
    assert "<p>All commands: help commands</p>" in shown


def test_the_rules_of_a_new_game_stand_below_its_board() -> None:
    letter = recipe("board", match_of("*star", {"rings": 10}, 0), happenings=(Began("bob"),))
    shown = part(email.message_from_bytes(RENDERER.write(replace(letter, pictures=True))), "html")
    order = [shown.index(text) for text in ("has challenged you", "<img", "Stones never move")]
    assert order == sorted(order)


@pytest.mark.parametrize(("size", "kind"), [(7, "c l26"), (8, "c l24"), (6, "c"), (9, "c")])
def test_rows_of_up_to_fourteen_cells_are_set_close(size: int, kind: str) -> None:
    tree = lxml.html.fromstring(html("board", match_of("star", {"size": size}, 0)))
    assert {row.get("class") for row in tree.iter("div") if row.get("class")} == {kind}
    broken = [row.findall("span") for row in tree.iter("div") if row.findall("span")]
    assert bool(broken) is (size == 9)


@pytest.mark.parametrize("size", [9, 14])
def test_a_long_row_of_cells_breaks_into_even_parts(size: int) -> None:
    tree = lxml.html.fromstring(html("board", match_of("star", {"size": size}, 0)))
    counts = [[len(part.findall("a")) for part in row.findall("span")] for row in tree.iter("div")]
    parts = [each for each in counts if each]
    assert parts and all(max(each) <= 11 and max(each) - min(each) <= 1 for each in parts)


@pytest.mark.parametrize(("size", "lean"), [(7, 13.0), (11, 5.4), (14, 4 / 13), (21, 0.0)])
def test_rows_to_tap_lean_as_the_board_does(size: int, lean: float) -> None:
    """As far as a phone has room for it; a cell stays 24 to 26 pixels wide."""
    tree = lxml.html.fromstring(html("board", match_of("hex", {"size": size}, 0)))
    styles = [
        row.get("style", "") for row in tree.iter("div") if row.get("class") in ("c l26", "c l24")
    ]
    assert styles == [f"padding-left:{round(row * lean)}px" for row in range(size if lean else 0)]


def test_whoever_is_asked_reads_the_question_first() -> None:
    """Once, with its two answers before all other words; the asker and both Subjects know who is asked."""
    match, _ = act(match_of("star", {}, 12), Act("alice", "undo"), 0.0)
    letter = mail("board", match, reader="bob")
    shown = part(letter, "html")
    assert letter["Subject"] == "Star Board 17 alice - Please answer, bob"
    assert "Please answer, bob</h1>" in shown and " Please answer, bob.\n" in part(letter)
    assert shown.count("would like to take back move 11, F3, and your answer D10.") == 1
    assert [word for word in links(shown) if len(word) > 3][:2] == ["accept", "decline"]
    assert "hasn't answered" not in part(letter) + shown
    asker = mail("board", match, reader="alice")
    assert asker["Subject"] == "Star Board 17 alice - bob has to answer"
    for shown in (part(asker), part(asker, "html").replace("&#39;", "'")):
        assert " ".join(shown.split()).count("You've asked to take back move 11") == 1


@pytest.mark.parametrize(
    ("moves", "reader", "end"),
    [
        ("C3 D4 D1 pass pass", "alice", "You won by 1"),
        ("C3 D4 D1 pass pass", "bob", "You lost by 1"),
        ("C3 resign", "bob", "You lost"),
        ("C3 resign", "", "alice won"),
        ("pass pass", "bob", "A draw"),
    ],
)
def test_the_last_letter_begins_with_the_result(moves: str, reader: str, end: str) -> None:
    letter = mail("board", played(moves), reader=reader)
    assert letter["Subject"] == f"Star Board 17 - {end}" and f"{end}</h1>" in part(letter, "html")


def test_words_to_tap_come_by_need_and_resign_apart() -> None:
    shown = html("board", played("C3 D4"))
    assert [word for word in links(shown) if len(word) > 2] == [
        "pass", "say", "undo", "try B4", "score", "show", "help", "resign",
    ]  # fmt: skip
    assert "password B4" not in shown, "no command with a password"


def test_the_count_is_large_and_the_range_is_told_once_it_tells_something() -> None:
    """It stands behind the reader's disc and name."""
    figure = f'<span style="{style.STYLES["figure"]}">0</span>'
    shown = html("board", played("C3 D4"), reader="bob")
    order = [shown.index(text) for text in ("border-radius:50%", "<b>bob</b>", figure, "alice<br>")]
    assert order == sorted(order) and "possible" not in shown
    shown = html("board", SETTLED.at_move(8), reader="bob")
    assert re.search("<b>bob</b>.*?[0-9]+ to [0-9]+ possible.*alice<br>", shown, re.DOTALL)


FIGURES = ("star", "pentahex", "puzzles", "commands")  # boards, shapes, no game, and none


@pytest.mark.parametrize(
    "topic",
    [
        pytest.param(topic, marks=() if topic in FIGURES else pytest.mark.slow)
        for topic in topics(None)
    ],
)
def test_a_help_page_shows_pictures_in_the_place_of_its_drawings(topic: str) -> None:
    """And what is no drawing breaks anywhere: nothing of a page is wider than a phone."""
    letter = recipe("page", facts={"topic": topic})
    raw = RENDERER.write(replace(letter, pictures=True))
    got = email.message_from_bytes(raw)
    figures = RENDERER.help(topic).figures
    shown = part(got, "html")
    assert [each.get_content_subtype() for each in got.walk()].count("png") == len(figures)
    assert shown.count('src="cid:') == len(figures) and len(raw) < 400_000
    assert not [each for each in figures if each.text.strip() in shown]
    drawn = part(email.message_from_bytes(RENDERER.write(letter)), "html")
    texts = [pre.text_content().strip("\n") for pre in lxml.html.fromstring(drawn).iter("pre")]
    assert {each.text.strip("\n") for each in figures} <= set(texts)
    for pre in lxml.html.fromstring(shown).iter("pre"):
        assert "white-space:pre;" in pre.get("style", "")


def test_a_picture_that_is_heard_has_no_map() -> None:
    """Whoever wants boards in words hears each cell once, in its row."""
    letter = replace(recipe("board", played("D1 A6")), pictures=True, drawing="words")
    content = part(email.message_from_bytes(RENDERER.write(letter)), "html")
    assert links(content).count("C3") == 1 and "The board in words" in content
