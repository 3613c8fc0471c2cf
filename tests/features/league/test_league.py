"""The pure rules of leagues: pairs, tables, withdrawals, divisions, the calendar."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.features.league.rules import (
    Entering,
    Pair,
    divisions,
    is_lost,
    movement,
    next_begin,
    rounds,
    sizes,
    stage,
    table,
)

DAY = 86400.0
SIZES = st.integers(3, 20)


def players_of(count: int) -> list[str]:
    return [f"p{number}" for number in range(count)]


@given(SIZES)
def test_each_pair_meets_once(count: int) -> None:
    pairs = [frozenset(pair) for each in rounds(players_of(count)) for pair in each]
    assert len(pairs) == count * (count - 1) // 2
    assert set(map(len, pairs)) == {2}
    assert len(set(pairs)) == len(pairs)


@given(SIZES)
def test_nobody_moves_first_more_than_once_more_often_than_second(count: int) -> None:
    pairs = [pair for each in rounds(players_of(count)) for pair in each]
    first, second = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    assert all(abs(first[each] - second[each]) <= 1 for each in players_of(count))


@given(SIZES)
def test_nobody_plays_twice_in_a_round(count: int) -> None:
    for pairs in rounds(players_of(count)):
        playing = [userid for pair in pairs for userid in pair]
        assert len(set(playing)) == len(playing)


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[str], list[Pair]]:
    """A division with games that run, ended, or were lost on time."""
    players = players_of(draw(st.integers(3, 9)))
    pairs = [Pair(*pair) for each in rounds(players) for pair in each]
    ends = st.sampled_from([None, "", "first", "second"])
    played = []
    for pair in pairs:
        end = draw(ends)
        winner = getattr(pair, end) if end else end
        played.append(pair._replace(winner=winner, late=bool(winner) and draw(st.booleans())))
    return players, played


@given(seasons())
def test_points_of_a_table_add_up_to_its_games(season: tuple[list[str], list[Pair]]) -> None:
    players, pairs = season
    lines = table(players, pairs)
    counted = sum(pair.outcome() is not None for pair in pairs)
    assert sum(line.points for line in lines) == counted
    assert sum(line.played for line in lines) == 2 * counted
    assert all(line.played == line.won + line.tied + line.lost for line in lines)
    assert sorted(line.userid for line in lines) == players


@given(seasons(), st.randoms(use_true_random=False))
def test_a_table_does_not_depend_on_the_order_of_its_games(season, random) -> None:  # type: ignore[no-untyped-def]
    players, pairs = season
    shuffled = list(pairs)
    random.shuffle(shuffled)
    assert table(players, shuffled) == table(players, pairs)


@given(seasons())
def test_a_table_is_in_order(season: tuple[list[str], list[Pair]]) -> None:
    lines = table(*season)
    keys = [(-line.points, -line.sb) for line in lines]
    assert keys == sorted(keys)


def withdrawn(players: list[str], pairs: list[Pair], who: list[str]) -> list[tuple[object, ...]]:
    """The table after withdrawals in that order, as the store makes them."""
    out = set()
    for userid in who:
        if not is_lost(userid, pairs):
            out.add(userid)
        pairs = [
            pair._replace(gone=pair.gone | {userid})
            if userid in pair[:2] and (pair.winner is None or pair.gone)
            else pair
            for pair in pairs
        ]
    return [tuple(line) for line in table(players, pairs, out)]


@given(seasons(), st.data())
def test_withdrawals_in_any_order_give_the_same_table(season, data) -> None:  # type: ignore[no-untyped-def]
    players, pairs = season
    who = data.draw(st.lists(st.sampled_from(players), unique=True, max_size=4))
    again = data.draw(st.permutations(who))
    assert withdrawn(players, pairs, who) == withdrawn(players, pairs, list(again))


def test_a_win_over_a_better_one_breaks_a_tie() -> None:
    pairs = [Pair("a", "b", "a"), Pair("c", "d", "c"), Pair("a", "c", "c"), Pair("b", "d", "b")]
    lines = table(list("abcd"), [*pairs, Pair("a", "d", "a"), Pair("b", "c", "b")])
    assert [line.userid for line in lines] == ["a", "b", "c", "d"]
    assert [(line.points, line.sb) for line in lines] == [(2, 2), (2, 2), (2, 2), (0, 0)]
    lines = table(list("dcba"), [*pairs, Pair("a", "d", "d"), Pair("b", "c", "b")])
    assert [line.userid for line in lines] == [
        "b",
        "c",
        "a",
        "d",
    ]  # b 3: c 2, a 1 beat b (2), d beat a


def test_who_leaves_after_half_of_the_games_loses_the_rest() -> None:
    players = list("abcde")
    pairs = [Pair(*pair) for each in rounds(players) for pair in each]
    half = [
        pair._replace(winner="a") if "a" in pair[:2] and {"b", "c"} & set(pair[:2]) else pair
        for pair in pairs
    ]
    assert is_lost("a", half)
    assert not is_lost("b", half)
    lines = {line[0]: line for line in withdrawn(players, half, ["a"])}
    assert lines["a"][1:5] == (4, 2, 0, 2)
    assert len(withdrawn(players, half, ["b"])) == 4


@given(st.integers(4, 400))
def test_divisions_have_five_to_seven_players_from_fourteen_on(count: int) -> None:
    found = sizes(count)
    assert sum(found) == count
    assert max(found) - min(found) <= 1
    assert len(found) == 1 if count < 14 else all(5 <= size <= 7 for size in found)


@given(st.integers(4, 60), st.data())
def test_nobody_is_in_two_divisions_and_all_who_stay_are_in_one(count, data) -> None:  # type: ignore[no-untyped-def]
    last = divisions([], set(), [Entering(userid) for userid in players_of(count)])
    stay = set(data.draw(st.lists(st.sampled_from(players_of(count)), unique=True)))
    new = [Entering(f"n{n}", data.draw(st.sampled_from([None, 1400.0, 1600.0]))) for n in range(4)]
    found = divisions(last, stay, new)
    everybody = [userid for players in found for userid in players]
    assert sorted(everybody) == sorted(stay | {each.userid for each in new})


def test_the_first_go_up_and_the_last_go_down() -> None:
    last = [list("abcdefg"), list("hijklmn")]
    found = divisions(last, set("abcdefghijklmn"))
    assert found == [list("abcdehi"), list("fgjklmn")]


@given(st.integers(14, 60))
def test_as_many_go_up_as_go_down_where_divisions_are_alike(count: int) -> None:
    found = sizes(count)
    moves = [
        movement(place, size, number, len(found))
        for number, size in enumerate(found, 1)
        for place in range(1, size + 1)
    ]
    if set(found) in ({6}, {7}):
        assert moves.count(-1) == moves.count(1) == 2 * (len(found) - 1)
    assert -1 not in moves[: found[0]]
    assert 1 not in moves[-found[-1] :]


def test_newcomers_begin_at_the_bottom_the_unrated_last() -> None:
    found = divisions([list("abcd")], set("abcd"), [Entering("x"), Entering("y", 1300.0)])
    assert found == [list("abcdyx")]


def at(*day: int) -> float:
    return datetime(*day, tzinfo=UTC).timestamp()  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("after", "last", "begin"),
    [
        ((2026, 11, 22), None, (2027, 1, 1)),
        ((2027, 1, 1), None, (2027, 5, 1)),
        ((2027, 4, 3), (2027, 4, 2), (2027, 4, 9)),
        ((2027, 4, 28), (2027, 4, 28), (2027, 5, 1)),
    ],
)
def test_a_season_begins_by_the_calendar_or_a_week_after_the_last(after, last, begin) -> None:  # type: ignore[no-untyped-def]
    assert next_begin(at(*after), at(*last) if last else None) == at(*begin)


def test_a_season_is_told_of_by_the_calendar() -> None:
    begin, until = at(2027, 1, 1), at(2027, 5, 1)
    told = {str(stage(begin, until, begin + day * DAY)) for day in range(121)}
    words = Counter(each.split()[0] for each in told)
    assert words == {"begun": 1, "table": 8, "ends": 2}
