"""The board as a reader wishes it: each way tells all stones, and the words can be read back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from harness.positions import match_of

from pbmstar.games import GAMES
from pbmstar.games.base import STONE
from pbmstar.games.grids import EMPTY
from pbmstar.render.board.view import Telling, view_of
from pbmstar.render.text import drawn

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.word)


@each_game
def test_words_tell_the_same_stones(game: Any) -> None:
    """Each stone once, in a chain of its own player; the empty edge, and what is around the last."""
    for moves in (0, 7, 60):
        match = match_of(game.word, {}, moves)
        text = drawn(view_of(match, Telling(match.seats[0])), "words")
        assert all(len(line) <= 72 and line.isascii() for line in text.split("\n"))
        whole = re.sub(r"\n  ", " ", text)
        board = bytearray(match.game.grid.empty)
        for player, stones in re.findall(r"(?m)^([XO]): \d+ stones?\.(.*)$", whole):
            for title, cells in re.findall(r"(Chain of \d+|Single)[a-z ]*: ([^.]*)\.", stones):
                names = cells.split()
                assert title == ("Single" if len(names) == 1 else f"Chain of {len(names)}")
                for name in names:
                    assert board[match.game.grid.index[name]] == EMPTY
                    board[match.game.grid.index[name]] = STONE[player]
        assert bytes(board) == match.position.stones


@each_game
def test_signs_of_unicode_stand_where_the_letters_do(game: Any) -> None:
    match = match_of(game.word, {}, 9)
    view = view_of(match)
    signs = drawn(view, "unicode")
    letters = signs.translate(str.maketrans("\u25cf\u25cb\u00b7", "xo."))
    assert re.sub(r"[][ ]", "", letters).split() == view.drawing.replace(" ", "").split()
    if any(stone.last for stone in view.stones):
        assert re.search("\\[[\u25cf\u25cb]|[\u25cf\u25cb]\\]", signs)
    assert drawn(view, "none") == "" and drawn(view, "ascii") == view.drawing


def test_a_word_picture() -> None:
    match = match_of("star", {"size": 3}, 5)
    assert drawn(view_of(match), "words").split("\n") == [
        "X: 3 stones. Chain of 3 at the edge: D1 B2 C2.",
        "O: 2 stones. Chain of 2 at the edge: B3 B4.",
        "Empty cells at the edge: C1 D2 A3 D3 A4 C4.",
        "Last move: X C2, next to X B2, X D1, O B3.",
    ]
