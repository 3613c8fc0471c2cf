"""Glicko-2: the example of its author, and what holds for all games."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.ratings.rating import LEAST_DEVIATION, MOST_DEVIATION, Rating

ratings = st.builds(
    Rating,
    st.floats(0, 3000),
    st.floats(LEAST_DEVIATION, MOST_DEVIATION),
    st.floats(0.03, 0.12),
)
scores = st.sampled_from((0.0, 0.5, 1.0))
spans = st.floats(0, 2000 * 86_400)


def test_the_example_of_glickman() -> None:
    """ "Example of the Glicko-2 system": three games in one period, which is 14 days."""
    rivals = ((Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0))
    after = Rating(1500, 200).after(14 * 86_400).played(rivals)
    assert round(after.rating, 2) == 1464.05
    assert round(after.deviation, 2) == 151.52
    assert round(after.volatility, 6) == 0.059996


@given(ratings, ratings, scores)
def test_a_deviation_stays_within_its_ends(own: Rating, rival: Rating, score: float) -> None:
    after = own.played(((rival, score),))
    assert LEAST_DEVIATION <= after.deviation <= MOST_DEVIATION
    assert 0 < after.volatility < 1


@given(ratings, ratings)
def test_the_winner_loses_nothing_and_the_loser_gains_nothing(own: Rating, rival: Rating) -> None:
    assert own.played(((rival, 1.0),)).rating >= own.rating
    assert own.played(((rival, 0.0),)).rating <= own.rating


@given(ratings, ratings, scores, st.integers(-500, 500))
def test_the_zero_of_the_scale_means_nothing(
    own: Rating, rival: Rating, score: float, shift: int
) -> None:
    """Ratings that are all higher by so much come out higher by so much, as sure as before."""
    moved = Rating(own.rating + shift, *own[1:]).played(
        ((Rating(rival.rating + shift, *rival[1:]), score),)
    )
    plain = own.played(((rival, score),))
    assert isclose(moved.rating, plain.rating + shift, abs_tol=1e-6)
    assert isclose(moved.deviation, plain.deviation, abs_tol=1e-6)
    assert isclose(moved.volatility, plain.volatility, abs_tol=1e-9)


@given(ratings, spans, spans)
def test_time_makes_a_rating_less_sure_and_its_parts_add_up(
    own: Rating, first: float, second: float
) -> None:
    """Fractions of a period count: two waits are as good as one of their length."""
    whole, parts = own.after(first + second), own.after(first).after(second)
    assert whole.rating == own.rating and whole.deviation >= own.deviation * (1 - 1e-12)
    assert isclose(whole.deviation, parts.deviation, rel_tol=1e-9)


@given(ratings, ratings, st.floats(0, 400))
def test_a_better_opponent_is_worth_more(own: Rating, rival: Rating, by: float) -> None:
    better = Rating(rival.rating + by, *rival[1:])
    lesser, greater = (own.played(((each, 1.0),)).rating for each in (rival, better))
    assert greater >= lesser - 1e-9


@pytest.mark.parametrize(
    ("rating", "shown"), [(Rating(1533.6, 60), "1534"), (Rating(1498.2, 110), "1498?")]
)
def test_a_rating_that_is_not_sure_has_a_question_mark(rating: Rating, shown: str) -> None:
    assert str(rating) == shown
