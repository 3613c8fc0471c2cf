"""LMTP, where the daemon listens, and how it ends. The ids are those of the catalogue."""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.sink import Sink
from peers import MAIL, SERVER, Peer, Running, Standin, until

from pbmstar import config
from pbmstar.errors import BadInput, Passing
from pbmstar.smtp import server as daemon
from pbmstar.smtp import sockets as listen
from pbmstar.smtp import status as replies

ALONE = Path(__file__).parent / "alone.py"


@pytest.fixture
def lmtp(tmp_path: Path, database: str) -> Iterator[Running]:
    with Running(tmp_path / "spool", database, lmtp=f"unix:{tmp_path}/lmtp") as made:
        yield made


@contextlib.contextmanager
def alone(
    spool: Path, *options: str, log: str = "/dev/null"
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A daemon in a process of its own, and where it listens."""
    with open(log, "wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, ALONE, spool, *options], stdout=subprocess.PIPE, stderr=stderr
        )
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().decode().split()[-1]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def greeted(place: str, word: bytes = b"EHLO") -> Peer:
    """A connection, introductions done."""
    peer = Peer(place)
    assert peer.hear().startswith("220")
    return peer.hello(word)


# -- LMTP


def test_two_recipients(lmtp: Running) -> None:
    """T20: by LMTP each recipient gets a reply, and the mail has its effect once."""
    with lmtp.peer(lmtp.names[1]).hello(b"LHLO") as peer:
        peer.envelope(b"alice@home.example", b"star@pbm.example", b"star+x@pbm.example")
        peer.say(MAIL % b"hello")
        assert [peer.hear(), peer.hear()] == [replies.ACCEPTED] * 2
        assert peer.ask(b"NOOP") == replies.OK
    ((envelope, _),) = lmtp.handled()
    assert envelope.recipients == ("star@pbm.example", "star+x@pbm.example")


def test_good_and_unknown_recipient(lmtp: Running) -> None:
    """T21: each recipient is answered for itself, and only who was accepted is told of the mail."""
    with lmtp.peer(lmtp.names[1]).hello(b"LHLO") as peer:
        assert peer.ask(b"MAIL FROM:<a@b.example>").startswith("250")
        assert peer.ask(b"RCPT TO:<nobody@pbm.example>") == replies.NO_MAILBOX
        assert peer.ask(b"RCPT TO:<star@pbm.example>") == replies.RECIPIENT_OK
        assert peer.ask(b"RCPT TO:<v@w.example>") == replies.NO_RELAY
        assert peer.ask(b"DATA").startswith("354")
        peer.say(MAIL % b"hello" + b"NOOP\r\n")
        assert [peer.hear(), peer.hear()] == [replies.ACCEPTED, replies.OK]


def test_troubles_by_lmtp(lmtp: Running) -> None:
    """T20: a refusal would bounce to a forged sender: what cannot be read is taken and dropped."""
    told = {b"unreadable": replies.ACCEPTED, b"bug": replies.ACCEPTED, b"passing": replies.TROUBLE}
    with lmtp.peer(lmtp.names[1]).hello(b"LHLO") as peer:
        for text, reply in told.items():
            peer.envelope(b"", b"star@pbm.example", b"star@pbm.example")
            peer.say(MAIL % text)
            assert [peer.hear(), peer.hear()] == [reply] * 2
    assert lmtp.handled() == []


def test_lmtp_is_not_smtp(lmtp: Running) -> None:
    with lmtp.peer(lmtp.names[1]) as peer:
        assert peer.ask(b"EHLO me") == replies.UNKNOWN
        assert peer.ask(b"HELO me") == replies.UNKNOWN
        assert peer.ask(b"LHLO me").startswith("250-pbm.example\n250-PIPELINING")
    with lmtp.peer() as peer:
        assert peer.ask(b"LHLO me") == replies.UNKNOWN


def test_lmtp_has_no_caps(lmtp: Running) -> None:
    """Our own mail server may come as often as it likes."""
    peers = [lmtp.peer(lmtp.names[1]).hello(b"LHLO") for _ in range(30)]
    assert all(peers[0].mail(b"%d" % n) == replies.ACCEPTED for n in range(120))
    for peer in peers:
        peer.sock.close()


# -- listening


def test_socket_file(tmp_path: Path, database: str) -> None:
    """The mail server's user may write to it; what a killed daemon left is replaced; it goes away."""
    path = tmp_path / "lmtp"
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()
    with Running(tmp_path / "spool", database, lmtp=f"unix:{path}") as running:
        assert running.names[1] == f"unix:{path}"
        assert stat.S_IMODE(path.stat().st_mode) == 0o666
        with pytest.raises(Passing):  # two daemons at one socket
            listen._clear(path)
        with running.peer(f"unix:{path}").hello(b"LHLO") as peer:
            assert peer.mail() == replies.ACCEPTED
    assert not path.exists()


def test_lmtp_on_a_port(tmp_path: Path, database: str) -> None:
    with (
        Running(tmp_path / "spool", database, lmtp="127.0.0.1:0") as running,
        running.peer(running.names[1]).hello(b"LHLO") as peer,
    ):
        assert peer.mail() == replies.ACCEPTED


def test_port_in_use(tmp_path: Path) -> None:
    """The daemon says so and ends; nothing of it stays."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, ALONE, tmp_path, f"listen=127.0.0.1:{port}"],
            capture_output=True,
            timeout=20,
            check=False,
        )
    assert done.returncode == 1
    assert done.stdout == b""
    assert f"Passing: cannot listen on 127.0.0.1:{port}: ".encode() in done.stderr


def test_places(tmp_path: Path) -> None:
    running = Running(tmp_path, listen="[::1]:8025", lmtp="unix:/run/x")
    assert [tuple(place) for place in listen.places(running.config)] == [
        (False, None, "::1", 8025),
        (True, Path("/run/x"), "", 0),
    ]
    told = {"spool": str(tmp_path), "address": SERVER, "relay": "maildir:"}
    with pytest.raises(BadInput):
        daemon.Daemon(config.load(told, {}), Standin(), running.store)
    running.store.close()


# -- what it lives in


def test_log_that_cannot_be_written(tmp_path: Path) -> None:
    """CP26: a full disk under the log is no reason to stop taking mail."""
    with alone(tmp_path, log="/dev/full") as (process, place):
        with greeted(place) as peer:
            assert peer.mail(b"1") == peer.mail(b"2") == replies.ACCEPTED
            assert peer.mail(b"bug") == replies.ACCEPTED
        process.terminate()
        assert process.wait(20) == 0


def test_no_file_descriptors_left(tmp_path: Path) -> None:
    """CP28: who comes when there are none left has to wait; who is inside is served."""
    with alone(tmp_path, "limits=off") as (process, place):
        with greeted(place) as peer:
            assert peer.mail(b"1") == replies.ACCEPTED
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (40, 40))
            crowd = [Peer(place) for _ in range(60)]
            assert peer.mail(b"2")[:3] in ("250", "451")
            for each in crowd:
                each.sock.close()
        with greeted(place) as peer:
            assert peer.mail(b"3") == replies.ACCEPTED
        process.terminate()
        assert process.wait(20) == 0


# -- the end


def test_stop_finishes_what_is_in_flight(tmp_path: Path) -> None:
    """A mail whose content has begun is answered; others hear 421; the daemon ends with 0."""
    with alone(tmp_path) as (process, place):
        sending = greeted(place).envelope()
        idle = greeted(place)
        half = greeted(place)
        assert half.ask(b"MAIL FROM:<a@b.example>").startswith("250")
        sending.say((MAIL % b"in flight")[:50])
        process.send_signal(signal.SIGTERM)
        assert idle.hear() == half.hear() == replies.CLOSING
        assert idle.has_ended() and half.has_ended()
        with pytest.raises(ConnectionRefusedError):
            Peer(place)
        assert process.poll() is None
        sending.say((MAIL % b"in flight")[50:])
        assert sending.hear() == replies.ACCEPTED
        assert sending.has_ended()
        assert process.wait(20) == 0
        for peer in (sending, idle, half):
            peer.sock.close()
    with Running(tmp_path) as running:  # the letter is there, or is delivered now
        until(lambda: list((running.spool / "mail").glob("*/new/*")), "the letter")


def stop_within(running: Running, patience: float) -> None:
    """Stop the daemon, with less patience than it has for users, and wait for the end."""
    asyncio.run_coroutine_threadsafe(running.daemon.stop(patience), running.loop).result(20)


def test_stop_does_not_wait_for_ever(tmp_path: Path, database: str) -> None:
    """Who does not end his content is cut after a while."""
    with Running(tmp_path / "spool", database) as running:
        peer = running.peer().hello().envelope()
        stop_within(running, 0.2)
        assert peer.has_ended()
        peer.sock.close()


def test_stop_waits_for_mails_without_a_peer(tmp_path: Path, database: str) -> None:
    """A mail whose sender is gone is still carried out."""
    with Running(tmp_path / "spool", database) as running:
        peer = running.peer().hello().envelope()
        peer.say(MAIL % b"wait")
        assert running.service.entered.wait(20)
        peer.reset()
        until(lambda: not running.daemon._doors[0].sessions)
        running.stop()
        running.service.gate.set()
    assert len(running.handled()) == 1


def test_stop_with_a_silent_relay(tmp_path: Path, database: str) -> None:
    """The letter under way gets its time, then the line is cut; it is not lost."""
    with (
        Sink(lambda step, _n, _letter: "stall" if step == "dot" else None) as sink,
        Running(tmp_path / "spool", database, relay=sink.url) as running,
    ):
        with running.peer().hello() as peer:
            assert peer.mail() == replies.ACCEPTED
        until(lambda: sink.steps.get("dot"), "the letter")
        stop_within(running, 0.2)
        with running.store.transaction() as tx:
            (letter,) = tx.letters()
        assert (letter.state, letter.due) == ("new", letter.made)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_kill_and_restart(tmp_path: Path, seed: int) -> None:
    """T18, O1: killed while mails come in, it has carried out all that it acknowledged, once."""
    rng = random.Random(seed)
    acknowledged = []
    with Sink() as sink:
        for _ in range(2):
            with alone(tmp_path, f"relay={sink.url}", "limits=off") as (process, place):
                peer = greeted(place)
                timer = threading.Timer(rng.uniform(0.01, 0.25), process.kill)
                timer.start()
                number = 0
                with contextlib.suppress(ConnectionError, AssertionError):
                    while True:
                        number += 1
                        text = b"mail %d of %d %d" % (number, seed, process.pid)
                        if peer.mail(text) != replies.ACCEPTED:
                            break
                        acknowledged.append(text)
                timer.join()
                peer.sock.close()
        with Running(tmp_path, relay=sink.url) as running:

            def done() -> bool:
                with running.store.transaction() as tx:
                    return not tx.letters()

            until(done, "the delivery")
        by_id: dict[str, set[bytes]] = {}
        for letter in sink.letters:
            by_id.setdefault(letter.content.split(b"mail ")[-1].decode(), set()).add(letter.content)
    assert acknowledged
    assert {text.decode().removeprefix("mail ") + "\r\n" for text in acknowledged} <= set(by_id)
    assert all(len(contents) == 1 for contents in by_id.values())
