"""The engine against the rules: its count of full boards, its proofs, its tree compiled or not."""

from __future__ import annotations

import ctypes
import json
import random
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

import pytest
from games.boards_of import PLACED, random_board, sizes
from harness.positions import game_of

from pbmstar import games
from pbmstar.bots.engine import jit, kernel, think
from pbmstar.bots.engine import search as engine
from pbmstar.bots.engine.arrays import tables
from pbmstar.bots.engine.search import Root, search
from pbmstar.bots.engine.think import CODES
from pbmstar.games.base import PLAYERS, Player, other
from pbmstar.games.hexagon.hex import Hex
from pbmstar.games.placement import Placement

SMALL = [game_of(text) for text in (
    "star -size=3", "star -size=3 -maxi", "*star -rings=3", "*star -rings=3 -nobridge -points=-3",
    "stary -rings=3", "hex -size=4", "y -size=5", "polyy -rings=3",
)]  # fmt: skip


def judged_alike(game: Placement, boards: int, seed: int) -> None:
    """The engine's margin, and who wins, are the rules' own on random full boards."""
    rng = random.Random(seed)
    for _ in range(boards):
        stones = random_board(rng, game)
        score = game.score(stones)
        board = engine.stones(stones.translate(CODES))
        found = kernel.judge(tables(game), board, engine.room(tables(game), 1))
        assert score.winner == ("X" if found > 0 else "O" if found < 0 else None)
        if game.has_points or game.word == "polyy":
            assert (found + 1) >> 2 == score.points[0] - score.points[1]


@pytest.mark.parametrize("game", PLACED, ids=lambda game: f"{game.word} {game.described()}")
def test_full_boards_are_judged_as_the_rules_do(game: Placement) -> None:
    judged_alike(game, 12, 1)


@pytest.mark.slow
def test_full_boards_of_every_game_and_size_are_judged_as_the_rules_do() -> None:
    for game in (*PLACED, *sizes()):
        if isinstance(game, Placement):
            judged_alike(game, 100, 2)
            if game.word == "star":
                judged_alike(games.make("star", {**game.values, "maxi": True}), 100, 3)  # type: ignore[arg-type]


@cache
def wins(game: Placement, stones: bytes, mover: Player) -> Player | None:
    """Who wins with best play, by trying everything."""
    if b"." not in stones:
        return game.score(stones).winner
    for cell, stone in enumerate(stones):
        if stone == ord("."):
            after = stones[:cell] + mover.lower().encode() + stones[cell + 1 :]
            if wins(game, after, other(mover)) == mover:
                return mover
    return other(mover)


def proved_right(game: Placement, boards: int, empties: int, seed: int) -> None:
    """A long search of a nearly full board proves it, and the best move, as trying everything does."""
    rng = random.Random(seed)
    for _ in range(boards):
        stones = bytearray(random_board(rng, game))
        for cell in rng.sample(range(len(stones)), empties):
            stones[cell] = ord(".")
        mover = rng.choice(PLAYERS)
        root = Root(bytes(stones).translate(CODES), mover)
        found = search(tables(game), root, 20_000, rng.randrange(99))
        assert found.proof == wins(game, bytes(stones), mover)
        for choice in found.choices:
            if choice.proof:
                stones[choice.cell] = ord(mover.lower())
                assert choice.proof == wins(game, bytes(stones), other(mover))
                stones[choice.cell] = ord(".")


@pytest.mark.parametrize("game", SMALL, ids=lambda game: f"{game.word} {game.described()}")
def test_proofs_are_what_trying_everything_finds(game: Placement) -> None:
    proved_right(game, 4, 5, 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL, ids=lambda game: f"{game.word} {game.described()}")
def test_many_proofs_are_what_trying_everything_finds(game: Placement) -> None:
    proved_right(game, 45, 7, 2)


@pytest.mark.slow
def test_the_tree_is_bounded_and_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.make("star", {"size": 4})
    monkeypatch.setattr(engine, "NODES", 500)
    found = search(tables(game), Root(bytes(27), "X"), 4000, 1)
    assert found.playouts == 4000
    assert engine.nodes(tables(game), 10**9)[0] == 500


