"""Talk that may mean a move: what is found in a line, and what is passed on as words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness.positions import match_of
from harness.tables import rows
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmstar.command import Command, courtesy, found, is_greeting, read_reply
from pbmstar.command.courtesy import is_courtesy
from pbmstar.command.parse import bare
from pbmstar.command.recognition import beginning_of_command
from pbmstar.command.table import named, reply_verbs
from pbmstar.games import GAMES
from pbmstar.games.base import Game
from pbmstar.games.hexagon.star import Star
from pbmstar.grammar.words import beginning
from pbmstar.match import Act, act

TALK = Path(__file__).parent / "talk.txt"
STAR = match_of("star", {}, 4)
TAKEN = STAR.record[0].move
FREE = next(STAR.position.moves())


def offered(line: str, match: Any = STAR) -> str:
    """What is found in a line of the player to move."""
    return found.offered(line, match, match.to_move)


def test_one_free_cell_is_found() -> None:
    for (line,) in rows(TALK, "one free cell"):
        for cell in (FREE, FREE.lower(), f"{FREE[0]} {FREE[1:]}"):
            assert offered(line.format(cell)) == FREE, line


def test_what_is_doubtful_is_not_guessed_at() -> None:
    for (line,) in rows(TALK, "doubtful"):
        assert offered(line.replace("FREE", FREE).replace("TAKEN", TAKEN)) == "", line


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("D04", "D4"), ("d04.", "D4"), ("2a", "A2"), ("10D", "D10"), ("W[bb]", "B2"), (";b[a2]", "A2"),
        ("swap-pieces", "swap"), ("swap-sides", "swap"), ("Swap colors!", "swap"), ("switch", "swap"),
        ("Steal.", "swap"), ("swap?", "swap"), ("21d", ""), ("W[zz]", ""), ("I'll switch to D4", "D4"),
        ("3 days", ""), ("change", ""),
    ],
)  # fmt: skip
def test_other_ways_to_write_a_move(line: str, meant: str) -> None:
    assert offered(line, match_of("hex", {}, 1)) == meant


def test_one_taken_cell_is_found() -> None:
    for (line,) in rows(TALK, "taken"):
        assert found.taken(line.format(TAKEN), STAR) == TAKEN, line
        assert found.taken(line.format(FREE), STAR) == "", line
        assert offered(line.format(TAKEN)) == "", line


def test_a_word_of_the_game_is_found_where_it_is_possible() -> None:
    for line, word in rows(TALK, "words"):
        assert offered(line) == word, line


@pytest.mark.parametrize("word", ["*star", "stary", "polyy", "hex", "y", "queens", "pentaline"])
@given(data=st.data())
def test_only_what_is_possible_is_offered(word: str, data: st.DataObject) -> None:
    match = match_of(word, {}, 6)
    names = match.game.grid.names
    cell = data.draw(st.sampled_from(names))
    line = data.draw(st.sampled_from(["I play {}", "{} please", "{}!"])).format(cell)
    meant = offered(line, match)
    assert meant in ("", cell)
    if meant:
        act(match, Act(match.to_move, "move", meant), 0.0)


@pytest.mark.parametrize(("kind", "passed_on"), [("small talk", True), ("private", False)])
def test_small_talk_is_passed_on_and_nothing_else(kind: str, passed_on: bool) -> None:
    """Not what may be a plan, a move or a password."""
    for (text,) in rows(TALK, kind):
        lines = text.split("\n")
        assert found.is_small_talk(lines, Star) == passed_on, lines
    assert not found.is_small_talk([], Star)


def test_courtesy_above_a_move_is_courtesy_and_goes_along() -> None:
    lines = [line for (line,) in rows(TALK, "courtesy")]
    assert len(lines) > 90
    for line in lines:
        for below in (FREE, f"\n{FREE}"):
            read = read_reply("Re: x", True, [line, *below.split("\n"), "See you."], Star)
            (command,) = read.commands
            assert isinstance(command, Command) and command.verb.name == "move", line
            assert (command["move"], read.line) == ([FREE], FREE), line
            said = [] if is_greeting(line) else [line]
            assert [each for each in read.said[0].comment.split("\n") if each] == [
                *said,
                "See you.",
            ]


def test_what_is_no_courtesy_plays_nothing_below_it() -> None:
    for (line,) in rows(TALK, "no courtesy"):
        read = read_reply("Re: x", True, [line, FREE], Star)
        assert read.line == line


@given(st.sampled_from(GAMES), st.data())
def test_what_may_be_a_move_is_no_courtesy(game: type[Game], data: st.DataObject) -> None:
    """Alone, with words of courtesy around it, or behind a name; nor is a word of ours."""
    words = [
        *game({}).grid.names,
        *reply_verbs(game),
        "star",
        "F 6",
        "f-6",
        "if",
        "else",
        "#3",
        "--",
    ]
    word = data.draw(st.sampled_from([each for each in words if each not in KIND_TOO]))
    form = data.draw(
        st.sampled_from(["{}", "{}!", "Good, {}", "{}. Thanks!", "Nice. {}.", "Hi Anna, {}"])
    )
    for each in (word, word.lower(), word.title(), f"*{word}*"):
        if word == "--":
            break
        assert not is_courtesy(form.format(each)), (form, each)


@given(st.data())
def test_a_cell_below_talk_is_played_or_offered(data: st.DataObject) -> None:
    """Whatever the talk is made of, if it names no cell and does not begin like a command, in any language.

    "done" is one letter from "zone": two words after it may be a userid and a password.
    """
    said = data.draw(st.lists(st.sampled_from(SPOKEN), min_size=1, max_size=8))
    line = " ".join(said)
    assume(bare(said[0]) not in {*reply_verbs(Star), *named(None)})
    assume(not beginning_of_command(line) and beginning(line) is None)
    read = read_reply("Re: x", True, [line, "", FREE], Star)
    (command,) = read.commands
    if isinstance(command, Command) and command.args.get("move") == [FREE]:
        return
    assert offered(read.text) == FREE, line


KIND_TOO = {"no", "help", "back", "from", "sunday"}  # "Sorry, back from a trip on Sunday" is talk
SPOKEN = [
    *sorted(courtesy.WORDS),
    "not", "maybe", "should", "would", "but", "Anna", "ben", "Lund,", "that's", "hmm", "don't", "why?",
]  # fmt: skip
