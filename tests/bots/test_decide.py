"""What a bot answers: legal moves, swap, pass and resignation at their time, plausible errors."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest
from games.boards_of import PLACED
from harness.positions import game_of
from hypothesis import given
from hypothesis import strategies as st
from readme import CHECKOUT

from pbmstar import games
from pbmstar.bots.engine.levels import LEVELS, NUMBERS, Level, Row, kind
from pbmstar.bots.engine.think import answer, decide
from pbmstar.errors import BadInput, IllegalMove
from pbmstar.games.base import Game, Position


def asked(game: Game, moves: list[str], **how: Any) -> dict[str, Any]:
    request = {"game": game.word, "options": games.dump(game), "moves": moves, "seed": 1}
    return answer({"playouts": 200, **request, **how})


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(
            game,
            marks=() if len(game.grid) < 90 else pytest.mark.slow,
            id=f"{game.word} {game.described()}",
        )
        for game in PLACED
    ],
)
def test_a_bot_plays_every_game_to_its_end(game: Game) -> None:
    """Against itself, and each move is legal; what it believes adds up."""
    position, moves = game.start(), []
    while not position.over:
        found = asked(game, moves, playouts=10, errors=0.2, seed=len(moves))
        assert 0 <= found["estimate"] <= 1
        assert (found["margin"] is None) == (not game.has_points)
        moves.append(found["move"])
        position = position.play(found["move"])
    assert position.ending is not None and position.ending.how != "cancelled"


def test_the_same_request_has_the_same_answer_and_another_seed_may_differ() -> None:
    game = PLACED[0]
    first = asked(game, ["C4"], seed=5)
    assert first == asked(game, ["C4"], seed=5)
    assert first != asked(game, ["C4"], seed=6)


@pytest.mark.parametrize(("stone", "swap"), [("C3", True), ("A1", False)])
def test_it_swaps_if_the_first_stone_is_the_better_side(stone: str, swap: bool) -> None:
    """Hex of size 5: the middle wins, the acute corner loses."""
    hex_ = games.make("hex", {"size": 5})
    assert (asked(hex_, [stone], playouts=1000)["move"] == "swap") == swap


@pytest.mark.few(3)
@pytest.mark.parametrize("number", NUMBERS[:-1])
def test_the_bots_for_beginners_never_take_over_a_first_stone(number: int) -> None:
    """Hex of size 5: whoever has the middle wins, so each other bot takes it."""
    hex_ = games.make("hex", {"size": 5})
    game = {"game": hex_.word, "options": games.dump(hex_), "moves": ["C3"], "seed": 2}
    assert (answer({**game, "level": number})["move"] == "swap") == (number > 3)


@pytest.mark.slow
def test_a_careless_bot1_puts_its_stones_anywhere() -> None:
    """Against one who only goes the straight way from side to side, it loses; otherwise it wins."""
    hex_ = games.make("hex", {"size": 8})
    won = {True: 0, False: 0}
    for careless, game in itertools.product(won, range(6)):
        moves: list[str] = []
        position = hex_.start()
        while not position.over:
            ours = f"D{len(moves) // 2 + 1}"
            if len(moves) % 2:
                how = {"level": 1, "careless": careless, "seed": 100 * game + len(moves)}
                moves.append(asked(hex_, moves, **how)["move"])
            else:
                free = [move for move in position.moves() if move not in ("swap", "resign")]
                moves.append(ours if ours in free else free[0])
            position = position.play(moves[-1])
        won[careless] += position.winner == "X"
    assert won[True] > won[False]


def test_the_bot_of_the_first_game_does_not_swap() -> None:
    assert not any(ladder[1].swaps for ladder in LEVELS.values())


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_its_own_first_stone_is_about_fair(seed: int) -> None:
    """So that a swap gains little: neither the best stone nor the worst."""
    game = games.make("star", {"size": 4})
    found = asked(game, [], playouts=1000, seed=seed)
    after = asked(game, [found["move"]], playouts=2000, seed=7)
    assert 0.35 < after["estimate"] < 0.65


STARSTAR = games.make("*star", {"rings": 3})


def boards(seed: int, empties: int) -> Position:
    """A random position of *Star with so many empty cells."""
    rng = random.Random(seed)
    names = list(STARSTAR.grid.names)
    rng.shuffle(names)
    half = (len(names) - empties) // 2
    return STARSTAR.setup(names[:half], names[half : 2 * half])


def test_it_passes_when_the_score_is_settled_and_never_before() -> None:
    passed = 0
    for seed in range(60):
        position = boards(seed, 4)
        move, found = decide(position, -1, Level(40, 0.0), seed)
        settled = STARSTAR.bounds(position.stones).settled
        assert (move == "pass") == settled
        if settled:
            passed += 1
            assert found.proof == STARSTAR.bounds(position.stones).decided
    assert passed


def test_it_resigns_what_is_lost_and_plays_on_for_points_when_it_has_won() -> None:
    """Whoever is to move: X always is, here."""
    seen = {"X": 0, "O": 0}
    for seed in range(120):
        position = boards(seed, 6)
        bounds = STARSTAR.bounds(position.stones)
        if not bounds.decided or bounds.settled:
            continue
        seen[bounds.decided] += 1
        move, found = decide(position, -1, Level(400, 0.0), seed)
        assert found.proof == bounds.decided
        assert (move == "resign") == (bounds.decided == "O")
    assert all(seen.values())


@pytest.mark.slow
def test_errors_are_drawn_as_often_as_asked_and_look_plausible() -> None:
    """Never the best, and none that seems more than half as bad as the worst."""
    game = games.make("star", {"size": 4})
    start = game.start().play("C4").play("swap")
    erred = 0
    for seed in range(40):
        move, found = decide(start, -1, Level(120, 0.5), seed)
        value = {game.grid.names[choice.cell]: choice.value for choice in found.choices}
        if move != game.grid.names[found.choices[0].cell]:
            erred += 1
            assert value[move] >= (max(value.values()) + min(value.values())) / 2
    assert 10 < erred < 30


@pytest.mark.parametrize("ladder", LEVELS.values(), ids=LEVELS)
def test_levels_grow_in_strength(ladder: dict[int, Row]) -> None:
    playouts = [each.playouts for each in ladder.values()]
    assert list(ladder) == list(NUMBERS)
    assert playouts == sorted(playouts) and playouts[-1] == 10 * playouts[-2]
    for errors in zip(*(each.errors for each in ladder.values()), strict=True):
        assert list(errors) == sorted(errors, reverse=True)
    # Interpreted there are 2,100 playouts a second on 275 cells: so these answer within 2 s.
    assert all(ladder[number].on(275).playouts < 2000 for number in (1, 2, 3, 4))


@given(
    st.sampled_from([each for ladder in LEVELS.values() for each in ladder.values()]),
    st.integers(3, 600),
    st.integers(3, 600),
)
def test_a_level_on_a_board_lies_between_those_that_were_measured(
    each: Row, a: int, b: int
) -> None:
    """It goes from one to the other as boards grow, and beyond them it is the nearer one."""
    small, large = each.on(min(a, b)), each.on(max(a, b))
    assert small.playouts <= large.playouts
    on_small, on_large = each.errors
    shares = [on_small, small.errors, large.errors, on_large]
    assert sorted(shares, reverse=on_large < on_small) == pytest.approx(shares)
    for cells, errors in (
        (3, on_small),
        (600, on_large),
        *zip(each.cells, each.errors, strict=True),
    ):
        assert each.on(cells).errors == pytest.approx(errors)


def _shares(each: Row) -> str:
    small, large = (f"{100 * share:.0f}" for share in each.errors)
    return f"{small}%" if small == large else f"{small}-{large}%"


def test_the_table_of_strengths_is_of_these_levels() -> None:
    """Measured again if a level changes: ``python tests/bench/bots.py levels --write``."""
    table = (CHECKOUT / "docs" / "levels.txt").read_text()
    assert all(len(line) <= 72 for line in table.splitlines())
    parts = table.split("\n\n")[1:]
    boards = [board for part in parts for board in re.split(r" {2,}", part.splitlines()[0])[2:]]
    assert len(boards) == len(set(boards)) == 2 * len(parts) == 8
    for part in parts:
        head, *rows = part.splitlines()
        (ladder,) = {kind(game_of(board)) for board in re.split(r" {2,}", head)[2:]}
        assert [row[:21].split() for row in rows] == [
            [f"bot{number}", f"{each.playouts:,}", _shares(each)]
            for number, each in LEVELS[ladder].items()
        ]


def test_what_it_cannot_answer_is_refused() -> None:
    puzzle = games.make("queens", {})
    with pytest.raises(BadInput):
        asked(puzzle, [])
    with pytest.raises(IllegalMove):
        asked(STARSTAR, ["T10", "resign"])
