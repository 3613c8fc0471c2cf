"""The fold of ended games: what is rated, and what each player has after it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import combinations, pairwise
from math import exp
from random import Random
from statistics import correlation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.ratings import fold as folding
from pbmstar.ratings.fold import CEILING, NEW, PAIR, Ended, Fold, Tally

DAY = 86_400.0
PLAYERS = ("alice", "bob", "carol", "dan")


def ended(
    board: int, at: float, first: str, second: str, score: float = 1.0, barred: str = ""
) -> Ended:
    return Ended(board, "star", 0, 0.0, at, first, second, score, "played", barred)


pairs = st.permutations(PLAYERS).map(lambda each: (each[0], each[1]))
played = st.lists(
    st.tuples(pairs, st.sampled_from((0.0, 0.5, 1.0)), st.floats(0, 20 * DAY), st.booleans()),
    max_size=40,
)


@given(played)
def test_what_is_not_rated_changes_nothing(
    games: list[tuple[tuple[str, str], float, float, bool]],
) -> None:
    """A fold with barred games among them is that of the others."""
    every, others, at = Fold(), Fold(), 0.0
    for board, ((first, second), score, wait, is_barred) in enumerate(games):
        at += wait
        game = ended(board, at, first, second, score, "terms" if is_barred else "")
        folded = every.add(game)
        if is_barred:
            assert (folded.why, folded.steps) == ("terms", ())
        else:
            assert folded == others.add(game)


@given(played)
def test_a_pair_has_four_rated_games_in_thirty_days(
    games: list[tuple[tuple[str, str], float, float, bool]],
) -> None:
    fold, at, rated = Fold(), 0.0, []
    for board, ((first, second), score, wait, _) in enumerate(games):
        at += wait / 8
        folded = fold.add(ended(board, at, first, second, score))
        pair = {first, second}
        recent = [end for end, other in rated if other == pair and at - end <= 30 * DAY]
        assert (folded.why == PAIR) == (len(recent) >= 4)
        if not folded.why:
            rated.append((at, pair))


@given(played)
def test_the_steps_of_a_player_add_up(
    games: list[tuple[tuple[str, str], float, float, bool]],
) -> None:
    fold, at, last = Fold(), 0.0, {}
    for board, ((first, second), score, wait, _) in enumerate(games):
        at += wait
        for step in fold.add(ended(board, at, first, second, score)).steps:
            before, after = last.get(step.userid, NEW), step.tally
            assert step.before == before.rating
            assert after.games == before.games + 1 == after.won + after.lost + after.tied
            assert before.opponents <= after.opponents <= 3
            last[step.userid] = after


def test_a_bot_stays_as_it_is() -> None:
    game = Ended(1, "star", 1, 1164.0, DAY, "alice", "bot3", 1.0, "played", "")
    (step,) = Fold().add(game).steps
    assert (step.userid, step.opponent) == ("alice", "bot3")
    assert step.tally.rating > step.before


def tallies(games: Iterable[Ended]) -> dict[str, Tally]:
    """The tallies after games, by userid."""
    fold = Fold()
    return {each.userid: each.tally for game in games for each in fold.add(game).steps}


Wins = list[tuple[str, str]]  # the winner and the loser of each game


def layers(*sizes: int) -> Wins:
    """Each account beats those of the layer below it four times, and the buyer those of the last one."""
    made = [[f"a{layer}.{n}" for n in range(size)] for layer, size in enumerate(sizes)] + [
        ["buyer"]
    ]
    return [
        (winner, loser)
        for below, above in pairwise(made)
        for winner in above
        for loser in below
        for _ in range(4)
    ]


def everybody(count: int) -> Wins:
    """Each account beats all that come after it, month after month, and the buyer beats them all."""
    names = ["buyer", *(f"a{n}" for n in range(count))]
    return [pair for _ in range(12) for pair in combinations(names, 2)]


def known(count: int) -> Wins:
    """The buyer has beaten and lost to real players before, and loses to some of the accounts."""
    friends = [("buyer", f"friend{n}") for n in range(25)]
    lost = [(f"friend{n}", "buyer") for n in range(25)]
    given = [(f"a0.{n}", "buyer") for n in range(5)]
    return [*friends, *lost, *given, *layers(count // 2, count // 2)]


@pytest.mark.parametrize(
    "wins",
    [
        layers(10),
        layers(30),
        layers(20, 10),
        layers(15, 10, 5),
        layers(*[3] * 10),
        layers(*[1] * 30),
        everybody(30),
        known(30),
    ],
    ids=["ten", "thirty", "two", "three", "thin", "chain", "everybody", "known"],
)
@pytest.mark.slow
def test_thirty_fresh_accounts_make_at_most_1700(wins: Wins) -> None:
    """In whatever order they lose; without the rule each of these makes more."""
    games = [ended(n, n * DAY / 4, *pair) for n, pair in enumerate(wins, 1)]
    assert tallies(games)["buyer"].rating <= CEILING == 1700
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "PROOF", 0)
        assert tallies(games)["buyer"].rating > CEILING


def season(seed: int) -> tuple[dict[str, float], list[Ended]]:
    """How strong 200 new players are, and their games of 120 days, mostly with others as strong."""
    random = Random(seed)
    strong = {f"p{n}": random.gauss(1500, 250) for n in range(200)}
    games = []
    for board in range(1, 3001):
        one = random.choice([*strong])
        seen = random.sample([each for each in strong if each != one], 6)
        other = min(seen, key=lambda who: abs(strong[who] - strong[one]) + random.gauss(0, 150))
        chance = 1 / (1 + exp((strong[other] - strong[one]) / 173.7178))
        score = float(random.random() < chance)
        games.append(ended(board, board * 120 * DAY / 3000, one, other, score))
    return strong, games


def ranks(ratings: dict[str, float]) -> list[float]:
    """The rank of each player, by userid; equal ones have the mean of their ranks."""
    order = sorted(ratings.values())
    return [
        (bisect_left(order, ratings[who]) + bisect_right(order, ratings[who])) / 2
        for who in sorted(ratings)
    ]


@pytest.mark.slow
def test_an_honest_season_comes_out_as_without_the_limit() -> None:
    """The order of 200 players: Spearman's rank correlation is 0.998 to 0.999, with six seeds."""
    _, games = season(31)
    limited = {who: each.rating for who, each in tallies(games).items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "PROOF", 0)
        free = {who: each.rating for who, each in tallies(games).items()}
    assert max(free.values()) > CEILING + 100 and max(limited.values()) > CEILING + 50
    assert correlation(ranks(free), ranks(limited)) > 0.99


def test_practice_begins_with_the_weakest_bot() -> None:
    (step,) = Fold().add(Ended(1, "star", 1, 800.0, DAY, "alice", "bot1", 1.0, "played", "")).steps
    assert (step.before, round(step.tally.rating)) == (800.0, 918)
