"""What follows DATA: where it ends, how big, how slow. The ids are those of the catalogue."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.server import until
from hypothesis import given
from hypothesis import strategies as st
from peers import Alone, Running, raw
from standin import PATIENCE, SERVER

from pbmstar.inbound import read
from pbmstar.smtp.session import Content, Limits

MEBIBYTE = 1 << 20
Start = Callable[..., Running]


def peak(process: int) -> int:
    """Bytes of memory that a process has had at most."""
    status = Path(f"/proc/{process}/status").read_text()
    line = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert line
    return int(line[1]) * 1024


@pytest.mark.slow
@pytest.mark.parametrize(
    "endless", [b"x" * 65536, (b"y" * 72 + b"\r\n") * 900], ids=["line", "lines"]
)
def test_endless_content(alone: Callable[..., Alone], endless: bytes) -> None:
    """T1, T2: 200 MB without an end: the line is cut, nothing is kept of it, not even in memory."""
    daemon = alone(truly=True)
    daemon.peer().mail(b"x" * 1_000_000)  # what is allowed needs room too
    until(daemon.delivered, "the delivery")
    peer = daemon.peer().envelope()
    before, sent = peak(daemon.process.pid), 0
    with contextlib.suppress(ConnectionError):
        while sent < 200 * MEBIBYTE:
            peer.say(endless)
            sent += len(endless)
    assert sent < 40 * MEBIBYTE
    peer.expect_end()
    assert peak(daemon.process.pid) - before < 5 * MEBIBYTE
    daemon.peer().mail()
    assert daemon.terminate() == 0


def test_too_big(running: Running) -> None:
    """T2: a mail over the limit is refused at its end, and the session goes on."""
    peer, most = running.peer(), MEBIBYTE - len(raw(b""))
    peer.mail(b"x" * most)
    peer.mail(b"x" * (most + 1), "552 5.3.4")
    peer.mail(b"\r\n".join([b"x" * 70] * 20_000), "552 5.3.4")
    peer.mail(b"next")
    assert [len(text) for text in running.texts()] == [MEBIBYTE, len(raw(b"next"))]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "end",
    [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\n", b"\r\n\0.\r\n", b"\r\n.\r", b"\r.\r\n", b"\n.\r"],
)
def test_smuggling(running: Running, end: bytes) -> None:
    """T4: only CRLF dot CRLF ends a mail; what stands behind anything else is its text."""
    inner = (
        b"MAIL FROM:<evil@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n"
        b"From: evil@b.example\r\n\r\nsmuggled"
    )
    peer = running.peer()
    peer.mail(b"outer" + end + inner)
    peer.ask("NOOP", "250 2.0.0 OK")
    ((envelope, content),) = running.service.seen
    assert envelope[:3] == ("alice@home.example", (SERVER,), "")
    assert content.endswith(b"smuggled\r\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"star help\nstar show 1\r\nstar show 2", ("star help", "star show 1", "star show 2")),
        (b"st\rar help", ("st ar help",)),
        (b"x" * 1200, None),
        (b"x" * 100_000, None),
    ],
    ids=["T5 a bare LF ends a line", "T6 a bare CR is a blank", "T7 long", "T7 very long"],
)
def test_lines(running: Running, text: bytes, lines: tuple[str, ...] | None) -> None:
    """T7: a line may be as long as a mail: phones write paragraphs and HTML as one line."""
    peer = running.peer()
    peer.mail(text)
    peer.mail(b"next")
    (content, _) = running.texts()
    assert content == raw(text)
    assert lines in (None, read(content, "pbm.example").lines)


def test_slow_content(start: Start) -> None:
    """T14: the time for a whole content is limited, however regularly a byte of it comes."""
    running = start(limits=Limits(content=0.2))
    peer, heard = running.peer().envelope(), b""
    until_when = time.monotonic() + PATIENCE
    peer.sock.settimeout(0.02)
    while not heard and time.monotonic() < until_when:
        peer.say(b"x")
        with contextlib.suppress(TimeoutError):
            heard = peer.sock.recv(100)
    assert heard.startswith(b"421 4.4.2")
    assert running.texts() == []


@pytest.mark.parametrize("limits", [Limits(idle=0.2), Limits(session=0.2)], ids=["idle", "session"])
def test_slow_commands(start: Start, limits: Limits) -> None:
    """T14: the time for a command is limited too, and that of a session."""
    peer = start(limits=limits).peer(hello="")
    peer.say(b"NO")
    peer.expect("421 4.4.2", "")


def test_each_command_gives_new_time(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """T14: a peer that goes on writing is not cut off; one that stops is, as soon as its time is over."""
    running, ahead = start(limits=Limits(idle=300, content=100)), 0
    loop = running.loop

    def wait(seconds: int) -> None:
        """Set the clock of the daemon's loop forward."""
        nonlocal ahead
        ahead += seconds
        monkeypatch.setattr(loop, "time", lambda: time.monotonic() + ahead)
        loop.call_soon_threadsafe(bool)  # it looks at the time when it wakes

    idle, slow = running.peer(), running.peer()
    for _ in range(4):
        wait(200)
        idle.ask("NOOP", "250")
        slow.ask("NOOP", "250")
    wait(110)
    slow.envelope()
    wait(110)
    slow.expect("421 4.4.2", "")
    idle.ask("NOOP", "250")
    wait(310)
    idle.expect("421 4.4.2", "")


