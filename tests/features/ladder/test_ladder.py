"""The pure rules of ladders: the order is a fold over what happened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.errors import Refusal
from pbmstar.features.ladder.rules import (
    JOIN,
    LEAVE,
    OFF,
    WIN,
    Challenges,
    Ladder,
    LadderStep,
    fold,
    require_challenge,
)

DAY = 86400.0
PEOPLE = [f"p{number}" for number in range(15)]
STEPS = st.lists(
    st.builds(
        LadderStep,
        st.floats(0, 400 * DAY),
        st.sampled_from([JOIN, JOIN, LEAVE, OFF, WIN, WIN, WIN]),
        st.sampled_from(PEOPLE),
        st.sampled_from(PEOPLE),
    ).filter(lambda step: step.userid != step.other),
    max_size=60,
).map(sorted)


@given(STEPS)
def test_everybody_has_one_place(steps: list[LadderStep]) -> None:
    order = fold(steps).order
    assert len(set(order)) == len(order)


@given(STEPS, st.sampled_from(PEOPLE), st.sampled_from(PEOPLE))
def test_the_winner_takes_the_place_and_the_others_move_down_one(
    steps: list[LadderStep], winner: str, loser: str
) -> None:
    before = fold(steps)
    after = before.after(LadderStep(500 * DAY, WIN, winner, loser))
    if not 0 < before.place(loser) < before.place(winner):
        assert after == before
        return
    assert after.place(winner) == before.place(loser)
    rest = [userid for userid in before.order if userid != winner]
    assert [userid for userid in after.order if userid != winner] == rest


def test_the_fourth_beats_the_second() -> None:
    before = Ladder(("a", "b", "c", "d", "e"))
    assert before.after(LadderStep(1.0, WIN, "d", "b")).order == ("a", "d", "b", "c", "e")
    assert before.after(LadderStep(1.0, WIN, "b", "d")) == before


@given(STEPS, st.sampled_from(PEOPLE))
def test_who_comes_in_stands_at_the_bottom(steps: list[LadderStep], userid: str) -> None:
    before = fold(steps)
    after = before.after(LadderStep(1000 * DAY, JOIN, userid))
    assert after.place(userid) == (before.place(userid) or len(before.order) + 1)


@given(st.integers(1, 15), st.floats(1, 300 * DAY))
def test_who_was_taken_off_comes_back_five_places_lower_within_180_days(
    place: int, later: float
) -> None:
    ladder = fold([LadderStep(0.0, JOIN, userid) for userid in PEOPLE])
    back = ladder.after(LadderStep(1.0, OFF, PEOPLE[place - 1])).after(
        LadderStep(1.0 + later, JOIN, PEOPLE[place - 1])
    )
    expected = min(15, place + 5) if later <= 180 * DAY else 15
    assert back.place(PEOPLE[place - 1]) == expected


@given(st.integers(1, 15))
def test_one_may_challenge_three_above_and_in_the_first_ten_two(place: int) -> None:
    ladder = Ladder(tuple(PEOPLE))
    above = ladder.above(PEOPLE[place - 1])
    reach = min(place - 1, 2 if place <= 10 else 3)
    assert above == tuple(PEOPLE[place - 1 - step] for step in range(1, reach + 1))


@pytest.mark.parametrize(
    ("challenger", "challenged", "running", "code"),
    [
        ("zoe", "p0", Challenges(), "not-on-ladder"),
        ("p4", "p1", Challenges(), "out-of-reach"),
        ("p0", "p1", Challenges(), "out-of-reach"),
        ("p4", "p3", Challenges((), {"p3": "resting"}), "resting"),
        ("p4", "p3", Challenges((("p4", "p3"),)), "challenged-already"),
        ("p4", "p3", Challenges((("p4", "p2"), ("p4", "p1"))), "too-many-challenges"),
        ("p4", "p3", Challenges((("p5", "p3"), ("p6", "p3"))), "too-many-challenges"),
    ],
)
def test_a_challenge_is_refused(
    challenger: str, challenged: str, running: Challenges, code: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        require_challenge(Ladder(tuple(PEOPLE)), challenger, challenged, running)
    assert refusal.value.code == code
