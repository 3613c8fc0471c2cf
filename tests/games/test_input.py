"""What players write: the spellings that are read, and a sentence of its own for each that is not."""

from __future__ import annotations

import re

import pytest

from pbmstar import games
from pbmstar.errors import BadOption, IllegalMove, InvalidMove, UnknownGame
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


# The words, the code of the refusal, and what its sentence must name.
NO_MOVES = {
    "a lost asterisk": ("*star", {}, "30", "lost-asterisk", "Z30"),
    "an asterisk lost in front": ("*star", {}, "30*", "lost-asterisk", "Z30"),
    "a lost asterisk in italics": ("*star", {}, "_30_", "lost-asterisk", "Z30"),
    "a ring too far": ("*star", {"rings": 6}, "S00", "no-cell", "outermost ring is 6"),
    "the next ring": ("*star", {"rings": 6}, "S70", "no-cell", "ring 7"),
    "no such offset": ("*star", {}, "A77", "no-cell", "0 to 6"),
    "no such offset, eaten": ("*star", {}, "Z44", "no-cell", "*44"),
    "the bridge": ("*star", {}, "@", "bridge", "star"),
    "a player": ("*star", {}, "X30", "no-cell", "S42 or *42"),
    "an arm alone": ("*star", {}, "S4", "no-cell", "S4"),
    "digits of others": ("*star", {}, "S4\u00b2", "no-cell", "S4?"),
    "letters of others": ("*star", {}, "\u017f42", "no-cell", "?42"),
    "nothing but marks": ("*star", {}, "**", "no-cell", "**"),
    "two in a game of one": ("*star", {}, "S42 T40", "not-a-cell", "S42"),
    "two equal": ("*star", {"double": True}, "S42 s42", "twice", "S42"),
    "three stones": ("*star", {"double": True}, "S42 T40 A40", "stones", "not 3"),
    "no stones": ("*star", {"double": True}, ",", "stones", "not 0"),
    "nothing": ("*star", {}, "", "not-a-cell", "S42"),
    "a stray cell": ("star", {}, "A1", "no-cell", "like F10"),
    "a long word": ("star", {}, "F" * 99, "no-cell", f" {'F' * 20} "),
    "a dotless letter": ("star", {"size": 9}, "\u01315", "no-cell", "?5"),
    "an asterisk in Star": ("star", {}, "*60", "no-cell", " 60 "),
    "a wrong letter in Star Y": ("stary", {}, "B22", "no-cell", "B22"),
    "a column too far in Hex": ("hex", {}, "L1", "no-cell", "L1"),
    "a flat cell on the bent board": ("y", {"bent": True}, "A17", "no-cell", "like T62"),
}


@pytest.mark.parametrize("case", NO_MOVES)
def test_no_move_on_this_board(case: str) -> None:
    word, options, move, code, named = NO_MOVES[case]
    game = games.make(word, options)
    assert refusal(game, move) == code
    with pytest.raises(InvalidMove, match=re.escape(named)):
        game.read(move.split())


NOT_NOW = {
    "one stone where two are due": (["S42"], "T40", "stones"),
    "two stones at first": ([], "S42 T40", "stones"),
    "a stone on a stone": (["S42"], "S42 T40", "taken"),
}


@pytest.mark.parametrize("case", NOT_NOW)
def test_not_allowed_now(case: str) -> None:
    before, move, code = NOT_NOW[case]
    game = games.make("*star", {"rings": 4, "double": True})
    position = game.start()
    for earlier in before:
        position = position.play(earlier)
    with pytest.raises(IllegalMove) as error:
        position.play(game.read(move.split()))
    assert error.value.code == code


def test_two_stones_where_one_cell_is_left() -> None:
    game = games.make("*star", {"rings": 3, "double": True})
    names = game.grid.names
    position = game.setup(names[:15], names[15:29])
    with pytest.raises(IllegalMove) as error:
        position.play("pass").play(f"{names[29]} {names[28]}")
    assert error.value.code == "stones"


BAD_OPTIONS = {
    "-rings=2": ("*star", {"rings": "2"}, "bad-value"),
    "-rings=11": ("stary", {"rings": "11"}, "bad-value"),
    "-handicap=11": ("*star", {"handicap": "11"}, "bad-value"),
    "-handicap=0": ("*star", {"handicap": "0"}, "bad-value"),
    "-points=2.5": ("*star", {"points": "2.5"}, "bad-value"),
    "points 2.5": ("*star", {"points": 2.5}, "bad-value"),
    "-points=100": ("*star", {"points": "100"}, "bad-value"),
    "-points": ("*star", {"points": ""}, "bad-value"),
    "points true": ("*star", {"points": True}, "bad-value"),
    "-points=1 in other digits": ("*star", {"points": "\u0661"}, "bad-value"),
    "-double=2": ("*star", {"double": "2"}, "no-value"),
    "-double -maxi": ("*star", {"double": "", "maxi": ""}, "no-option"),
    "-nobridge in Star Y": ("stary", {"nobridge": ""}, "no-option"),
    "-rings in Star": ("star", {"rings": "4"}, "no-option"),
    "-size=15": ("star", {"size": "15"}, "bad-value"),
    "-size=2": ("hex", {"size": "2"}, "bad-value"),
    "-bent -size": ("y", {"bent": "", "size": "17"}, "bent-size"),
    "-rings in a game without options": ("pentaline", {"rings": "8"}, "no-option"),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_bad_options(case: str) -> None:
    word, options, code = BAD_OPTIONS[case]
    with pytest.raises(BadOption) as error:
        games.make(word, options)
    assert error.value.code == code
    assert (
        case.split("=", maxsplit=1)[0].split(maxsplit=1)[0].strip("-") in str(error.value)
        or code == "no-option"
    )


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
