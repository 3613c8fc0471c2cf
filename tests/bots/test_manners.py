"""How bots behave by rule."""

from __future__ import annotations

import pytest
from games.boards_of import KINDS, PLACED

from pbmstar.bots import rules as manners
from pbmstar.games.base import Game
from pbmstar.match import begin


@pytest.mark.parametrize("game", PLACED, ids=lambda game: f"{game.word} {game.described()}")
def test_a_move_by_rule_is_legal(game: Game) -> None:
    match = begin(1, game, ("bot1", "bot2"), 0.0)
    for _ in range(6):
        by_rule = manners.nearest_the_middle(match, match.to_move)
        assert by_rule.kind == "move"
        match = match.after(match.to_move, by_rule.text, 0.0)


def test_bots_play_the_games_of_placing_stones() -> None:
    for game in KINDS:
        assert manners.plays(game) == manners.plays(type(game)) == (game in PLACED)


@pytest.mark.parametrize(
    ("seats", "bot"),
    [
        (("alice", "bot3"), "bot3"),
        (("bot9", "alice"), "bot9"),
        (("alice", "bob"), ""),
        (("alice", "bot11"), ""),
    ],
)
def test_a_board_knows_its_bot_by_the_userid(seats: tuple[str, ...], bot: str) -> None:
    assert begin(1, PLACED[0], seats, 0.0).program == bot
