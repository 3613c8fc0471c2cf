"""Letters from recipes: what each says, that both parts say the same, and always the same bytes."""

from __future__ import annotations

import email
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from harness.common import sentence
from harness.letters import WORDS
from harness.tables import rows

from pbmstar.games import make
from pbmstar.match import Act, Match, act, begin
from pbmstar.match.happenings import AsItWas, Began, Passed, Swapped
from pbmstar.match.stored import unpack
from pbmstar.render.board.clock_face import ClockFace, due
from pbmstar.render.board.view import Telling, view_of
from pbmstar.render.letters import Renderer
from pbmstar.render.pages import topics
from pbmstar.render.recipe import Recipe, Replays
from pbmstar.render.translator import ENGLISH

from .kinds import (
    EVERY,
    GAME,
    LIST,
    OVER,
    RENDERER,
    REPLY,
    SERVER,
    SETTLED,
    TOKEN,
    html,
    mail,
    part,
    played,
    text,
    words,
)

every = pytest.mark.parametrize("letter", EVERY.values(), ids=EVERY)


@every
def test_what_is_true_of_every_letter(letter: Recipe) -> None:
    """Both parts have what the other one has, in short lines; inline styles only; nothing is remote."""
    raw = RENDERER.write(letter)
    got = email.message_from_bytes(raw)
    if letter.template in ("board", "error", "removed"):
        telling = Telling(letter.reader, letter.happenings, REPLY)
        view = None
        if letter.board and letter.template != "removed":
            view = view_of(Replays().match(letter.board), telling)
        said = " ".join(words(got)).replace(",", "")
        shown = view and (*view.news, *view.moves, *view.goals, view.fate, *(view.notes if view.moves else ()),
                          *view.verdict, view.reading, *view.pairs, view.heading, view.about,
                          view.played, view.question)  # fmt: skip
        for each in shown or ():
            # A command at its end is a link, in people's words.
            assert " ".join(each.removesuffix("star help").split()).replace(",", "") in said
        sent = set(map(unquote, re.findall(r'subject=([^"&]+)', part(got, "html"))))
        assert set(view.words if view else ()) <= sent, "a button says it in people's words"
        below = " ".join(WORDS.findall(part(got))) if view else part(got)
        below = below.replace("Nothing has changed.", "")  # the title of the HTML says so
        assert set(below.split()) <= {*words(got), *sent}
    elif letter.template not in ("games", "welcome", "page"):  # these have taps in place of lines
        said = {each.rstrip(".") for each in words(got)}  # a title ends without a full stop
        assert {each.rstrip(".") for each in part(got).split()} <= said
    for line in part(got).split("\n"):
        assert len(line) <= 72 and line == line.rstrip(), line
    assert "\n\n\n" not in part(got) and part(got)[0] != "\n"
    assert raw.isascii() and max(map(len, raw.split(b"\n"))) < 300
    assert not re.search(r"<script|src=|http|url\(", part(got, "html"))


@every
def test_the_same_recipe_gives_the_same_bytes(letter: Recipe) -> None:
    raw = RENDERER.write(letter)
    other = Renderer(None, SERVER)
    for _ in range(2):
        assert other.write(Recipe.from_bytes(letter.to_bytes())) == raw


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


def test_a_sentence_for_each_happening() -> None:
    for happening, *notices in rows(Path(__file__).parent / "sentences.txt", "sentences"):
        (word, *_), *_ = stored = [json.loads(happening)]
        view = view_of(played("C3"), Telling("bob", unpack(stored)))
        assert list(view.notices) == notices, happening
        prefix = {"began": "New ", "overdue": "Reminder: ", "warning": "Reminder: "}.get(word, "")
        assert view.prefix == prefix, happening


def test_a_stranger_has_moved_before_the_letter_of_the_new_game() -> None:
    """And the opponent may have answered, even by a swap: then the seats are told elsewhere."""
    met, _, rules = view_of(played("C3 C4"), Telling("alice", [Began("alice")])).notices
    started = sentence("has started", "Star", "bob")
    assert met == f"{started} You play X and move first. bob plays O."
    met, _, rules = view_of(played("C3 swap"), Telling("alice", [Began("alice")])).notices
    assert met == started
    assert rules == f"{sentence('all rules')} star help"


