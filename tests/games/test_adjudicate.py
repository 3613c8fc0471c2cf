"""The pairing reading: what it reads is right, what it cannot read it leaves, and it costs little."""

from __future__ import annotations

import random

import pytest
from games.boards_of import APART, BOARDS, random_board, stones_of
from harness.positions import game_of

from pbmstar import games
from pbmstar.games import adjudicate
from pbmstar.games.adjudicate import reading
from pbmstar.games.base import PLAYERS, STONE, Game, Player, other

SMALL = [game_of(text) for text in (
    "*star -rings=4", "*star -rings=3 -nobridge", "*star -rings=3 -points=2", "star -size=4",
    "star -size=5", "star -size=4 -maxi", "stary -rings=4", "hex -size=6",
    "y -size=8", "polyy -rings=3",
)]  # fmt: skip


def read(game: Game, stones: bytes) -> adjudicate.Reading | None:
    """The reading of a board."""
    return reading(game, stones, game.bounds(stones))


def emptied(rng: random.Random, game: Game, cells: int) -> bytes:
    """A board with that many empty cells."""
    board = bytearray(random_board(rng, game))
    for cell in rng.sample(range(len(board)), cells):
        board[cell] = ord(".")
    return bytes(board)


# The first published example (tests/vectors/starstar.jsonl) some moves before its end: X needs one
# cell of each pair A to D, O of each pair E to H.
OPEN_EXAMPLE = stones_of(
    "*10 *20 S21 T20 A20 S31 T31 *40 *41 S41 T41 A40 A41 R43",
    "S10 R10 *21 S20 *32 T30 R30 R31 *42 S40 S42 T40 T42 T43 A42 R40 R42",
)


def test_the_published_example_stopped_early() -> None:
    game = games.make("*star", {"rings": 4})
    stones = game.setup(*OPEN_EXAMPLE).stones
    bounds = game.bounds(stones)
    assert not bounds.settled
    assert bounds.of("X") == (5, 18)
    found = reading(game, stones, bounds)
    assert found is not None
    assert (found.points, found.winner) == ((11, 10), "X")
    assert {player: {frozenset(p) for p in pairs} for player, pairs in found.pairs.items()} == {
        "X": {
            frozenset(p) for p in (("T21", "T32"), ("T10", "A10"), ("A30", "A31"), ("*30", "*31"))
        },
        "O": {
            frozenset(p) for p in (("R20", "R21"), ("S30", "*43"), ("A32", "A43"), ("S32", "S43"))
        },
    }


def test_answering_in_the_pairs_keeps_the_score() -> None:
    """Each side answers in its pairs while the other plays at random: the reading comes true."""
    game = games.make("*star", {"rings": 4})
    rng = random.Random(1)
    for defender in PLAYERS * 20:
        position = game.setup(*OPEN_EXAMPLE, to_move=other(defender))
        found = read(game, position.stones)
        assert found is not None
        partner = {a: b for pair in found.pairs[defender] for a, b in (pair, pair[::-1])}
        while not position.over:
            empty = [
                n for n, s in zip(game.grid.names, position.stones, strict=True) if s == ord(".")
            ]
            attack = rng.choice(empty)
            position = position.play(attack)
            if position.over:
                break
            answer = partner.get(attack, "")
            stone = position.stones[game.grid.index[answer]] if answer else 0
            position = position.play(answer if stone == ord(".") else "pass")
        mine = PLAYERS.index(defender)
        assert game.score(position.stones).points[mine] >= found.points[mine]


def best_play(game: Game, stones: bytes, to_move: Player, known: dict[bytes, int]) -> int:
    """X's lead if both play as well as possible to the end."""
    key = stones + to_move.encode()
    if key not in known:
        leads = []
        for cell, stone in enumerate(stones):
            if stone == ord("."):
                board = bytearray(stones)
                board[cell] = STONE[to_move]
                leads.append(best_play(game, bytes(board), other(to_move), known))
        if leads:
            known[key] = max(leads) if to_move == "X" else min(leads)
        else:
            x, o = game.score(stones).points
            known[key] = x - o
    return known[key]


@pytest.mark.few(3)
@pytest.mark.parametrize("game", SMALL, ids=lambda game: f"{game.word} {game.described()}")
def test_a_reading_is_what_best_play_gives(game: Game) -> None:
    rng = random.Random(2)
    found = 0
    for _ in range(3 * BOARDS // 2):
        stones = emptied(rng, game, rng.randint(2, 5))
        told = read(game, stones)
        if not told:
            continue
        found += 1
        known: dict[bytes, int] = {}
        for player in PLAYERS:
            x, o = told.points
            if game.value("maxi") if game.word == "star" else False:
                continue  # there a lead is not all that counts
            assert best_play(game, stones, player, known) == x - o
    assert found > 5 // APART


def test_no_reading_where_none_is_needed_or_none_holds() -> None:
    game = games.make("*star", {"rings": 4})
    settled = game.setup(*OPEN_EXAMPLE).stones.replace(b".", b"x")
    assert read(game, settled) is None
    assert read(game, game.start().stones) is None
    double = games.make("*star", {"rings": 4, "double": True})
    assert read(double, double.setup(*OPEN_EXAMPLE).stones) is None  # two stones break a pair


def test_a_reading_of_a_chain_game() -> None:
    """Star Y: X has two sides, and two ways to the third."""
    game = games.make("stary", {"rings": 4})
    spine = ["@", "*10", "*20", "*30", "*40", "T10", "T20", "T30"]
    rest = [n for n in game.grid.names if n not in {*spine, "T40", "T41"}]
    stones = game.setup(spine, rest).stones
    found = read(game, stones)
    assert found is not None
    assert found.winner == "X"
    assert found.pairs["X"] == (("T40", "T41"),)
    assert not found.pairs["O"]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("word", "options"),
    [("*star", {}), ("star", {"size": 14}), ("star", {"size": 14, "maxi": True})],
)
def test_the_work_is_bounded(
    word: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in boards scored, not in time: no board of the largest sizes takes long."""
    game = games.make(word, options)
    scored = 0
    score = game.score

    def counted(stones: bytes) -> object:
        nonlocal scored
        scored += 1
        return score(stones)

    rng = random.Random(4)
    most = 0
    for _ in range(60):
        stones = emptied(rng, game, rng.randint(1, len(game.grid)))
        bounds = game.bounds(stones)
        with monkeypatch.context() as patched:
            patched.setattr(game, "score", counted)
            scored = 0
            reading(game, stones, bounds)
        if stones.count(b".") > 20 + len(stones) // 5:
            assert scored == 0
        most = max(most, scored)
    assert most <= 300
