"""Problems: exactly one move decides, by a count of all boards that can follow; the search has an end."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pbmstar import games
from pbmstar.features.problem import rules
from pbmstar.features.problem.rules import FEWEST, Played, Problem, deciding, find, week_of
from pbmstar.games.base import Game, Position

sys.path.insert(0, str(Path(__file__).parents[2] / "games"))
from games import naive

STAR4, STARSTAR3 = games.make("star", {"size": 4}), games.make("*star", {"rings": 3})
SMALL = (STAR4, games.make("star", {"size": 4, "maxi": True}), STARSTAR3)


def played(rng: random.Random, game: Game, board: int = 1) -> Played:
    """A game of players who mostly see what decides, and do not always take it."""
    position, moves = game.start(), list[str]()
    while not position.over:
        if game.bounds(position.stones).decided:
            break
        if position.swappable and rng.random() < 0.3:
            moves.append("swap")
        else:
            moves.append(rng.choice(list(game.turns(position))))
        position = position.play(moves[-1])
    return Played(board, game, moves)


def before(played: Played, problem: Problem) -> Position:
    """The position of a problem."""
    position = played.game.start()
    for move in played.moves[: problem.length]:
        position = position.play(move)
    return position


def naive_winner(game: Game, stones: dict[str, set[str]]) -> str:
    """Who wins a full board, by the slow count."""
    if game.word == "star":
        x, o = (naive.star(game.value("size"), stones[player]) for player in "XO")
        if not game.value("maxi"):
            x, o = [sum(x)], [sum(o)]
        longest = max(len(x), len(o))
        ranks = [each + [0] * (longest - len(each)) for each in (x, o)]
        return "XO"[ranks[1] > ranks[0]] if ranks[0] != ranks[1] else ""
    (x, o), detail = naive.starstar(game.value("rings"), False, stones["X"], stones["O"])
    best = [(x, detail["X"]["quarks"]), (o, detail["O"]["quarks"])]
    return "XO"[best[1] > best[0]]


def by_brute_force(position: Position) -> list[str]:
    """The moves after which the mover wins every board that can follow."""
    game, mover = position.game, position.mover
    names = dict(zip(game.grid.names, position.stones.decode(), strict=True))
    free = [name for name, stone in names.items() if stone == "."]
    stones = {p: {name for name, s in names.items() if s == p.lower()} for p in "XO"}
    wins = dict.fromkeys(free, True)
    for shares in product("XO", repeat=len(free)):
        full = {
            p: stones[p] | {c for c, s in zip(free, shares, strict=True) if s == p} for p in "XO"
        }
        if naive_winner(game, full) != mover:
            wins |= {c: False for c, share in zip(free, shares, strict=True) if share == mover}
    return [move for move in free if wins[move]]


def problems(game: Game, most_free: int) -> Iterator[tuple[Played, Problem]]:
    """Problems of games by chance, with few enough empty cells to look at every end."""
    for seed in range(300):
        each = played(random.Random(seed), game)
        found = find([each])
        if found and found.free <= most_free:
            yield each, found


@pytest.mark.few(1)
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.word + game.described())
def test_each_problem_has_exactly_one_move_that_decides(game: Game) -> None:
    seen = 0
    for each, problem in problems(game, FEWEST + 1):
        position = before(each, problem)
        assert game.bounds(position.stones).decided is None
        assert position.stones.count(b".") == problem.free >= FEWEST
        assert by_brute_force(position) == [problem.move] == deciding(position)
        assert not position.play(problem.move).over
        said = each.moves[problem.length] if problem.length < len(each.moves) else ""
        assert (problem.played, problem.missed) == (said, said != problem.move)
        seen += 1
        if seen == 3:
            return
    raise AssertionError(f"only {seen} problems")


@pytest.mark.slow
def test_the_best_problem_is_one_that_was_missed_with_most_empty_cells() -> None:
    every = [played(random.Random(seed), STARSTAR3, seed) for seed in range(90)]
    found = find(every)
    alone = [problem for each in every if (problem := find([each]))]
    assert found == max(alone) and len(alone) > 3
    assert found is not None and found.missed
    assert all(each.free <= found.free for each in alone if each.missed)
    assert find(reversed(every)) == found, "the order of the games does not matter"


@pytest.mark.slow
def test_games_without_handicap_and_points_come_first() -> None:
    uneven = games.make("*star", {"rings": 3, "handicap": 2})
    given = [played(random.Random(seed), uneven, seed) for seed in range(90)]
    plain = [played(random.Random(seed), STARSTAR3, 100 + seed) for seed in range(90)]
    best = find(given)
    assert best is not None and not best.plain
    worse = [each for game in plain if (each := find([game])) and each[1:] < best[1:]]
    one = next(game for game in plain if game.board == worse[0].board)
    assert find([*given, one]) == worse[0]


def test_a_problem_is_found_where_somebody_resigned_too_early() -> None:
    """The last position counts too, though nothing was played there."""
    for seed in range(300):
        each = played(random.Random(seed), STARSTAR3)
        found = find([each])
        if found and found.length < len(each.moves):
            ended = each._replace(moves=each.moves[: found.length])
            assert find([ended]) == found._replace(missed=True, played="")
            return
    raise AssertionError


def test_games_that_end_with_what_decides_them_give_no_problem() -> None:
    for game in (games.make("polyy", {"rings": 3}), games.make("hex", {"size": 4})):
        assert find(played(random.Random(seed), game) for seed in range(20)) is None


def test_a_corrupt_record_stops_no_search() -> None:
    good = next(each for each, _ in problems(STARSTAR3, 30))
    corrupt = [good._replace(moves=moves) for moves in (["Q9"], ["T10", "T10"], ["pass", "swap"])]
    assert find([*corrupt, good]) == find([good])


@pytest.mark.slow
def test_the_search_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much is counted as was allowed, for any number of games of any size."""
    counted = 0

    def counting(position: Position) -> list[str]:
        nonlocal counted
        counted += position.stones.count(b".") * len(position.game.grid)
        return deciding(position)

    monkeypatch.setattr(rules, "deciding", counting)
    most = 100_000
    for game in (STARSTAR3, games.make("star", {"size": 14}), games.make("*star", {})):
        counted = 0
        each = played(random.Random(1), game)
        find((each for _ in range(100)), most)
        assert counted <= most
        counted = 0
        assert find([each] * 100, work=1) is None
        assert counted == 0


def test_a_week_begins_on_monday() -> None:
    monday = 1_737_936_000.0  # 27 January 2025
    assert week_of(monday) == week_of(monday - 1) + 1 == week_of(monday + 7 * 86400 - 1)
