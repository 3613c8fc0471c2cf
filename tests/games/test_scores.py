"""Properties of the counts, on boards that nobody chose."""

from __future__ import annotations

import random

from games.boards_of import boards
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar import games
from pbmstar.games.base import PLAYERS, STONE, Game, Score
from pbmstar.games.pentagon.counting import count, ways
from pbmstar.games.pentagon.starstar import StarStar

STARS = tuple(
    games.make("star", {"size": n, "maxi": maxi})
    for n in (3, 4, 6, 9, 14)
    for maxi in (False, True)
)
STARSTARS = tuple(
    games.make("*star", {"rings": n, "nobridge": b})
    for n in (3, 4, 5, 6, 7, 10)
    for b in (False, True)
)
STARYS = tuple(games.make("stary", {"rings": n}) for n in (3, 4, 5, 8, 10))
HEXES = tuple(games.make("hex", {"size": n}) for n in (3, 4, 5, 8, 11, 21))
YS = (
    *(games.make("y", {"size": n}) for n in (3, 4, 7, 17, 26)),
    games.make("y", {"bent": True}),
)
POLYYS = tuple(games.make("polyy", {"rings": n}) for n in (3, 4, 6, 10))
STARRED = tuple(games.make("*star", {"rings": n, "points": 3, "handicap": 2}) for n in (3, 6))
ALL = STARS + STARSTARS + STARYS + STARRED + HEXES + YS + POLYYS
ARMS = "*STAR"


# -- what always holds


@given(boards(ALL, full=True))
@settings(max_examples=3 * settings.default.max_examples, deadline=None)
def test_full_boards_add_up_and_have_a_winner(played: tuple[Game, bytes]) -> None:
    game, stones = played
    score = game.score(stones)
    assert game.total is None or sum(score.points) == game.total
    assert score.winner is not None
    if game.word == "star":
        size = game.value("size")
        assert game.total in (None, 6 * size - 5)
    elif game.word == "*star":
        rings = game.value("rings")
        assert game.total == 5 * rings + 1
        detail = score.detail["detail"]
        assert detail["X"]["peries"] + detail["O"]["peries"] == 5 * rings
        assert detail["X"]["quarks"] + detail["O"]["quarks"] == 5
        assert rings % 2 or score.points[0] != score.points[1]
    elif game.word == "polyy":
        x, o = score.detail["corners"].values()
        assert sorted([*x, *o]) == sorted(ARMS)
    else:
        assert sorted(score.points) == [0, 1]


def at_least(game: Game, more: Score, less: Score, player: int) -> bool:
    """Whether ``more`` is as good for the player as ``less``, in points and in what decides."""
    if game.word == "*star" and more.ranks[player] < less.ranks[player]:
        return False
    return more.points[player] >= less.points[player] and (
        more.winner == PLAYERS[player] or less.winner != PLAYERS[player]
    )


@given(boards(ALL, full=True), st.data())
@settings(max_examples=3 * settings.default.max_examples, deadline=None)
def test_on_a_full_board_a_stone_never_hurts_its_owner(
    played: tuple[Game, bytes], data: st.DataObject
) -> None:
    game, stones = played
    cell = data.draw(st.integers(0, len(stones) - 1))
    changed = [bytearray(stones), bytearray(stones)]
    for board, player in zip(changed, PLAYERS, strict=True):
        board[cell] = STONE[player]
    with_x, with_o = (game.score(bytes(board)) for board in changed)
    assert at_least(game, with_x, with_o, 0)
    assert at_least(game, with_o, with_x, 1)


@given(boards(ALL), st.data())
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
def test_a_stone_narrows_what_is_possible(played: tuple[Game, bytes], data: st.DataObject) -> None:
    game, stones = played
    empty = [cell for cell, stone in enumerate(stones) if stone == ord(".")]
    before = game.bounds(stones)
    for stone in b"xo" if empty else b"":
        board = bytearray(stones)
        board[data.draw(st.sampled_from(empty))] = stone
        after = game.bounds(bytes(board))
        for player in PLAYERS:
            low, high = before.of(player)
            assert low <= after.of(player)[0] <= after.of(player)[1] <= high
        assert before.decided in (None, after.decided)