@pytest.mark.parametrize(
    ("word", "option", "said"),
    [
        ("star", "maxi", "Only each player's best chain counts (if those tie, the next best)"),
        ("*star", "double", "putting two stones on empty cells (only one on the first turn)."),
    ],
)
def test_a_new_game_has_the_rules_of_its_options(word: str, option: str, said: str) -> None:
    told = [
        view_of(played("", word, options), Telling("alice", [Began("alice")])).notices[1]
        for options in ({option: True}, {})
    ]
    assert [said in rules for rules in told] == [True, False]


def test_what_a_pass_means() -> None:
    def notice(match: Match) -> str:
        return view_of(match, Telling("", [Passed("bob")])).notices[0]

    assert notice(OVER) == sentence("both pass", "bob")
    assert notice(played("pass", "stary", {})) == (
        "bob passes. If the next player passes too, the game ends in a tie."
    )
    assert re.search(r"the current score, [0-9]+-[0-9]+\.$", notice(SETTLED))


@pytest.mark.parametrize(
    ("moves", "seats", "status"),
    [
        ("C1", ("alice", "bob"), "It is bob's turn."),
        ("pass pass", ("alice", "bob"), "The game was a tie."),
        ("pass pass", ("tie", "bob"), "The game was a tie."),
        ("C1 pass pass", ("tie", "bob"), "tie won by 1 point."),
        ("C1 resign", ("tie", "bob"), "tie won the game."),
    ],
)
def test_a_tie_and_a_player_of_that_name(moves: str, seats: tuple[str, str], status: str) -> None:
    assert view_of(played(moves, options={"size": 3}, seats=seats)).status == status


def test_a_list_of_games() -> None:
    def lines(**changed: Any) -> list[str]:
        facts = {**LIST, "reader": "alice", "games": [{**GAME, **changed}]}
        return text("games", facts=facts).split("\n")[2:4]

    assert lines() == ["It's the opponent's move", "      17  bob: for 1 day, Star 4, move 3"]
    assert lines(left="2 days")[1] == "      17  bob: 2 days left, Star 4, move 3"
    assert lines(to_move="alice")[0] == "It's your move"
    over = {"to_move": "", "end": "a tie"}
    assert lines(**over) == ["Finished", "      17  bob: a tie, Star 4, 3 moves"]
    assert lines(against="", kind="Mini", **over)[1] == "      17  Mini: a tie, 3 moves"


def test_a_board_as_it_was_has_nobody_to_move() -> None:
    letter = mail("board", played("C3"), reader="", happenings=[AsItWas(1)])
    assert letter["Subject"] == "Star Board 17"
    assert letter["X-Pbmstar-To-Move"] is None and letter["X-Pbmstar-Move"] == "1"
    assert "\nIt was bob's turn.\n" in part(letter) and "It is" not in part(letter)
    assert "You can:\n  star show 17\n  star help\nSend one" in part(letter)
    assert "Reply with" not in part(letter)


def test_a_reading_is_likely() -> None:
    game, rng, seen = make("stary", {"rings": 3}), random.Random(1), ""
    while not seen:
        names = rng.sample(game.grid.names, len(game.grid) - 6)
        match = begin(1, game, ("anna", "carl"), 0.0)
        for name in names:
            match = match if match.position.over else match.after(match.to_move, name, 0.0)
        seen = view_of(match).reading
    like = (
        "(anna|carl) will probably win: whenever one cell of a pair below is taken, "
        "the player named there takes the other."
    )
    assert re.fullmatch(like, seen)


def test_an_agreement_is_no_move_and_the_chains_stay() -> None:
    view = view_of(played("C1 D1", options={"size": 3}).after("bob", "agree 7 6", 0.0))
    assert view.last == "Last move: bob accepted 7-6." and view.played == "bob accepted 7-6."
    drawn = view_of(played("C3").after("bob", "agree draw", 0.0))
    assert (
        drawn.last == "Last move: bob accepted a draw." and drawn.played == "bob accepted a draw."
    )
    assert view.moves == ("1 C1", "2 D1")
    assert view.scores == "alice (x) 7, bob (o) 6"
    assert [note.split()[0] for note in view.notes] == ["alice:", "bob:"]
    assert view.status == "alice won by 1 point."


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
    assert {"@", "*40", "T41"} <= set(view_of(match).chain.split())
    assert "\nWinning chain: " in text("board", match)


# -- words