def test_client_gone_after_the_dot(running: Running) -> None:
    """T18: the mail is carried out whole though nobody hears of it; sent again it is a duplicate."""
    peer = running.peer().envelope()
    running.hold(peer, b"wait")
    peer.close(reset=True)
    until(lambda: not running.sessions(), "the end of the session")
    assert running.texts() == []
    running.service.gate.set()
    until(running.texts, "the mail")
    running.peer().mail(b"wait")
    assert len(running.texts()) == 1


def test_client_gone_before_the_dot(running: Running) -> None:
    """T18: a mail without its end is not taken."""
    peer = running.peer().envelope()
    peer.say(raw(b"hello"))
    peer.close()
    until(lambda: not running.sessions(), "the end of the session")
    assert running.texts() == []


def test_half_closed_client(running: Running) -> None:
    """T19: a peer that has sent all at once and closed its side still hears the answers."""
    peer = running.connect()
    peer.say(b"EHLO me\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n")
    peer.send(b"hello")
    peer.sock.shutdown(socket.SHUT_WR)
    peer.expect("220", "250", "250", "250", "354", "250 2.0.0", "")
    assert len(running.texts()) == 1


@pytest.mark.parametrize("part", [b"", b"NOO", b"NOOP\r\n"])
def test_half_closed_elsewhere(running: Running, part: bytes) -> None:
    """T19: in the middle of a command, or of a content, there is nothing to answer."""
    for peer in (running.peer(hello=""), running.peer().envelope()):
        peer.say(part)
        peer.sock.shutdown(socket.SHUT_WR)
        peer.expect_end()
    assert running.texts() == []


_TEXT = st.lists(st.sampled_from([b"\r", b"\n", b".", b"a", b"\r\n", b"\r\n.", b"\r\n.\r\n"]))


@given(pieces=_TEXT, cuts=st.lists(st.integers(1, 6)))
def test_content_however_it_is_cut(pieces: list[bytes], cuts: list[int]) -> None:
    """The end is found wherever the segments of the network are cut."""
    stream, at = b"".join(pieces) + b"\r\n.\r\nQUIT\r\n", 0
    content, rest = Content(1000), None
    for size in [*cuts, len(stream)]:
        rest = content.feed(stream[at : at + size])
        at += size
        if rest is not None:
            break
    assert rest is not None
    end = (b"\r\n" + stream).index(b"\r\n.\r\n") - 2  # of the text, but its last line end
    assert rest + stream[at:] == stream[end + 5 :]
    lines = stream[: end + 2].split(b"\r\n")
    assert content.text() == b"\r\n".join(line.removeprefix(b".") for line in lines)


@given(size=st.integers(0, 40), pieces=st.lists(st.binary(max_size=9)))
def test_content_holds_no_more_than_its_size(size: int, pieces: list[bytes]) -> None:
    content = Content(size)
    for piece in pieces:
        if content.feed(piece) is not None:
            break
        assert len(content.text()) <= size + 3
