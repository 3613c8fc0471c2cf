"""Two daemons, each with a spool of its own, on one PostgreSQL; and one mail sent to both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.server import Server, until
from harness.sink import Sink
from running import (
    Players,
    all_is_well,
    delivered,
    holds,
    moves,
    server_of,
    state,
    world_of,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def two(
    request: pytest.FixtureRequest, database: str, tmp_path: Path
) -> Iterator[tuple[Server, Server, Sink]]:
    """Both servers, and where their letters go."""
    if not request.config.getoption("--postgresql"):
        pytest.skip("needs --postgresql")
    world_of(database, 6)
    with (
        Sink() as sink,
        server_of(tmp_path / "one", database, sink.url) as one,
        server_of(tmp_path / "two", database, sink.url) as other,
    ):
        one.begin()
        other.start()
        one.await_start()
        yield one, other, sink


def test_same_mails_to_both(two: tuple[Server, Server, Sink], database: str) -> None:
    """CP4, CP5, CP6, CP18, D1: each mail to both at the same time: each move once, two letters of it,
    and one of the two servers is killed in the midst of it all."""
    one, other, sink = two
    sessions = [moves(board, 25) for board in range(1, 7)]
    players = Players([one.port, other.port], sessions)
    until(lambda: len(players.acked) >= 60, "moves")
    acked = list(players.acked)
    one.kill()
    holds(database, acked)
    one.start()
    players.join()
    delivered(database)
    before, count = state(database), sink.count
    Players([one.port, other.port], sessions).join()
    assert (state(database), sink.count) == (before, count)
    assert other.stop() == 0
    all_is_well(one, sink, sessions)
    print(f"{len(players.replies)} deferred, {players.cuts} cut, {count} letters of {2 * 150}")


def test_players_of_one_board_at_two_servers(
    two: tuple[Server, Server, Sink], database: str
) -> None:
    """D9: moves of the same boards by way of two servers, each player by one of them: each move is
    there once, and nobody waits for another for ever."""
    one, other, sink = two
    sessions = [moves(board, 12) for board in range(1, 4)]
    for turn in range(12):
        Players([(one, other)[turn % 2].port], [[session[turn]] for session in sessions]).join()
    delivered(database)
    assert other.stop() == 0
    all_is_well(one, sink, sessions)