@given(boards(ALL), st.randoms(use_true_random=False))
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
def test_bounds_are_reached_and_never_passed(
    played: tuple[Game, bytes], rng: random.Random
) -> None:
    game, stones = played
    bounds = game.bounds(stones)
    ends = {"X": bounds.best, "O": bounds.worst}
    for player in PLAYERS:
        filled = stones.replace(b".", bytes([STONE[player]]))
        score = game.score(filled)
        assert (score.points, score.ranks) == (ends[player].points, ends[player].ranks)
    for _ in range(5):
        filling = bytes(s if s != ord(".") else rng.choice(b"xo") for s in stones)
        score = game.score(filling)
        for player, points in zip(PLAYERS, score.points, strict=True):
            low, high = bounds.of(player)
            assert low <= points <= high
        assert game.can_end(bounds, score.points)
        assert bounds.decided in (None, score.winner)
        assert not bounds.settled or score.points == bounds.best.points


@given(boards(ALL))
@settings(max_examples=3 * settings.default.max_examples, deadline=None)
def test_what_is_settled_or_decided_already_shows(played: tuple[Game, bytes]) -> None:
    game, stones = played
    bounds, score = game.bounds(stones), game.score(stones)
    assert not bounds.settled or score.points == bounds.best.points
    if game.has_points:
        assert bounds.decided in (None, score.winner)


# -- symmetry


def turned(name: str, arms: int) -> str:
    """The cell that ``name`` comes to when the board is turned."""
    return name if name == "@" else ARMS[(ARMS.index(name[0]) + arms) % 5] + name[1:]


def mirrored(name: str) -> str:
    """The cell that ``name`` comes to in a mirror through the arm ``*``."""
    if name == "@":
        return name
    ring = int(name[1]) or 10
    place = -(ARMS.index(name[0]) * ring + int(name[2])) % (5 * ring)
    return f"{ARMS[place // ring]}{name[1]}{place % ring}"


@given(boards(STARSTARS + STARYS + POLYYS), st.integers(0, 4), st.booleans())
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
def test_turning_and_mirroring_changes_nothing(
    played: tuple[Game, bytes], arms: int, mirror: bool
) -> None:
    game, stones = played
    moved = bytearray(stones)
    for name, stone in zip(game.grid.names, stones, strict=True):
        name = turned(mirrored(name) if mirror else name, arms)
        moved[game.grid.index[name]] = stone
    assert game.score(bytes(moved)).points == game.score(stones).points
    assert game.bounds(bytes(moved)).of("X") == game.bounds(stones).of("X")
    if isinstance(game, StarStar):
        there, here = (count(game, board) for board in (bytes(moved), stones))
        assert ways(game, there, 0) == ways(game, here, 0)


@given(boards(STARS))
@settings(max_examples=settings.default.max_examples // 2, deadline=None)
def test_mirroring_a_star_board_changes_nothing(played: tuple[Game, bytes]) -> None:
    game, stones = played
    moved = bytearray(stones)
    for name, stone in zip(game.grid.names, stones, strict=True):
        column, row = ord(name[0]) - 65, int(name[1:])
        moved[game.grid.index[f"{chr(65 + row - 1)}{column + 1}"]] = stone
    assert game.score(bytes(moved)) == game.score(stones)


# -- the four ways of counting


@given(boards(STARSTARS + STARRED, full=True))
@settings(max_examples=3 * settings.default.max_examples, deadline=None)
def test_the_countings_agree_in_margin_on_full_boards(played: tuple[Game, bytes]) -> None:
    check_countings(*played)
    game, stones = played
    assert isinstance(game, StarStar)
    found = ways(game, count(game, stones), game.given)
    x, o = found["arms and bridge"]
    assert (x + 2, o + 2) == found["standard"]  # so that each star has a value of its own


@given(boards(STARSTARS + STARRED))
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
def test_the_countings_agree_in_margin_on_any_board(played: tuple[Game, bytes]) -> None:
    check_countings(*played)


def check_countings(game: Game, stones: bytes) -> None:
    """All ways give the score's margin, and the standard one the score."""
    assert isinstance(game, StarStar)
    score = game.score(stones)
    found = ways(game, count(game, stones), game.given)
    assert found["standard"] == score.points
    margin = score.points[0] - score.points[1]
    assert found["alternative"] == (margin, -margin)
    for name in found.keys() - {"alternative"}:
        x, o = found[name]
        assert x - o == margin, name
