"""Peers that go away at each step of a conversation, and peers that stand in the way of a stop."""

from __future__ import annotations

import signal
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from crash.running import Line, Players, all_is_well, moves, record, send, served
from harness.client import STEPS
from harness.server import PATIENCE, Server, until
from harness.sink import Sink

pytestmark = pytest.mark.slow
# A stop of the daemon waits half a minute for its peers, which is too long for a test.
HASTY = (
    "-c",
    "from pbmstar.smtp.server import Daemon; Daemon.stop.__defaults__ = (2.0,)\n"
    "from pbmstar.cli import main; main()",
)


@pytest.fixture(name="served")
def _served(tmp_path: Path) -> Iterator[tuple[Server, Sink]]:
    """A daemon with four boards, and where its letters go."""
    with served(tmp_path, 4) as both:
        yield both


def test_peer_gone(served: tuple[Server, Sink]) -> None:
    """CP1, CP11, T18: gone at each step, politely and with a reset: applied whole or not at all, and
    once when the mail comes again."""
    server, sink = served
    mails = moves(1, 2 * len(STEPS))
    for mail, (rudely, step) in zip(
        mails, [(rudely, step) for rudely in (False, True) for step in STEPS], strict=True
    ):
        line = Line(server.port)
        line.go(mail.raw, step)
        if rudely:
            line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()
        if step == "dot" and not rudely:
            until(lambda mail=mail: len(record(server.database)[1]) == mail.number, "move")
        elif step != "dot":
            assert len(record(server.database)[1]) == mail.number - 1
        assert send(server.port, mail.raw).startswith("250")
        assert len(record(server.database)[1]) == mail.number
    all_is_well(server, sink, [mails])


def test_peer_that_closes_its_half(served: tuple[Server, Sink]) -> None:
    """T19: who has said all and listens on hears what became of it; half a mail is none."""
    server, sink = served
    whole, half = moves(1, 2)
    with Line(server.port) as line:
        line.go(whole.raw, "dot")
        line.socket.shutdown(socket.SHUT_WR)
        assert line.hear().startswith("250")
    with Line(server.port) as line:
        line.go(half.raw, "almost")
        line.socket.shutdown(socket.SHUT_WR)
        with pytest.raises(OSError, match="cut|reset"):
            line.hear()
    # all at once, as one that pipes a file into a connection
    script = (
        b"EHLO x.example\r\nMAIL FROM:<x@y.example>\r\nRCPT TO:<star@bench.example>\r\nDATA\r\n"
    )
    with Line(server.port) as line:
        line.socket.sendall(script + whole.raw + b"\r\n.\r\nQUIT\r\n")
        line.socket.shutdown(socket.SHUT_WR)
        heard = [line.hear()[:3] for _ in range(7)]
        assert heard == ["220", "250", "250", "250", "354", "250", "221"]
    assert len(record(server.database)[1]) == 1
    assert send(server.port, half.raw).startswith("250")
    all_is_well(server, sink, [[whole, half]])


def test_stopped_with_mails_in_flight(served: tuple[Server, Sink]) -> None:
    """CP23: SIGTERM: begun mails are answered, others hear 421, the status is 0, and all is there."""
    server, sink = served
    first, second, third = (moves(board, 1)[0] for board in (1, 2, 3))
    with Line(server.port) as begun, Line(server.port) as half, Line(server.port) as idle:
        assert begun.envelope().startswith("354")
        half.go(second.raw, "content")
        idle.hear()
        load = moves(4, 40)
        players = Players([server.port], [load])
        until(lambda: len(players.acked) > 5, "load")
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        assert idle.hear().startswith("421")
        assert begun.say(first.raw + b"\r\n.").startswith("250")
        assert half.say(second.raw[len(second.raw) // 2 :] + b"\r\n.").startswith("250")
        assert server.process.wait(PATIENCE) == 0
    server.start()
    players.join()
    assert send(server.port, third.raw).startswith("250")
    all_is_well(server, sink, [[first], [second], [third], load])


def test_stopped_with_a_slow_peer(served: tuple[Server, Sink]) -> None:
    """CP23: who sends a byte now and then and never ends is cut after a while; the status is 0."""
    server, sink = served
    (first,) = moves(1, 1)
    assert server.stop() == 0
    server.start(HASTY, truly=True)
    with Line(server.port) as line:
        line.go(first.raw, "content")
        ended = threading.Event()

        def drip() -> None:
            with suppress(OSError):
                while not ended.wait(0.05):
                    line.socket.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            assert server.stop() == 0
        finally:
            ended.set()
            thread.join()
    assert not record(server.database)[1]
    server.start()
    assert send(server.port, first.raw).startswith("250")
    all_is_well(server, sink, [[first]])
