"""Three daemons on one PostgreSQL, two of which are killed: letters, turns of bots, and their order."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from harness.server import Server, until
from harness.sink import Sink, Taken
from running import (
    Players,
    all_is_well,
    delivered,
    letter_place,
    moves,
    server_of,
    world_of,
)
from test_bots import are_answered, is_told_once, play, start

from pbmstar.smtp import pulse
from pbmstar.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture
def three(
    request: pytest.FixtureRequest, database: str, tmp_path: Path
) -> Iterator[tuple[list[Server], Sink]]:
    """The servers, none of them started, and where their letters go."""
    if not request.config.getoption("--postgresql"):
        pytest.skip("needs --postgresql")
    with Sink() as sink, ExitStack() as opened:
        yield (
            [
                opened.enter_context(
                    server_of(tmp_path / name, database, sink.url, bots="1", node=name)
                )
                for name in ("north", "east", "west")
            ],
            sink,
        )


def questions(servers: list[Server]) -> Counter[str]:
    """How often each question was put to a process that thinks, on any node."""
    files = [server.folder / "asked" for server in servers]
    return Counter(
        line for file in files if file.exists() for line in file.read_text().splitlines()
    )


def names(servers: list[Server]) -> Counter[str]:
    return Counter(each["node"] for server in servers for each in server.logged("start"))


def test_each_turn_is_thought_about_once(three: tuple[list[Server], Sink], database: str) -> None:
    """All nodes look for turns all the time, and each answer takes longer than their next look."""
    servers, sink = three
    servers[0].add("alice")
    for server in servers:
        (server.folder / "ills").write_text("slow " * 4)
        start(server, server.folder)
    with closing(Store(database)) as store:
        ended = play(servers, store, lambda _chance: None)
    delivered(database)
    assert [server.stop() for server in servers] == [0, 0, 0]
    assert set(questions(servers).values()) == {1}
    assert names(servers) == {"north": 1, "east": 1, "west": 1}
    are_answered(ended, [server.folder for server in servers])
    is_told_once(sink)
    assert servers[0].says("admin", "check") == "0 differences\n"


def test_a_turn_of_a_killed_node_is_thought_about_by_another(
    three: tuple[list[Server], Sink], database: str
) -> None:
    """At most the turns that a killed node had in hand are asked again; nobody else's."""
    servers, sink = three
    servers[0].add("alice")
    for server in servers:
        (server.folder / "ills").write_text("slow " * 3)
        start(server, server.folder)
    living, moments = list(servers), iter([False] * 12 + [True] + [False] * 12 + [True])

    def kill(_chance: random.Random) -> None:
        if next(moments, False):
            living.pop().kill()

    with closing(Store(database)) as store:
        ended = play(living, store, kill)
    assert living == servers[:1]
    delivered(database)
    assert servers[0].stop() == 0
    doubled = [question for question, times in questions(servers).items() if times > 1]
    assert len(doubled) <= 4  # a weak and a strong one on each killed node
    are_answered(ended, [server.folder for server in servers])
    is_told_once(sink)
    assert servers[0].says("admin", "check") == "0 differences\n"
    print(f"{len(doubled)} of {len(questions(servers))} questions were asked again")


def test_letters_of_a_dead_node_go_out_within_half_a_minute(
    three: tuple[list[Server], Sink], database: str
) -> None:
    """It dies with letters in hand, which the relay has not taken; the others send them once."""
    servers, sink = three

    def rule(step: str, _count: int, _letter: Taken) -> str | None:
        return "stall" if step == "mail" else None

    world_of(database, 6)
    with (
        Sink(rule) as dumb,
        server_of(servers[0].folder.parent / "south", database, dumb.url, node="south") as dying,
    ):
        dying.start()
        Players([dying.port], [moves(board, 1) for board in range(1, 7)]).join()
        until(lambda: dumb.steps.get("mail"), "a letter under way")
        for server in servers:
            server.start()
        assert sink.count == 0
        dying.kill()
        until(lambda: sink.count >= 12, "letters")
    rows = json.loads(servers[0].says("admin", "node", "list", "--json"))
    assert sorted(row["node"] for row in rows) == ["east", "north", "west"]
    delivered(database)
    assert [server.stop() for server in servers[1:]] == [0, 0]
    all_is_well(servers[0], sink, [moves(board, 1) for board in range(1, 7)])
    assert sink.count == 12
    # It is missed then, and buried by the next sign of another; a busy machine takes longer over that.
    assert pulse.DEAD + 2 * pulse.BEAT < 30


def test_a_reader_gets_the_letters_of_a_board_in_their_order(
    three: tuple[list[Server], Sink], database: str
) -> None:
    """Each player sends by way of one node, the other one's letters are made at another."""
    servers, sink = three
    world_of(database, 30)
    for server in servers:
        server.begin()
    for server in servers:
        server.await_start()
    sessions = [moves(board, 20) for board in range(1, 31)]
    for turn in range(20):
        Players([servers[turn % 3].port], [[session[turn]] for session in sessions]).join()
    delivered(database)
    newest: dict[tuple[int, str], int] = {}
    late = 0
    for letter in sink.letters:
        board, number, reader = letter_place(letter.content, letter.recipients[0])
        late += number < newest.get((board, reader), 0)
        newest[board, reader] = max(number, newest.get((board, reader), 0))
    print(f"{late} of {sink.count} letters late")
    assert late == 0
    assert [server.stop() for server in servers[1:]] == [0, 0]
    all_is_well(servers[0], sink, sessions)
