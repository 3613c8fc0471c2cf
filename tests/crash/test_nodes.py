"""Three daemons on one PostgreSQL, two of which are killed: letters, turns of bots, and their order."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from crash.running import (
    Line,
    Players,
    all_is_well,
    delivered,
    letter_place,
    moves,
    server_of,
    world_of,
)
from crash.test_bots import are_answered, is_told_once, play, start
from harness.server import Server, children, until
from harness.sink import Sink, Taken

from pbmstar.smtp import watch
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
    assert servers[0].says("admin", "check") == "0 differences.\n"


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
    # A node that is killed early may not have been asked anything.
    folders = [server.folder for server in servers]
    are_answered(ended, [folder for folder in folders if (folder / "asked").exists()])
    is_told_once(sink)
    assert servers[0].says("admin", "check") == "0 differences.\n"
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
            start(server, server.folder)
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
    assert watch.DEAD + 2 * watch.BEAT < 30


def test_a_reader_gets_the_letters_of_a_board_in_their_order(
    three: tuple[list[Server], Sink], database: str
) -> None:
    """Each player sends by way of one node, the other one's letters are made at another."""
    servers, sink = three
    world_of(database, 30)
    for server in servers:
        start(server, server.folder)
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


_WAITING = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    " AND application_name LIKE 'pbmstar %' AND query LIKE '%FROM boards%FOR UPDATE%'"
)


def test_a_node_that_hangs_within_a_transaction_does_not_stop_the_others(
    three: tuple[list[Server], Sink], database: str
) -> None:
    """It is stopped while it has the lock of a board, and stays so: moves on that board are put off until the
    others strike it out; moves on other boards are not, and the others go on to give signs of life."""
    servers, sink = three
    hung, *others = servers
    world_of(database, 3)
    for server in servers:
        start(server, server.folder)
    engine = sa.create_engine(database, isolation_level="AUTOCOMMIT")
    with closing(engine.connect()) as holder:
        holder.execute(sa.text("BEGIN"))
        holder.execute(sa.text("SELECT board FROM boards WHERE board = 1 FOR UPDATE"))
        line = Line(hung.port)
        line.go(moves(1, 1)[0].raw, "dot")
        with closing(engine.connect()) as looks:
            until(lambda: looks.execute(_WAITING).scalar(), "mail that waits for the lock")
        os.kill(hung.pid, signal.SIGSTOP)
        holder.execute(sa.text("ROLLBACK"))  # now the lock is that of the node that hangs
    engine.dispose()
    began = time.monotonic()
    players = Players([others[0].port], [moves(1, 1), moves(2, 5), moves(3, 5)])
    until(lambda: len(players.acked) >= 11, "moves", 100)
    players.join()
    print(f"{time.monotonic() - began:.0f} s, put off: {len(players.replies)}")
    assert all(reply.startswith("451") for reply in players.replies)
    rows = json.loads(others[0].says("admin", "node", "list", "--json"))
    assert {"east", "west"} <= {row["node"] for row in rows}
    os.kill(hung.pid, signal.SIGCONT)
    line.close()
    delivered(database)
    assert [server.stop() for server in servers[:2]] == [0, 0]
    all_is_well(servers[2], sink, [moves(1, 1), moves(2, 5), moves(3, 5)])


def test_a_node_that_was_stopped_sends_no_letter_of_the_others_again(
    three: tuple[list[Server], Sink], database: str
) -> None:
    """It wakes with letters in hand that others have sent: at most the one under way goes out twice."""
    servers, sink = three
    world_of(database, 8)
    sessions = [moves(board, 1) for board in range(1, 9)]

    family: list[int] = []
    filled = threading.Event()

    def rule(step: str, count: int, _letter: Taken) -> str | None:
        if step == "connect" and not filled.is_set():
            return "cut"
        if step == "dot" and count == 3:  # with more letters in hand
            family[:] = [stopped.pid, *children(stopped.pid)]
            for each in family:
                os.kill(each, signal.SIGSTOP)
        return None

    with (
        Sink(rule) as slow,
        server_of(servers[0].folder.parent / "south", database, slow.url, node="south") as stopped,
    ):
        stopped.start()
        Players([stopped.port], sessions).join()
        filled.set()
        until(lambda: family, "a letter under way")
        for server in servers[:2]:
            start(server, server.folder)
        delivered(database)
        before = slow.count
        for each in reversed(family):
            os.kill(each, signal.SIGCONT)
        until(lambda: "south" in servers[0].says("admin", "node", "list"), "sign of life")
        assert stopped.stop() == 0
        print(f"{before} before, {slow.count - before} again")
        assert slow.count - before <= 2
    assert sink.count == 16
    assert servers[1].stop() == 0
    all_is_well(servers[0], sink, sessions)


def test_a_server_of_the_tests_ends_with_them(database: str) -> None:
    """Also if they are killed."""
    if database.startswith("sqlite"):
        pytest.skip("needs --postgresql")
    code = (
        "from harness.postgresql import Postgresql; import time; server = Postgresql()\n"
        "server.start(); print(server._server.pid, server._folder, flush=True); time.sleep(600)"
    )
    tests = Path(__file__).parent.parent
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=tests) as mine:
        assert mine.stdout is not None
        number, folder = mine.stdout.readline().decode().split()
        mine.kill()
    until(lambda: not Path(f"/proc/{number}").exists(), "the end of PostgreSQL")
    shutil.rmtree(folder)
