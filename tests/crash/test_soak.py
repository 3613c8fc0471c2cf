"""Many mails, some of them hostile: everybody else is answered, and the daemon does not grow."""

from __future__ import annotations

import os
import random
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from crash.hostile import disturb, used
from crash.running import (
    Line,
    Move,
    delivered,
    is_exactly,
    is_sound,
    moves,
    send,
    server_of,
    world_of,
)
from harness.sink import Sink

pytestmark = pytest.mark.slow
# PBMSTAR_SOAK=20000 makes it a long one.
MAILS = int(os.environ.get("PBMSTAR_SOAK", "800"))
SESSIONS = 20


@pytest.mark.timeout(1200)
def test_soak(tmp_path: Path) -> None:
    """T2: 20 sessions, 1 % of the mails hostile: all players' mails are answered with 250, and
    memory and file descriptors stay what they were after the first quarter."""
    count = MAILS // SESSIONS
    each = -(-count // 50)  # boards of a session
    boards = SESSIONS * each
    sessions: list[list[Move]] = []
    for number in range(SESSIONS):
        mails = [
            move
            for board in range(number * each + 1, (number + 1) * each + 1)
            for move in moves(board, 50, players=2 * boards)
        ]
        sessions.append(mails[:count])
    spool = tmp_path / "spool"
    spool.mkdir()
    database = f"sqlite:///{spool}/pbmstar.db"
    world_of(database, boards, players=2 * boards)
    waits: list[float] = []
    odd: list[str] = []
    faults: list[BaseException] = []
    sizes: list[tuple[int, tuple[int, int]]] = []

    def play(number: int, port: int) -> None:
        rng, source = random.Random(number), f"127.0.0.{number // 4 + 2}"
        try:
            line: Line | None = None
            for sent, move in enumerate(sessions[number]):
                if rng.random() < 0.01:
                    odd.append(disturb(port, rng, "127.0.0.99"))
                if sent % 50 == 0:  # a hundred mails on one connection are too many
                    if line is not None:
                        line.close()
                    line = Line(port, source)
                assert line is not None
                begun = time.monotonic()
                while (reply := line.mail(move.raw)).startswith("451"):
                    time.sleep(0.5)  # so many new passwords at once are put off: it comes again
                waits.append(time.monotonic() - begun)
                assert reply.startswith("250"), reply
            if line is not None:
                line.close()
        except BaseException as error:
            faults.append(error)

    # Pictures are drawn in a process of their own, of which nothing is measured here. Bots, as on any server,
    # have their engine compiled meanwhile.
    keys = {"limits": "on", "pictures": "off", "bots": "1"}
    with Sink(keep=False) as sink, server_of(tmp_path, database, sink.url, **keys) as server:
        server.start(truly=True)  # its memory is its own
        begun = time.monotonic()
        threads = [
            threading.Thread(target=play, args=(number, server.port), daemon=True)
            for number in range(SESSIONS)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            sizes.append((len(waits), used(server.pid)))
            time.sleep(0.1)
        seconds = time.monotonic() - begun
        assert not faults, faults[0]
        delivered(database)
        at_end = used(server.pid)
        assert send(server.port, sessions[0][0].raw).startswith("250")
        assert server.stop() == 0
        is_sound(server)
        log = server.log.read_text()
    is_exactly(database, sessions)
    assert sink.count >= 2 * len(waits)
    assert '"level": "error"' not in log and "Traceback" not in log
    assert not (spool / "quarantine").exists()

    waits.sort()
    quarter = next((size for sent, size in sizes if sent >= len(waits) // 4), sizes[-1][1])
    peak = max(size[0] for _, size in sizes)
    replies = {reply: odd.count(reply) for reply in sorted(set(odd))}
    with suppress(IndexError):
        print(
            f"{len(waits)} mails in {seconds:.1f} s ({len(waits) / seconds:.0f} a second), "
            f"answered in {1000 * waits[len(waits) // 2]:.0f} ms (half), "
            f"{1000 * waits[len(waits) * 99 // 100]:.0f} ms (99 %), {1000 * waits[-1]:.0f} ms (all)\n"
            f"hostile: {replies}\n"
            f"memory: {quarter[0] // 1024} MiB after a quarter, {at_end[0] // 1024} MiB at the end, "
            f"{peak // 1024} MiB at most; file descriptors: {quarter[1]} and {at_end[1]}"
        )
    assert at_end[1] <= quarter[1]
    # What may grow: 1,000 matches kept by the service, some kB each; and a hostile mail in hand.
    assert at_end[0] < quarter[0] + 24 * 1024
    assert peak < quarter[0] + 64 * 1024
