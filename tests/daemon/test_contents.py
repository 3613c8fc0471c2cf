"""What follows DATA: where it ends, how big, how slow. The ids are those of the catalogue."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import MAIL, SERVER, Peer, Running, until

from pbmstar.inbound import read
from pbmstar.service import Envelope
from pbmstar.smtp import status as replies
from pbmstar.smtp.limits import Content, Limits

MEBIBYTE = 1 << 20


@pytest.fixture
def running(tmp_path: Path, database: str) -> Iterator[Running]:
    with Running(tmp_path / "spool", database) as made:
        yield made


def memory(process: int, what: str) -> int:
    """Bytes of a process: VmRSS now, VmHWM at most."""
    told = Path(f"/proc/{process}/status").read_text()
    found = re.search(rf"{what}:\s+(\d+) kB", told)
    assert found
    return int(found[1]) * 1024


def greeted(place: str) -> Peer:
    """A connection, introductions done."""
    peer = Peer(place)
    assert peer.hear().startswith("220")
    return peer.hello()


@pytest.mark.slow
@pytest.mark.parametrize(
    "endless", [b"x" * 65536, (b"y" * 72 + b"\r\n") * 900], ids=["line", "lines"]
)
def test_endless_content(tmp_path: Path, endless: bytes) -> None:
    """T1, T2: 200 MB without an end: the line is cut, nothing is kept of it, not even in memory."""
    alone = Path(__file__).parent / "alone.py"
    process = subprocess.Popen(
        [sys.executable, alone, tmp_path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        place = process.stdout.readline().decode().split()[-1]
        with greeted(place) as peer:
            assert peer.mail(b"x" * 1_000_000) == replies.ACCEPTED  # what is allowed needs room too
        until(lambda: list((tmp_path / "mail").glob("*/new/*")), "the delivery")
        with greeted(place) as peer:
            peer.envelope()
            before = memory(process.pid, "VmHWM")
            sent = 0
            with contextlib.suppress(ConnectionError):
                while sent < 200 * MEBIBYTE:
                    peer.say(endless)
                    sent += len(endless)
            assert sent < 40 * MEBIBYTE
            assert peer.has_ended()
        assert memory(process.pid, "VmHWM") - before < 5 * MEBIBYTE
        with greeted(place) as peer:
            assert peer.mail() == replies.ACCEPTED
    finally:
        process.terminate()
        assert process.wait(20) == 0
        process.stdout.close()


def test_too_big(running: Running) -> None:
    """T2: a mail over the limit is refused at its end, and the session goes on."""
    with running.peer().hello() as peer:
        limit = Limits().size
        frame = len(MAIL % b"") - len(b".\r\n")
        assert peer.mail(b"x" * (limit - frame)) == replies.ACCEPTED
        assert peer.mail(b"x" * (limit - frame + 1)) == replies.TOO_BIG
        assert peer.mail(b"\r\n".join([b"x" * 70] * 20_000)) == replies.TOO_BIG
        assert peer.mail(b"next") == replies.ACCEPTED
    assert len(running.handled()) == 2


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
    with running.peer().hello() as peer:
        assert peer.mail(b"outer" + end + inner) == replies.ACCEPTED
        assert peer.ask(b"NOOP") == replies.OK
    ((envelope, raw),) = running.handled()
    assert envelope == Envelope("alice@home.example", (SERVER,))
    assert raw.endswith(b"smuggled\r\n")


def test_bare_line_feeds(running: Running) -> None:
    """T5: they arrive as they are, and each ends a line, once."""
    with running.peer().hello() as peer:
        assert peer.mail(b"star help\nstar show 1\r\nstar show 2") == replies.ACCEPTED
    lines = read(running.handled()[0][1], "pbm.example").lines
    assert lines == ("star help", "star show 1", "star show 2")


def test_bare_carriage_return(running: Running) -> None:
    """T6: it is a blank, so it makes no command and ends no header field."""
    with running.peer().hello() as peer:
        assert peer.mail(b"st\rar help") == replies.ACCEPTED
    assert read(running.handled()[0][1], "pbm.example").lines == ("st ar help",)


@pytest.mark.parametrize("length", [1200, 100_000])
def test_long_lines(running: Running, length: int) -> None:
    """T7: a line may be as long as a mail: phones write paragraphs and HTML as one line."""
    with running.peer().hello() as peer:
        assert peer.mail(b"x" * length) == replies.ACCEPTED
        assert peer.mail(b"next") == replies.ACCEPTED
    assert b"x" * length in running.handled()[0][1]


def test_slow_content(tmp_path: Path, database: str) -> None:
    """T14: the time for a whole content is limited, however regularly a byte of it comes."""
    limits = Limits(content=0.4)
    with Running(tmp_path / "spool", database, limits=limits) as running:
        peer = running.peer().hello().envelope()
        began = time.monotonic()
        told = b""
        peer.sock.settimeout(0.02)
        while not told and time.monotonic() - began < 10:
            peer.say(b"x")
            with contextlib.suppress(TimeoutError):
                told = peer.sock.recv(100)
        assert told == replies.TIMEOUT.encode() + b"\r\n"
        assert 0.3 < time.monotonic() - began < 5
        peer.sock.close()
        assert running.handled() == []


@pytest.mark.parametrize("limits", [Limits(idle=0.4), Limits(session=0.4)], ids=["idle", "session"])
def test_slow_commands(tmp_path: Path, database: str, limits: Limits) -> None:
    """T14: the time for a command is limited too, and that of a session."""
    with Running(tmp_path / "spool", database, limits=limits) as running, running.peer() as peer:
        began = time.monotonic()
        peer.say(b"NO")
        assert peer.hear() == replies.TIMEOUT
        assert 0.3 < time.monotonic() - began < 5
        assert peer.has_ended()


def test_client_gone_after_the_dot(running: Running) -> None:
    """T18: the mail is carried out whole though nobody hears of it; sent again it is a duplicate."""
    service = running.service
    peer = running.peer().hello().envelope()
    peer.say(MAIL % b"wait")
    assert service.entered.wait(20)
    peer.reset()
    until(lambda: not running.daemon._doors[0].sessions, "the end of the session")
    assert running.handled() == []
    service.gate.set()
    until(running.handled, "the mail")
    with running.peer().hello() as peer:
        assert peer.mail(b"wait") == replies.ACCEPTED
    assert len(running.handled()) == 1


def test_client_gone_before_the_dot(running: Running) -> None:
    """T18: a mail without its end is none."""
    peer = running.peer().hello().envelope()
    peer.say((MAIL % b"hello")[:-3])
    peer.sock.close()
    until(lambda: not running.daemon._doors[0].sessions, "the end of the session")
    assert running.handled() == []


def test_half_closed_client(running: Running) -> None:
    """T19: who has said all at once and closed his side still hears the answers."""
    with Peer(running.names[0]) as peer:
        peer.say(b"EHLO me\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<star@pbm.example>\r\nDATA\r\n")
        peer.say(MAIL % b"hello")
        peer.sock.shutdown(socket.SHUT_WR)
        told = [peer.hear()[:3] for _ in range(7)]
    assert told == ["220", "250", "250", "250", "354", "250", ""]
    assert len(running.handled()) == 1


@pytest.mark.parametrize("said", [b"", b"NOO", b"NOOP\r\n"])
def test_half_closed_elsewhere(running: Running, said: bytes) -> None:
    """T19: in the middle of a command, or of a content, there is nothing to answer."""
    with running.peer() as peer:
        peer.say(said)
        peer.sock.shutdown(socket.SHUT_WR)
        assert peer.has_ended()
    with running.peer().hello().envelope() as peer:
        peer.say(b"half a mai" + said)
        peer.sock.shutdown(socket.SHUT_WR)
        assert peer.has_ended()
    assert running.handled() == []


_TEXT = st.lists(st.sampled_from([b"\r", b"\n", b".", b"a", b"\r\n", b"\r\n.", b"\r\n.\r\n"]))


@given(pieces=_TEXT, cuts=st.lists(st.integers(1, 6)))
def test_content_however_it_is_cut(pieces: list[bytes], cuts: list[int]) -> None:
    """The end is found wherever the segments of the network are cut."""
    whole = b"".join(pieces)
    stream, at = whole + b"\r\n.\r\nQUIT\r\n", 0
    content = Content(1000)
    rest = None
    for size in [*cuts, len(stream)]:
        rest = content.feed(stream[at : at + size])
        at += size
        if rest is not None:
            rest += stream[at:]
            break
    assert rest is not None
    end = (b"\r\n" + stream).index(b"\r\n.\r\n") - 2  # of the text, its last line end included
    expected = stream[: end + 2]
    assert rest == stream[end + 5 :]
    lines = expected.split(b"\r\n")
    assert content.text() == b"\r\n".join(line.removeprefix(b".") for line in lines)


@given(size=st.integers(0, 40), pieces=st.lists(st.binary(max_size=9)))
def test_content_keeps_no_more_than_its_size(size: int, pieces: list[bytes]) -> None:
    content = Content(size)
    for piece in pieces:
        if content.feed(piece) is not None:
            break
        assert len(content._kept) <= size + 5
