"""kill -9 of the daemon under load, at moments of all kinds, and again and again."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest
from crash.plan import Plan
from crash.running import (
    Line,
    Players,
    all_is_well,
    holds,
    is_sound,
    moves,
    send,
    server_of,
    state,
    traced,
    world_of,
)
from harness.server import PATIENCE, until
from harness.sink import Sink

pytestmark = pytest.mark.slow


def test_killed_under_load(database: str, tmp_path: Path) -> None:
    """CP1, CP2, CP3, CP4, CP5, CP6, CP10, CP13, CP14, CP15, CP16, CP17, CP29, O1: six sessions,
    the daemon killed while it starts, while moves come in and at steps of its relay's conversation."""
    rng = random.Random(1)
    sessions = [moves(board, 40) for board in range(1, 7)]
    total = sum(map(len, sessions))
    world_of(database, 6)
    plan = Plan()
    steps = ["connect", "mail", "rcpt", "data", "content", "dot"]
    kinds = ["", "start", "acks", "acks", *rng.sample(steps, 3)]
    rng.shuffle(kinds)
    kills = 0
    with Sink(plan.rule) as sink, server_of(tmp_path, database, sink.url) as server:
        players = Players([server.port], sessions, allowed=0)
        for kind in kinds:
            players.allowed += total // len(kinds)
            if kind in ("", "start"):
                server.begin()
                time.sleep(rng.uniform(0.05, 0.8))  # any moment of the start will do
            elif kind == "acks":
                server.start()
                goal = len(players.acked) + rng.randrange(1, 30)
                until(lambda goal=goal: len(players.acked) >= goal, "moves")
            else:
                count = 1 if kind == "connect" else rng.randrange(1, 50)
                plan.add(kind, count, lambda _: os.kill(server.pid, signal.SIGKILL))
                server.start()
                until(lambda: plan.done, kind)
            server.kill()
            acked = list(players.acked)
            kills += bool(acked)
            holds(database, acked)
        players.allowed = total
        server.start()
        players.join()
        assert kills >= 4 and players.cuts
        all_is_well(server, sink, sessions)

        before, count = state(database), sink.count
        server.start()
        Players([server.port], sessions).join()
        assert server.stop() == 0
        assert (state(database), sink.count) == (before, count)
        is_sound(server)
    print(f"{total} moves, {kills} kills, {players.cuts} cuts, {count} letters of {2 * total}")


def test_relay_process_killed(database: str, tmp_path: Path) -> None:
    """CP13, CP15, CP16: the process that speaks to the relay is killed, the daemon goes on."""
    sessions = [moves(board, 20) for board in range(1, 5)]
    world_of(database, 4)
    plan = Plan()
    with Sink(plan.rule) as sink, server_of(tmp_path, database, sink.url) as server:
        server.start()

        for step, number in (("dot", 3), ("rcpt", 20)):
            plan.add(step, number, lambda _: os.kill(server.child(), signal.SIGKILL))
        Players([server.port], sessions).join()
        until(lambda: plan.done, "both kills")
        all_is_well(server, sink, sessions)


def test_killed_before_the_answer(database: str, tmp_path: Path) -> None:
    """CP9: killed with all committed and the 250 unsaid: nobody was told, and it is done."""
    world_of(database, 1)
    *known, last = moves(1, 3)
    with Sink() as sink, server_of(tmp_path, database, sink.url) as server:
        server.start()
        for move in known:  # so that no password is computed later: no thread wakes the first one
            assert send(server.port, move.raw).startswith("250")
        with Line(server.port) as line:
            assert line.envelope().startswith("354")
            # The first thread writes the answers, by sendto, and another one asks the database: so
            # the first call after this is the answer to the content.
            with traced(server.pid, "sendto:signal=KILL:when=1", threads=False):
                with pytest.raises(OSError, match="cut|reset"):
                    line.say(last.raw + b"\r\n.")
                assert server.process is not None and server.process.wait(PATIENCE) == -9
        holds(database, [*known, last])
        server.kill()
        server.start()
        assert send(server.port, last.raw).startswith("250")
        all_is_well(server, sink, [[*known, last]])
