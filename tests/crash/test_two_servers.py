"""Several daemons, each with a spool of its own, on one PostgreSQL: the same mail sent to two, one that
dies, and a database that dies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from crash.running import (
    Players,
    all_is_well,
    delivered,
    holds,
    moves,
    server_of,
    state,
    world_of,
)
from harness.postgresql import Postgresql
from harness.server import Server, until
from harness.sink import Sink

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


def test_a_third_server_dies(
    two: tuple[Server, Server, Sink], tmp_path: Path, database: str
) -> None:
    """CP13, D1: what the dead one was sending is sent by the others within half a minute; what it had
    accepted is in the record, and its players go on at the others."""
    one, other, sink = two
    sessions = [moves(board, 25) for board in range(1, 7)]
    with server_of(tmp_path / "three", database, sink.url) as third:
        third.start()
        players = [
            Players([server.port], sessions[2 * i : 2 * i + 2], allowed=20)
            for i, server in enumerate((one, other, third))
        ]
        until(lambda: len(players[2].acked) >= 20, "moves")
        third.kill()
        holds(database, players[2].acked)
    for group in players[:2]:
        group.allowed = float("inf")
        group.join()
    Players([one.port, other.port], sessions[4:]).join()
    delivered(database)
    assert other.stop() == 0
    all_is_well(one, sink, sessions)


@pytest.mark.usefixtures("database")  # so that it is among the tests on PostgreSQL
def test_the_database_dies(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """D4: PostgreSQL is killed under load and started again: mails are put off meanwhile, none is lost,
    and both daemons go on by themselves."""
    if not request.config.getoption("--postgresql"):
        pytest.skip("needs --postgresql")
    sessions = [moves(board, 25) for board in range(1, 5)]
    with (
        Postgresql() as postgresql,
        Sink() as sink,
        server_of(tmp_path / "one", postgresql.url, sink.url) as one,
        server_of(tmp_path / "two", postgresql.url, sink.url) as other,
    ):
        world_of(postgresql.url, 4)
        for server in (one, other):
            server.start()
        players = [
            Players([server.port], sessions[2 * i : 2 * i + 2], allowed=15)
            for i, server in enumerate((one, other))
        ]
        for goal in (10, 25):
            until(lambda goal=goal: all(len(each.acked) >= goal for each in players), "moves")
            postgresql.kill()
            acked = [move for each in players for move in each.acked]
            deferred = [len(each.replies) for each in players]
            for each in players:
                each.allowed += 15
            until(
                lambda before=deferred: all(
                    len(each.replies) > count for each, count in zip(players, before, strict=True)
                ),
                "mails that are put off",
            )
            postgresql.start()
            holds(postgresql.url, acked)
        for each in players:
            each.allowed = float("inf")
        for group in players:
            group.join()
            assert all(reply.startswith("451") for reply in group.replies)
        delivered(postgresql.url)
        assert other.stop() == 0
        all_is_well(one, sink, sessions)
