"""What players write: the spellings that are read, and a sentence of its own for each that is not."""

from __future__ import annotations

import pytest

from pbmstar import games
from pbmstar.errors import InvalidMove, UnknownGame
from pbmstar.games.base import Game

SPELLINGS = {
    "*30": "*30 *30* **30** _*30_ *_30_* __*30__ Z30 z30 *Z30* \\*30 \uff0a30 \u221730 \u204e30 \u273130 "
    "\uff0a\uff13\uff10 \u2217\u221730\u2217\u2217",
    "S42": "S42 s42 *S42* **s42** _S42_ \uff33\uff14\uff12",
    "A00": "A00 a00",
    "*00": "*00 Z00 z00",
}


@pytest.mark.parametrize(
    ("spelling", "name"), [(s, name) for name, ss in SPELLINGS.items() for s in ss.split()]
)
def test_spellings_of_a_cell(spelling: str, name: str) -> None:
    assert games.make("*star", {}).read([spelling]) == name
    assert games.make("stary", {}).read([spelling]) == name


@pytest.mark.parametrize("spelling", ["@", "star", "STAR", "*Star*", "*@*", "_@_", "\uff20"])
def test_spellings_of_the_star(spelling: str) -> None:
    for game in (games.make("*star", {"nobridge": ""}), games.make("stary", {})):
        assert game.read([spelling]) == "@"
    assert refusal(games.make("*star", {}), spelling) == "bridge"


def refusal(game: Game, move: str) -> str:
    """The code with which words are refused as no move of the game; the sentence is checked."""
    with pytest.raises(InvalidMove) as error:
        game.read(move.split())
    assert str(error.value).isascii()
    assert str(error.value).endswith(".")
    return error.value.code


@pytest.mark.parametrize("word", ["pass", "PASS", "--", "-", "\u2014", "*pass*", "swap", "Resign"])
def test_words_that_are_no_cells(word: str) -> None:
    for game in games.GAMES:
        read = game({}).read([word])
        assert read == (word.lower() if word.isalpha() else "pass")


@pytest.mark.parametrize(
    "move",
    ["S42 T40", "s42, t40", "S42,T40", "S42+T40", "S42 + T40", "*S42* _T40_", "**S42, T40**"],
)
def test_spellings_of_two_stones(move: str) -> None:
    assert games.make("*star", {"double": True}).read(move.split()) == "S42 T40"


def test_options_are_told_and_kept() -> None:
    values = {"rings": "6", "double": "", "nobridge": "", "handicap": "2", "points": "-3"}
    game = games.make("STARSTAR", values)
    assert game.described() == "-rings=6 -double -nobridge -handicap=2 -points=-3"
    again = games.load(game.word, games.dump(game))
    assert again.described() == game.described()
    assert games.make("*star", {"rings": 10, "double": False, "points": "+0"}).described() == ""


def test_games_and_their_words() -> None:
    words = [word for kind in games.GAMES for word in (kind.word, *kind.aliases)]
    assert len(words) == len(set(words))
    for kind in games.GAMES:
        for word in (kind.word, *kind.aliases):
            assert games.find(word.upper()) is kind
    assert games.find("starstar") is games.find("*star")
    with pytest.raises(UnknownGame) as error:
        games.make("chess", {})
    assert error.value.code == "no-game"
    assert all(kind.word in str(error.value) for kind in games.GAMES)