def test_memory_has_a_limit() -> None:
    """Five sequences of 32-bit numbers and two of 16-bit ones, whatever is asked for."""
    largest = tables(games.make("star", {"size": 14}))
    assert engine.nodes(largest, 10**9)[0] * 24 < 200 * 2**20


@pytest.mark.parametrize(
    ("word", "size", "x", "o", "saved"),
    [
        ("hex", 5, "C3 D1", "D2", "C2"),  # a bridge between two stones
        ("hex", 5, "C2", "C1", "D1"),  # to the side that X wants
        ("hex", 5, "B3", "A3", ""),  # to one that only O wants: nothing is worth saving
        ("star", 4, "C4 B3", "B4", "C3"),
        ("hex", 7, "D3", "D2", "E2"),  # a ladder in the second row
        ("hex", 7, "D4", "D3", "E3"),  # in the third
        ("hex", 7, "D5", "D6", "C6"),  # to the opposite side
        ("hex", 7, "D3", "E1 D2", ""),  # the opponent is there already
        ("hex", 9, "D5", "D4", ""),  # too far from the side
        ("hex", 7, "C4", "B4", ""),  # along one that only O wants
        ("miserehex", 7, "D3", "D2", ""),  # where joining the sides loses
        ("star", 6, "G3", "G2", ""),  # where cells of the edge count, nothing is gained by it
    ],
)
def test_links_and_ladders_are_answered_in_playouts(
    word: str, size: int, x: str, o: str, saved: str
) -> None:
    game = games.make(word, {"size": size})
    t = tables(game)
    position = game.setup(x.split(), o.split())
    room = engine.room(t, 1)
    board = position.stones.translate(CODES)
    *_, taken = o.split()
    empty = [cell for cell in range(t.size) if not board[cell]]
    for place, cell in enumerate(empty):
        room.empty[place], room.at[cell] = cell, place
    answers_ = set()
    for _ in range(1200):  # playouts take any cell if there is nothing to save
        room.filled[:] = engine.stones((*board, 0))
        kernel.fill(t, room, len(empty), 1, 1, game.grid.index[taken])
        answers_.add(game.grid.names[room.empty[len(empty) - 1]])  # the cell that was taken first
    assert answers_ == ({saved} if saved else {game.grid.names[cell] for cell in empty})


def worths(game: Placement, board: bytes, mover: int, last: int) -> list[int]:
    """How likely the moves of a player are; 0 for a cell that is taken."""
    t = tables(game)
    room = engine.room(t, 1)
    kernel.weigh(t, room, engine.stones(board), mover, last)
    return [0 if stone else int(worth) for stone, worth in zip(board, room.worth, strict=False)]


@pytest.mark.parametrize(
    ("word", "x", "o", "saved"), [("hex", "C3 D1", "D2", "C2"), ("hex", "C2", "C1", "D1")]
)
def test_the_answer_that_saves_a_link_is_learned_to_be_the_likeliest(
    word: str, x: str, o: str, saved: str
) -> None:
    game = games.make(word, {"size": 5})
    assert isinstance(game, Placement)
    board = game.setup(x.split(), o.split()).stones.translate(CODES)
    found = worths(game, board, 1, game.grid.index[o])
    assert found.index(max(found)) == game.grid.index[saved]


@pytest.mark.parametrize("text", ["star -size=4", "y -size=6", "*star -rings=4", "polyy -rings=3"])
def test_what_was_learned_holds_for_both_colours(text: str) -> None:
    """Where both players want the same."""
    game, rng = game_of(text), random.Random(1)
    assert isinstance(game, Placement)
    board = bytes(rng.randrange(3) for _ in game.grid.names)
    exchanged = board.translate(bytes.maketrans(bytes((1, 2)), bytes((2, 1))))
    last = board.index(2)
    assert worths(game, board, 1, last) == worths(game, exchanged, 2, last)
    assert len(set(worths(game, board, 1, last))) > 5


