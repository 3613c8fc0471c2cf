"""Two daemons, each with a spool of its own, on one PostgreSQL; and one mail sent to both."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.sink import Sink
from running import (
    Players,
    Server,
    holds,
    is_exactly,
    letters_came,
    moves,
    state,
    until,
    waiting,
    world_of,
)

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _postgresql_only(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--postgresql"):
        pytest.skip("needs --postgresql")


def test_same_mails_to_both(database: str, tmp_path: Path) -> None:
    """CP4, CP5, CP6, CP18, D1: each mail to both at the same time: each move once, two letters of it,
    and one of the two servers is killed in the midst of it all."""
    sessions = [moves(board, 25) for board in range(1, 7)]
    world_of(database, 6)
    with (
        Sink() as sink,
        Server(tmp_path / "one", database, sink.url) as one,
        Server(tmp_path / "two", database, sink.url) as two,
    ):
        one.begin()
        two.start()
        one.await_start()
        players = Players([one.port, two.port], sessions)
        until(lambda: len(players.acked) >= 60, "moves")
        acked = list(players.acked)
        one.kill()
        holds(database, acked)
        one.start()
        players.join()
        until(lambda: waiting(database) == 0, "delivery")
        before, count = state(database), sink.count
        again = Players([one.port, two.port], sessions)
        again.join()
        assert one.stop() == 0
        assert two.stop() == 0
        assert (state(database), sink.count) == (before, count)
        one.is_sound()
        is_exactly(database, sessions)
        letters_came(sink, sessions)
    print(f"{len(players.replies)} deferred, {players.cuts} cut, {count} letters of {2 * 150}")


def test_players_of_one_board_at_two_servers(database: str, tmp_path: Path) -> None:
    """D9: moves of the same boards by way of two servers, whoever comes first: out of turn is refused
    by a letter, each move is there once, and nobody waits for another for ever."""
    sessions = [moves(board, 12) for board in range(1, 4)]
    world_of(database, 3)
    with (
        Sink() as sink,
        Server(tmp_path / "one", database, sink.url) as one,
        Server(tmp_path / "two", database, sink.url) as two,
    ):
        one.begin()
        two.start()
        one.await_start()
        # Each player by a server of his own; the guard #n makes a move too early a refused one.
        for turn in range(12):
            now = [[session[turn]] for session in sessions]
            Players([one.port, two.port][turn % 2 :][:1], now).join()
        until(lambda: waiting(database) == 0, "delivery")
        assert one.stop() == 0
        assert two.stop() == 0
        one.is_sound()
        is_exactly(database, sessions)
        letters_came(sink, sessions)
