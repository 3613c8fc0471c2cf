"""Games of Hex and Y as SGF, in the forms of Little Golem and HexWiki, in and out."""

from __future__ import annotations

import pytest

from pbmstar import games
from pbmstar.errors import Refusal
from pbmstar.games import sgf

GOLEM = "(;FF[4]EV[hex.ld.DEFAULT]PB[bennok]PW[Warren Bei]SZ[13]RE[B];W[ac];B[dj];W[ie];B[resign])"


def test_a_game_of_little_golem() -> None:
    """White's moves are those of PB, who is first; two letters are column and row."""
    record = sgf.read(GOLEM)
    assert record.game.described() == "-size=13"
    assert record.moves == ("A3", "D10", "I5")
    assert (record.names, record.event) == (("bennok", "Warren Bei"), "hex.ld.DEFAULT")
    assert (record.ending, record.loser) == ("resign", 1)
    *_, last = record.positions()
    assert last.winner == "X"


def test_a_swap_of_pieces_mirrors_the_cells_after_it() -> None:
    """There the stone moves and changes its color; here the players change sides."""
    text = "(;FF[4]EV[null]PB[Ann]PW[Joe;]]SZ[11]RE[W];W[ad];B[swap];W[eg];B[fb];W[resign])"
    record = sgf.read(text)
    assert record.moves == ("A4", "swap", "G5", "B6")
    assert (record.names, record.event) == (("Ann", "Joe;]"), "")
    *_, last = record.positions()
    assert last.swapped and last.winner == "X"  # the player who swapped has X
    assert ";B[a4];W[swap-pieces];B[e7];W[f2];B[resign]" in sgf.write(record)
    assert "PW[Joe;\\]]RE[W+R]" in sgf.write(record)


def test_a_swap_of_sides_leaves_the_cells() -> None:
    record = sgf.read("(;GM[11]SZ[11];B[a2];W[swap-sides];W[f5];B[g7];W[h1])")
    assert record.moves == ("A2", "swap", "F5", "G7", "H1")
    assert sgf.read(sgf.write(record)).moves == record.moves


def test_a_first_move_of_white_is_from_left_to_right() -> None:
    """The first player joins top and bottom here, so such a game is mirrored, and swaps back."""
    record = sgf.read("(;GM[11]SZ[5]PB[ann]PW[joe]RE[B+R];W[a2];B[c4];W[resign])")
    assert record.moves == ("B1", "D3")
    assert (record.names, record.loser) == (("joe", "ann"), 0)
    assert sgf.read("(;GM[11]SZ[5];W[a2];B[swap-pieces];W[c4])").moves == ("B1", "swap", "C4")


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (("hex", {"size": 3}), ("A1", "C1", "A2", "C2", "A3")),
        (("hex", {"size": 4}), ("B3", "swap", "C1", "A4", "pass", "D2")),
        (("y", {"size": 3}), ("B3", "swap", "C1", "C3", "C2")),
        (("hex", {}), ()),
    ],
)
def test_what_is_written_is_read_again(
    game: tuple[str, dict[str, int]], moves: tuple[str, ...]
) -> None:
    record = sgf.Record(games.make(*game), moves, ("ann", "joe"), date="2026-12-06")
    text = sgf.write(record)
    again = sgf.read(text)
    assert again.moves == moves and again.names == record.names and again.date == record.date
    assert again.game.dumped == record.game.dumped and type(again.game) is type(record.game)
    assert text.isascii() and max(map(len, text.splitlines())) < 200


def test_a_finished_game_names_the_winner() -> None:
    hex3 = games.make("hex", {"size": 3})
    assert "RE[B+]" in sgf.write(sgf.Record(hex3, ("A1", "C1", "A2", "C2", "A3")))
    # After the swap the second player has X, who joins top and bottom.
    assert "RE[W+]" in sgf.write(sgf.Record(hex3, ("A1", "swap", "C1", "A2", "C2", "A3")))


def test_a_game_that_ran_out_of_time() -> None:
    """Little Golem has a winner then, and no last move."""
    record = sgf.read("(;FF[4]EV[hex.ch.1]PB[ann]PW[joe]SZ[13]RE[W];W[ac];B[dj])")
    assert (record.ending, record.loser) == ("forfeit", 0)
    assert "RE[W+T]" in sgf.write(record)


def test_comments_and_variations_are_passed_over() -> None:
    text = "\n(;GM[11] SZ[5]C[a ] and \\] and (;x)];B[a2]C[no (;B\\[b2\\])](;W[b3];B[c1])(;W[e5]))"
    assert sgf.read(text).moves == ("A2", "B3", "C1")


@pytest.mark.parametrize(
    "text",
    [
        "", "(", "()", "(;)", "hello", "(;GM[1]SZ[19];B[dd])", "(;GM[11]SZ[5];B[f9])",
        "(;GM[11]SZ[5];B[a1];B[a2])", "(;GM[11]SZ[5];B[a1];W[a1])", "(;GM[11]SZ[5:7];B[a1])",
        "(;GM[11]SZ[99];B[a1])", "(;GM[11]SZ[5]AB[a1];W[a2])", "(;GM[11]SZ[5];B[a1", "(;B[a1]\\",
        "(;GM[11]SZ[5];B[a1];W[b1];B[swap-pieces])", "(;GM[11]SZ[x];B[a1])", "[" * 50 + "(;]",
    ],
)  # fmt: skip
def test_what_is_no_such_game_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        sgf.read(text)


def test_other_games_have_no_sgf() -> None:
    assert [game.word for game in games.GAMES if sgf.has(game({}))] == ["hex", "y"]
    assert not sgf.has(games.make("y", {"bent": True}))
