"""The review of a finished game: the move that threw it away is named, and proofs are proofs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from click.testing import CliRunner
from harness import quickbot
from harness.office import Office

from pbmstar import games
from pbmstar.bots.engine import levels, review, think
from pbmstar.bots.engine.search import Estimate
from pbmstar.cli import main
from pbmstar.games.base import Position

SIZE_3 = {"game": "star", "options": '{"size": 3}', "seed": 5}


def test_a_solved_game_turns_where_it_was_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Star of size 3 is won by who begins with most stones; searches of it end in proofs."""
    monkeypatch.setattr(review, "WORK", 1_000_000)  # a third
    position, moves = games.load("star", '{"size": 3}').start(), []
    for move in ("B2", "C3", "B3", "D3", "A4", "C2"):
        position = position.play(move)
        moves.append(move)
    while not position.over and not (bounds := position.game.bounds(position.stones)).decided:
        moves.append(next(position.moves()))
        position = position.play(moves[-1])
    winner = position.winner if position.over else bounds.decided
    found = review.review({**SIZE_3, "moves": moves, "winner": winner})
    assert len(found["chances"]) == len(found["margins"]) == len(moves) + 1
    assert all(0 <= chance <= 1 for chance in found["chances"])
    assert found["chances"][-1] == float(winner == "X")
    assert found["proved"] is not None and found["proved"] <= len(moves)
    proved = found["chances"][found["proved"] :]
    assert set(proved) == {found["chances"][-1]}
    for each in filter(None, (found["turn"], *found["dear"])):
        assert each["cost"] >= 0.08
        before = games.load("star", '{"size": 3}').start()
        for move in moves[: each["number"] - 1]:
            before = before.play(move)
        assert each["better"] in itertools.chain(before.moves())
        # A turn is away from who made it.
        fallen = found["chances"][each["number"] - 1] - found["chances"][each["number"]]
        # Its text names the height of the step that the curve shows.
        assert each["cost"] == pytest.approx(fallen if before.mover == "X" else -fallen, abs=0.002)


@pytest.mark.parametrize(
    ("chances", "turn", "dear"),
    [
        # O won. The costliest move is O's own; X, who led, lost the lead little by little.
        ((0.5, 0.5, 0.75, 0.70, 0.65, 0.6, 0.6, 0.55, 0.55, 0.49, 0.4, 0.35), None, [2]),
        # X lost it by one move, though O's move was costlier.
        ((0.5, 0.5, 0.9, 0.85, 0.8, 0.75, 0.7, 0.68, 0.66, 0.3, 0.3, 0.3), 9, [2]),
        # X never led; of two moves that missed the same one the costlier is named.
        ((0.5, 0.4, 0.35, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1), None, [7]),
        # Nor is the better move of the turn named again.
        ((0.5, 0.5, 0.9, 0.9, 0.9, 0.7, 0.7, 0.4, 0.4, 0.3, 0.3, 0.3), 7, [2]),
    ],
)
def test_a_turn_is_a_mistake_by_which_the_loser_lost_the_lead(
    monkeypatch: pytest.MonkeyPatch, chances: tuple[float, ...], turn: int | None, dear: list[int]
) -> None:
    """Moves are numbered from 1; chances are X's, before the first move and after each."""

    def seen(position: Position, *_: object) -> review.Seen:
        at = position.played
        better = {4: 20, 6: 20, 8: 20}.get(at, at)  # a cell
        return review.Seen(chances[at], False, Estimate(0.5, 0.0, None, (), (better,), 1))

    monkeypatch.setattr(review, "seen", seen)
    game = {"game": "hex", "options": '{"size": 5}', "seed": 5, "winner": "O"}
    names = games.load("hex", '{"size": 5}').grid.names
    found = review.review({**game, "moves": list(names[: len(chances) - 1])})
    assert (found["turn"] and found["turn"]["number"]) == turn
    assert sorted(each["number"] for each in found["dear"]) == dear


