"""A quotation of a letter about a board is found by its title, in each language that has letters."""

from __future__ import annotations

import pytest

from pbmstar.games import GAMES
from pbmstar.inbound.quotes import find, is_title
from pbmstar.render.translator import Translator

TITLES = [
    "Summary of {game} Board {number}",
    "Score report of {game} Board {number}",
    "Record of {game} Board {number}; times are UTC",
    "Preview of {game} Board {number}",
    "Review of {game} Board {number}: {first} (x) and {second} (o)",
    "Your notes on {game} Board {number}. Nobody else sees them.",
]


@pytest.mark.parametrize("language", Translator.offered())
@pytest.mark.parametrize("text", TITLES)
def test_titles(text: str, language: str) -> None:
    tell = Translator.of(language).tell
    for game in GAMES:
        values = {"game": game.title, "title": game.title, "first": "alice", "second": "bob"}
        text = text.replace("Review of {game}", "Review of {title}")
        title = tell(text, number=17, **values)
        assert (title == text.format(number=17, **values)) == (language == "en")
        assert is_title(title)
        assert find(["F6", "", title, "bob plays O."], "star.example").end == 2


OPENINGS = [
    "Your move, {userid}", "Please answer, {userid}", "{userid} to move", "A draw", "No result", "Solved", "The end",
    "You won", "You lost", "{userid} won",
    "You play O, and it's your move", "{loser} plays O, and it's your move", "You play O, and it's {userid}'s move",
    "{loser} plays O, and it's {userid}'s move",
]  # fmt: skip


@pytest.mark.parametrize("language", Translator.offered())
@pytest.mark.parametrize("text", OPENINGS)
def test_first_lines(text: str, language: str) -> None:
    """What ends the first line begins the quotation of a letter; alone it is a sentence of the writer."""
    tell = Translator.of(language).tell
    played = tell("{userid} played {move}.", userid="bob", move="H2")
    title = tell("Summary of {game} Board {number}", game="Star", number=17)
    _is_found(f"{tell(text, userid='a-b_9', loser='bob')}.", played, title)


@pytest.mark.parametrize("language", Translator.offered())
@pytest.mark.parametrize("points", [1, 2, 12])
def test_first_lines_of_an_end(points: int, language: str) -> None:
    translator = Translator.of(language)
    title = translator.tell("Summary of {game} Board {number}", game="Star", number=17)
    for form in ("You won by {count}", "You lost by {count}", "{userid} won by {count}"):
        ends = translator.tell_many(form, form, points, userid="bob")
        _is_found(f"{ends}.", "", title)


def _is_found(ends: str, played: str, title: str) -> None:
    for line in (ends, f"{played} {ends}", f"{played} {played} {ends}"):
        assert is_title(line)
        letter = [line, "", "5-  . x .", "", "-" * 60, title]
        assert find(["F6", "", *letter], "star.example").end == 2
        assert find(["F6", "", line], "star.example").end == 3
        assert not is_title(f"{line} Or what do you think?")


def test_the_line_below_a_heading() -> None:
    """A program that makes text of our HTML begins with its heading, which may be any; the next line is ours."""
    for language in Translator.offered():
        about = f"against bob \u00b7 Star \u00b7 {Translator.of(language).tell('board {number}', number=17)}"
        said = "Am 28. November schrieb bob at Star:"
        assert find(["F6", said, "Your move, alice", about], "star.example").last == 3