@pytest.mark.parametrize("name", ["welcome", "signup", "taken", "address", "forgot"])
def test_a_blank_line_before_each_command(name: str) -> None:
    lines = text(name, facts=TOKEN).split("\n")
    commands = [i for i, line in enumerate(lines) if line.startswith("  ")]
    assert commands
    assert all(not lines[i - 1] or lines[i - 1].startswith("  ") for i in commands)


@pytest.mark.parametrize("userid", ["al", "a" * 16])
def test_the_columns_of_the_welcome_are_columns(userid: str) -> None:
    table = re.findall(
        r"(?m)^  .*", text("welcome", facts={**TOKEN, "userid": userid, "bots": True})
    )
    docs = [
        "play an easy bot",
        "play someone",
        "learn Star",
        "see who else",
        "the rules",
        "everything",
    ]
    assert len({line.index(doc) for line, doc in zip(table, docs, strict=True)}) == 1


def test_the_lies_of_the_help() -> None:
    pages = {topic: " ".join(RENDERER.help(topic).text.split()) for topic in topics(None)}
    assert "both scores together are five times the number of rings, plus 1." in pages["starstar"]
    assert "if the number of rings is even, a full board can't be a tie." in pages["starstar"]
    assert "how to play by mail" not in text("welcome", facts=TOKEN)


def test_the_time_is_said_to_its_reader_and_stands_out_when_it_is_short() -> None:
    """Without the year, and with the hour only when that matters."""
    face = ClockFace(
        {"alice": 21 * 86400, "bob": 6 * 3600}, "10d+36h", 1796567400, None, False, None
    )

    def said(to_move: str, reader: str, **changed: Any) -> list[tuple[str, bool]]:
        shown = face._replace(**changed)
        return [tuple(each) for each in due(shown, to_move, reader, "Europe/Berlin", ENGLISH)]

    assert said("alice", "alice")[0] == ("You have 21 days, until Sun 6 Dec.", False)
    assert said("alice", "bob") == [
        ("alice has 21 days, until Sun 6 Dec.", False), ("You have 6 h left.", False),
    ]  # fmt: skip
    assert said("bob", "bob")[0] == ("You have 6 h, until Sun 6 Dec 15:30 CET (14:30 UTC).", True)
    stopped = said("alice", "alice", stands=("leave", None), deadline=None)
    assert stopped[0] == ("Your clock is paused (on leave), with 21 days left.", False)
    warned = said("alice", "alice", allowed=172800)[0]
    assert warned == (
        "You must move by Sun 6 Dec 15:30 CET (14:30 UTC): this is the last warning.", True,
    )  # fmt: skip


def test_the_one_who_swaps_and_a_watcher_are_told_in_their_own_words() -> None:
    match = played("C3 swap", "hex", {"size": 5})
    for reader, told in (
        ("bob", "You took over alice's stone and now play X. alice plays O, and it's alice's move"),
        (
            "carol",
            "bob took over alice's stone and now plays X. alice plays O, and it's alice's move",
        ),
    ):
        letter = mail(match=match, reader=reader, happenings=(Swapped("bob"),))
        assert " ".join(words(letter)).startswith(told)


def test_a_swap_is_told_by_the_heading_or_else_by_a_notice() -> None:
    match, told = played("C3 swap", "hex", {"size": 5}), (Swapped("bob"),)
    for reader in ("alice", "bob", "carol"):
        letter = " ".join(words(mail(match=match, reader=reader, happenings=told)))
        assert "took over" in letter and "swaps" not in letter, reader
    notice = (
        "bob swaps instead of making the second move: bob takes over the stone and plays X, and "
        "alice plays O.",
    )
    asked = act(match, Act("bob", "propose", "draw"), 5.0)[0]
    assert view_of(asked, Telling("alice", told)).news == notice  # "Please answer, alice"
    for reader in ("alice", "carol"):
        assert view_of(match, Telling(reader, told)).notices == notice  # for a digest
        over = played("C3 swap resign", "hex", {"size": 5})
        assert view_of(over, Telling(reader, told)).news == notice  # "You lost"


def test_a_side_with_several_stones_is_taken_over_as_stones() -> None:
    first = next(iter(make("pentaline", {}).start().moves()))
    match = played("", "pentaline", {}).after("alice", first, 0.0).after("bob", "swap", 0.0)
    assert "bob took over your stones and now plays X." in html(
        match=match, happenings=(Swapped("bob"),)
    )