@pytest.mark.parametrize(
    ("chances", "winner", "leads"),
    [
        ((0.5, 0.5, 0.6, 0.7), "O", None),  # X gave up in the lead
        ((0.5, 0.4, 0.6, 0.5), "X", None),
        ((0.5, 0.4, 0.6, 0.5), "O", None),
        ((0.5, 0.4, 0.6, 0.4), "O", 3),
        ((0.6, 0.7, 0.6, 1.0), "X", 0),
        ((0.5, 0.6, 0.6, 0.6), None, None),
    ],
)
def test_a_winner_leads_only_from_where_the_loser_is_behind_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
    chances: tuple[float, ...],
    winner: str | None,
    leads: int | None,
) -> None:
    def seen(position: Position, *_: object) -> review.Seen:
        is_last = position.played == len(chances) - 1
        return review.Seen(chances[position.played], is_last, Estimate(0.5, 0.0, None, (), (), 1))

    monkeypatch.setattr(review, "seen", seen)
    game = {"game": "hex", "options": '{"size": 5}', "seed": 5, "winner": winner}
    names = games.load("hex", '{"size": 5}').grid.names
    found = review.review({**game, "moves": list(names[: len(chances) - 1])})
    assert found["leads"] == leads
    # What is proved of the last position isn't the result of a game that ended otherwise.
    assert found["proved"] == (3 if (chances[-1], winner) == (1.0, "X") else None)


def test_nobody_is_told_that_who_was_behind_stayed_ahead(
    monkeypatch: pytest.MonkeyPatch, office: Office
) -> None:
    monkeypatch.setattr(review, "WORK", 300_000)
    monkeypatch.setattr(quickbot, "review", review.review)
    office.game("star challenge -size=4 alice bob")
    office.play(1, "C3", "D4", "C4", "D5", "resign")
    office.send("bob", "star review 1")
    office.review()
    (letter,) = office.letters()
    assert "bob won after 4 moves. No single move decided the game." in letter.words
    assert "ahead" not in letter.words and "certain" not in letter.words


@pytest.mark.slow
def test_a_pass_that_gives_the_game_away_is_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opponent passes too, and wins with the score as the board stands."""
    monkeypatch.setattr(review, "WORK", 300_000)  # a tenth
    moves = ["C1", "swap", "D1", "B3", "D2", "pass", "pass"]
    turn = review.review({**SIZE_3, "moves": moves, "winner": "O"})["turn"]
    assert turn["number"] == moves.index("pass") + 1
    assert turn["cost"] > 0.5 and turn["better"] not in ("", "pass")


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, pytest.param(9, marks=pytest.mark.slow), 14])
def test_a_review_takes_about_as_long_for_a_long_game_as_for_a_short_one(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """The searches of the dearest moves, which are deeper, are counted in: a short game has not fewer."""
    work = []
    search = review.search_position

    def counted(position: Position, playouts: int, *rest: Any, **more: Any) -> Estimate:
        work.append(playouts * len(position.stones))
        return search(position, playouts, *rest, **more)

    monkeypatch.setattr(review, "search_position", counted)
    monkeypatch.setattr(review, "WORK", 100_000)
    moves = list(games.load("star", '{"size": 4}').grid.names[:count])
    review.review(
        {"game": "star", "options": '{"size": 4}', "moves": moves, "winner": "X", "seed": 5}
    )
    assert 50_000 < sum(work) <= 100_000


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_fitted_chances_keep_order_and_are_even_handed(share: float) -> None:
    values = [review.fitted(x / 20, share) for x in range(21)]
    assert values == sorted(values)
    assert all(abs(a + b - 1) < 1e-9 for a, b in zip(values, reversed(values), strict=True))


def test_bench_prints_a_line_for_each_level_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long an answer takes is looked at in the weakest."""
    first = think.answer

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        return first(request) if request["level"] == 1 else {"playouts": request["level"]}

    def weak(_number: int, _game: object) -> levels.Level:
        return levels.Level(1)

    monkeypatch.setattr(think, "answer", answer)
    monkeypatch.setattr(think, "level", weak)
    done = CliRunner().invoke(main, ["bot", "bench"])
    lines = [line.split() for line in done.output.splitlines()]
    assert [int(line[0]) for line in lines] == [*range(1, 11)] * 4
    assert {line[1] for line in lines} == {"75", "105", "275", "507"}
    assert {line[4] for line in lines} <= {"compiled", "interpreted"}