PROGRAM = """
import ctypes, json, sys
if sys.argv[1] == "interpreted":
    sys.modules["numba"] = None
if sys.argv[1] == "forbidden":  # PR_SET_MDWE, as MemoryDenyWriteExecute of systemd
    ctypes.CDLL(None).prctl(65, 1, 0, 0, 0)
from pbmstar.bots.engine import jit, think
assert jit.COMPILED == (sys.argv[1] == "compiled")
print(json.dumps([think.answer(request) for request in json.loads(sys.argv[2])]))
"""


def answers(requests: list[dict[str, Any]], how: str) -> list[dict[str, Any]]:
    """What a process of its own answers, compiled, interpreted, or forbidden to run what it compiled."""
    asked = [sys.executable, "-c", PROGRAM, how, json.dumps(requests)]
    done = subprocess.run(asked, capture_output=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_where_compiled_code_may_not_run_it_is_interpreted() -> None:
    if ctypes.CDLL(None).prctl(66, 0, 0, 0, 0) < 0:
        pytest.skip("this kernel cannot forbid it")
    game = SMALL[0]
    request = {"game": "star", "options": games.dump(game), "moves": ["B2"], "level": 1, "seed": 1}
    assert not jit.COMPILED, "here nothing is"
    assert answers([request], "forbidden") == [think.answer(request)]


@pytest.mark.slow
def test_compiled_and_interpreted_grow_the_same_tree() -> None:
    """The same answers to the last digit of every share, from positions of every game."""
    requests = []
    for number, game in enumerate(PLACED):
        rng = random.Random(number)
        position, moves = game.start(), []
        for _ in range(rng.randrange(2, 9)):
            moves.append(rng.choice([m for m in position.moves() if m not in ("pass", "swap")]))
            position = position.play(moves[-1])
        requests.append(
            {"game": game.word, "options": games.dump(game), "moves": moves, "playouts": 120,
             "errors": 0.3, "seed": number}
        )  # fmt: skip
    assert answers(requests, "compiled") == answers(requests, "interpreted")


@pytest.mark.slow
def test_the_smallest_star_is_solved() -> None:
    """The first player wins with nine of the twelve first moves."""
    game = SMALL[0]
    request = {"game": "star", "options": games.dump(game), "playouts": 600_000, "seed": 1}
    requests = [{**request, "moves": [name]} for name in game.grid.names]
    proofs = [found["proved"] for found in answers(requests, "compiled")]
    assert (proofs.count("X"), proofs.count("O")) == (9, 3)


class Sideways(Hex):
    """A new game: Hex in which X joins left and right. Nothing of the engine knows its name."""

    word = "sideways"
    aims: ClassVar[Mapping[Player, tuple[tuple[int, ...], ...]]] = {"X": ((2, 3),), "O": ((0, 1),)}


@pytest.mark.parametrize(
    ("moves", "wins"),
    [(["A3", "B1", "B3", "B5", "D3", "D1", "E3", "D5"], "C3"),  # X joins left and right
     (["B2", "C1", "D2", "C2", "B4", "C4", "D4", "C5", "A1"], "C3")],  # O top and bottom
)  # fmt: skip
def test_a_new_game_has_bots_by_its_counting_alone(
    moves: list[str], wins: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(games.BY_WORD, "sideways", Sideways)
    for level in (5, 6):
        request = {"game": "sideways", "options": '{"size": 5}', "moves": moves, "seed": 1}
        assert think.answer({**request, "level": level})["move"] == wins


def test_an_estimate_is_of_the_later_half_of_the_playouts() -> None:
    """The first ones try all moves. So a lead that is found early counts for more in the end."""
    game = games.make("hex", {"size": 4})
    assert isinstance(game, Placement)
    t, root = tables(game), Root(bytes(16), "X")
    later = every = 0.0
    for seed in range(20):
        tree, half = engine.grown(t, root, 80, seed)
        found = search(t, root, 80, seed)
        assert found.playouts == tree.played[0] == 80 and half[1] == 40
        assert found.x == (tree.won[0] - half[2]) / 40
        later += found.x / 20
        every += tree.won[0] / 80 / 20
    assert later > every > 0.5  # the first player wins
