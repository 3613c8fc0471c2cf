"""What players write: the spellings that are read, and a sentence of its own for each that is not."""

from __future__ import annotations

import pytest

from pbmstar import games
from pbmstar.errors import BadOption, IllegalMove, InvalidMove, UnknownGame

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
    with pytest.raises(InvalidMove, match="it is a bridge"):
        games.make("*star", {}).read([spelling])


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


NO_MOVES = {
    "a lost asterisk": ("*star", {}, "30", "30 has lost its first character.*write Z30"),
    "an asterisk lost in front": ("*star", {}, "30*", "30 has lost its first character"),
    "a lost asterisk in italics": ("*star", {}, "_30_", "30 has lost its first character"),
    "a ring too far": ("*star", {"rings": 6}, "S00", "S00 .* ring 10, and the outermost ring is 6"),
    "the next ring": ("*star", {"rings": 6}, "S70", "S70 .* ring 7, and the outermost ring is 6"),
    "no such offset": ("*star", {}, "A77", "no cell A77: on ring 7 the last digit is 0 to 6"),
    "no such offset, eaten": (
        "*star",
        {},
        "Z44",
        r"no cell \*44: on ring 4 the last digit is 0 to 3",
    ),
    "the bridge": ("*star", {}, "@", "it is a bridge"),
    "a player": ("*star", {}, "X30", r"no cell X30 on this board.* like S42 or \*42"),
    "an arm alone": ("*star", {}, "S4", "no cell S4 on this board"),
    "digits of others": ("*star", {}, "S4\u00b2", r"no cell S4\? on this board"),
    "letters of others": ("*star", {}, "\u017f42", r"no cell \?42 on this board"),
    "nothing but marks": ("*star", {}, "**", r"no cell \*\* on this board"),
    "two in a game of one": ("*star", {}, "S42 T40", "A move is one cell, like S42"),
    "two equal": ("*star", {"double": True}, "S42 s42", "two different cells, and S42 .* twice"),
    "three stones": ("*star", {"double": True}, "S42 T40 A40", "two stones, like S42 T40, not 3"),
    "no stones": ("*star", {"double": True}, ",", "two stones, like S42 T40, not 0"),
    "nothing": ("*star", {}, "", "A move is one cell"),
    "a stray cell": ("star", {}, "A1", "no cell A1 on this board; .* like F10"),
    "a long word": ("star", {}, "F" * 99, "no cell F{20} on"),
    "a dotless letter": ("star", {"size": 9}, "\u01315", r"no cell \?5 on"),
    "an asterisk in Star": ("star", {}, "*60", "no cell 60 on"),
    "a wrong letter in Star Y": ("stary", {}, "B22", "no cell B22 on"),
}


@pytest.mark.parametrize("case", NO_MOVES)
def test_no_move_on_this_board(case: str) -> None:
    word, options, move, sentence = NO_MOVES[case]
    game = games.make(word, options)
    with pytest.raises(InvalidMove, match=sentence) as error:
        game.read(move.split())
    assert str(error.value).isascii()
    assert str(error.value).endswith(".")


NOT_NOW = {
    "one stone where two are due": (["S42"], "T40", "Two stones are due, both in one move"),
    "two stones at first": ([], "S42 T40", "The first turn of the game is one stone"),
    "a stone on a stone": (["S42"], "S42 T40", "S42 is taken"),
}


@pytest.mark.parametrize("case", NOT_NOW)
def test_not_allowed_now(case: str) -> None:
    before, move, sentence = NOT_NOW[case]
    game = games.make("*star", {"rings": 4, "double": True})
    position = game.start()
    for earlier in before:
        position = position.play(earlier)
    with pytest.raises(IllegalMove, match=sentence):
        position.play(game.read(move.split()))


def test_two_stones_where_one_cell_is_left() -> None:
    game = games.make("*star", {"rings": 3, "double": True})
    names = game.grid.names
    position = game.setup(names[:15], names[15:29])
    with pytest.raises(IllegalMove, match="Only one cell is left"):
        position.play("pass").play(f"{names[29]} {names[28]}")


BAD_OPTIONS = {
    "-rings=2": ("*star", {"rings": "2"}, "-rings takes a whole number from 3 to 10: -rings=10"),
    "-rings=11": ("stary", {"rings": "11"}, "-rings takes a whole number from 3 to 10"),
    "-handicap=11": ("*star", {"handicap": "11"}, r"-handicap takes a whole number from 1 to 10\."),
    "-handicap=0": ("*star", {"handicap": "0"}, "-handicap takes a whole number from 1 to 10"),
    "-points=2.5": ("*star", {"points": "2.5"}, r"-points takes a whole number from -99 to 99\."),
    "points 2.5": ("*star", {"points": 2.5}, "-points takes a whole number"),
    "-points=100": ("*star", {"points": "100"}, "-points takes a whole number"),
    "-points": ("*star", {"points": ""}, "-points takes a whole number"),
    "points true": ("*star", {"points": True}, "-points takes a whole number"),
    "-points=1 in other digits": ("*star", {"points": "\u0661"}, "-points takes a whole number"),
    "-double=2": ("*star", {"double": "2"}, "-double takes no value"),
    "-double -maxi": (
        "*star",
        {"double": "", "maxi": ""},
        r"\*Star has no option -maxi; .* -double",
    ),
    "-nobridge in Star Y": ("stary", {"nobridge": ""}, "Star Y has no option -nobridge"),
    "-rings in Star": ("star", {"rings": "4"}, "Star has no option -rings"),
    "-size=15": ("star", {"size": "15"}, "-size takes a whole number from 3 to 14"),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_bad_options(case: str) -> None:
    word, options, sentence = BAD_OPTIONS[case]
    with pytest.raises(BadOption, match=sentence):
        games.make(word, options)


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
