"""What players write: the spellings that are read, and a sentence of its own for each that is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.tables import rows

from pbmstar import games
from pbmstar.errors import InvalidMove, UnknownGame
from pbmstar.games.base import Game
from pbmstar.games.spelling import plural

SPELLINGS = Path(__file__).parent / "spellings.txt"
STARSTAR, DOUBLE = games.make("*star", {}), games.make("*star", {"double": True})
STARY, NO_BRIDGE = games.make("stary", {}), games.make("*star", {"nobridge": ""})


@pytest.mark.parametrize(
    ("name", "read_by"),
    [(name, (STARSTAR, STARY)) for name in ("*30", "S42", "A00", "*00")]
    + [("@", (NO_BRIDGE, STARY)), ("S42 T40", (DOUBLE,))],
)
def test_spellings_of_cells(name: str, read_by: tuple[Game, ...]) -> None:
    for (spelling,) in rows(SPELLINGS, name):
        for game in read_by:
            assert game.read(spelling.split()) == name, spelling


def test_the_star_is_no_cell_if_it_is_a_bridge() -> None:
    for (spelling,) in rows(SPELLINGS, "@"):
        with pytest.raises(InvalidMove) as error:
            STARSTAR.read([spelling])
        assert error.value.code == "bridge", spelling


def test_words_that_are_no_cells() -> None:
    for (word,) in rows(SPELLINGS, "pass, swap and resign"):
        for game in games.GAMES:
            assert game({}).read([word]) == (word.lower() if word.isalpha() else "pass"), word


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


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 moves"), (1, "1 move"), (2, "2 moves"), (-1, "-1 moves")]
)
def test_a_count_agrees_with_its_noun(count: int, told: str) -> None:
    assert plural(count, "move") == told


def test_a_plural_may_need_more_than_an_s() -> None:
    assert (plural(1, "peri", "peries"), plural(2, "peri", "peries")) == ("1 peri", "2 peries")
