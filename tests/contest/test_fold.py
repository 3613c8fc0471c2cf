"""The fold of ended games: what is rated, and what each player has after it."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pbmstar.contest.fold import NEW, PAIR, Ended, Fold
from pbmstar.contest.practice import STEPS, next_bot

DAY = 86_400.0
LEVELS = Path(__file__).parent.parent.parent / "help" / "levels.txt"
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


def test_the_bots_are_rated_as_help_says() -> None:
    """Each game with 75 cells that the table of the levels has, and no other, is a measure."""
    _, table, *_ = LEVELS.read_text().split("\n\n")
    heads, *rows = re.findall(r"(?m)^(?:bot[1-9]|  +playouts) .*", table)
    games = re.findall(r"(\*?star) -(?:size|rings)=6", heads)
    steps = zip(*(map(int, re.findall(r"\+(\d+) \[", row)) for row in rows[1:]), strict=True)
    assert {game: tuple(each) for game, each in zip(games, steps, strict=False)} == dict(STEPS)


def test_after_three_wins_in_a_row_the_next_bot_is_offered() -> None:
    assert next_bot("star", "bot3", (1, 1, 1)) == "bot4"
    assert next_bot("star", "bot3", (1, 1, 0.5)) == next_bot("star", "bot3", (1, 1)) == ""
    assert next_bot("star", "bot9", (1, 1, 1)) == next_bot("hex", "bot3", (1, 1, 1)) == ""
