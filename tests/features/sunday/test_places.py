"""The rules of the Sunday game: weeks, places, margins, and where two games part."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbmstar import games
from pbmstar.bots import budget
from pbmstar.bots import rules as manners
from pbmstar.bots.engine.levels import Level
from pbmstar.bots.engine.think import decide
from pbmstar.features.sunday.rules import (
    BOARDS,
    BOT,
    TERMS,
    Place,
    end_of,
    margin,
    opening,
    places,
    season,
    standing,
    week_of,
)
from pbmstar.match import Match, begin

SEATS = ("alice", BOT)


def played(*moves: str, seats: tuple[str, str] = SEATS) -> Match:
    """A game on the smallest board after these moves."""
    match = begin(1, games.make("star", {"size": 3}), seats, 0.0, TERMS)
    for move in moves:
        match = match.after(match.to_move, move, 0.0)
    return match


@pytest.mark.parametrize("day", range(4, 11))
def test_a_week_begins_and_ends_on_sunday_at_midnight(day: int) -> None:
    first = datetime(2026, 1, 4, tzinfo=UTC).timestamp()
    at = datetime(2026, 1, day, 23, 59, tzinfo=UTC).timestamp()
    assert week_of(at) == week_of(first) == week_of(first - 1) + 1
    assert datetime.fromtimestamp(end_of(week_of(at)), UTC) == datetime(2026, 1, 11, tzinfo=UTC)


def test_equal_margins_share_a_place() -> None:
    found = places(
        [
            ("dora", 4, -2, True),
            ("bob", 2, 3, False),
            ("carol", 3, 3, False),
            ("alice", 1, 9, False),
        ]
    )
    assert [(each.place, each.userid) for each in found] == [
        (1, "alice"), (2, "bob"), (2, "carol"), (4, "dora"),
    ]  # fmt: skip


def test_a_margin_is_that_of_the_count_or_the_worst_that_could_come() -> None:
    match = played("C3")
    low, high = match.bounds.of("X")
    rest = sum(match.bounds.worst.points) - low
    assert margin(match, "alice") == low - rest < 0
    assert margin(match.after("alice", "resign", 0.0) if match.to_move == "alice" else match, BOT)
    agreed = match.after(match.to_move, f"agree {high} {low}", 0.0)
    assert margin(agreed, "alice") == high - low == -margin(agreed, BOT)


def test_each_sunday_begins_with_moves_that_can_be_made_and_the_person_is_to_move() -> None:
    openings = set()
    for number in range(1, 37):
        word, options, seat = BOARDS[(number - 1) % len(BOARDS)]
        moves = opening(number)
        position = games.make(word, options).start()
        for move in moves:
            position = position.play(move)
        assert len(moves) == 6 + seat and position.mover == "XO"[seat]
        assert "swap" not in position.moves() and "swap" not in moves
        openings.add((word, moves[:6]))
    assert len(openings) == 18


def test_a_season_counts_the_players_left_behind_and_one_for_playing() -> None:
    results = [(1, "ann", 5), (1, "bob", 3), (1, "cem", 3), (2, "bob", 0), (2, "ann", -25)]
    assert standing(results) == [
        Place(1, "ann", 4, 2), Place(2, "bob", 3, 2), Place(3, "cem", 1, 1),
    ]  # fmt: skip
    assert [season(number) for number in (1, 13, 14)] == [(1, 1, 13), (1, 1, 13), (2, 14, 26)]


def test_the_bot_plays_each_board_and_each_has_points() -> None:
    for word, options, seat in BOARDS:
        game = games.make(word, options)
        assert game.has_points
        assert manners.plays(game)
        assert BOT in budget.quick_bots(game)
        assert seat in (0, 1)


def test_a_bot_that_does_not_resign_plays_a_lost_game_to_its_end() -> None:
    """X takes the edge at once, and O loses for certain; O finds a move until the count is settled."""
    position, level = games.make("star", {"size": 4}).start(), Level(40, 1.0, 1.0)
    game, lost = position.game, 0
    edge = [name for name, bits in zip(game.grid.names, game.edges, strict=True) if bits]
    inner = [name for name in game.grid.names if name not in edge]
    for x, o in zip(edge, inner, strict=False):
        if game.bounds(position.stones).decided == "X":
            break
        position = position.play(x).play(o)
    for seed in range(len(game.grid)):
        if position.over or game.bounds(position.stones).settled:
            break
        move, _ = decide(position, -1, level, seed, resigns=False)
        assert move != "resign"
        if position.mover == "O":
            lost += 1
            assert decide(position, -1, level, seed)[0] == "resign"
        position = position.play(move)
    assert lost > 1, "a lost game was played on"
