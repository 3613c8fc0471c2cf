"""LMTP, where the daemon listens, and how it ends. The ids are those of the catalogue."""

from __future__ import annotations

import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from harness.server import until
from harness.sink import Sink, Taken
from peers import Alone, Running, raw
from standin import PATIENCE, SERVER, configured

from pbmstar.errors import BadInput, TemporaryFailure
from pbmstar.intake.take import Intake
from pbmstar.smtp import sockets
from pbmstar.store import STRANGERS, NewLetter, Store

Start = Callable[..., Running]
Logged = Callable[[], list[dict[str, Any]]]

# -- LMTP


def test_two_recipients(lmtp: Running, logged: Logged) -> None:
    """T20: by LMTP each recipient gets a reply, and the mail has its effect once."""
    peer = lmtp.peer(lmtp.names[1], hello="LHLO")
    peer.envelope("alice@home.example", "star@pbm.example", "star+x@pbm.example")
    peer.send(b"hello")
    replies = [peer.hear(), peer.hear()]
    peer.ask("NOOP", "250 2.0.0 OK")
    ((envelope, _),) = lmtp.service.seen
    assert envelope.recipients == ("star@pbm.example", "star+x@pbm.example")
    assert replies == [f"250 2.0.0 Accepted {line['id']}" for line in logged()] * 2


def test_good_and_unknown_recipient(lmtp: Running) -> None:
    """T21: each recipient has an answer of its own, and the mail one for each that was accepted."""
    lmtp.peer(lmtp.names[1], hello="LHLO").talk("""
        MAIL FROM:<a@b.example>                   250
        RCPT TO:<nobody@pbm.example>              550 5.1.1
        RCPT TO:<star@pbm.example>                250 2.1.5
        RCPT TO:<v@w.example>                     550 5.7.1
        DATA                                      354
        .                                         250 2.0.0 Accepted
        NOOP                                      250 2.0.0 OK""")


def test_troubles_by_lmtp(lmtp: Running) -> None:
    """T20: a refusal would bounce to a forged sender: what cannot be read is taken and dropped."""
    peer = lmtp.peer(lmtp.names[1], hello="LHLO")
    for text, code in ((b"unreadable", "250"), (b"bug", "250"), (b"passing", "451")):
        peer.envelope("", "star@pbm.example", "star@pbm.example")
        peer.send(text)
        peer.expect(code, code)
    assert lmtp.texts() == []


def test_lmtp_is_not_smtp(lmtp: Running) -> None:
    peer = lmtp.peer(lmtp.names[1], hello="")
    peer.ask("EHLO me", "500")
    peer.ask("HELO me", "500")
    peer.ask("LHLO me", "250-pbm.example\n250-PIPELINING")
    lmtp.peer(hello="").ask("LHLO me", "500")


@pytest.mark.slow
def test_lmtp_has_no_caps(lmtp: Running) -> None:
    """Our own mail server may come as often as it likes."""
    peers = [lmtp.peer(lmtp.names[1], hello="LHLO") for _ in range(31)]
    for number in range(101):
        peers[0].mail(b"%d" % number)


# -- listening


def test_socket_file(start: Start, tmp_path: Path) -> None:
    """The mail server's user may write to it; what a killed daemon left is replaced; it goes away."""
    path = tmp_path / "lmtp"
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()
    running = start(lmtp=f"unix:{path}")
    assert running.names[1] == f"unix:{path}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o666
    with pytest.raises(TemporaryFailure):  # two daemons at one socket
        sockets.remove_stale(path)
    running.peer(f"unix:{path}", hello="LHLO").mail()
    running.hang_up()
    running.stop()
    assert not path.exists()


def test_lmtp_on_a_port(start: Start) -> None:
    running = start(lmtp="127.0.0.1:0")
    running.peer(running.names[1], hello="LHLO").mail()


@pytest.mark.slow
def test_port_in_use(tmp_path: Path, empty_sqlite: Path) -> None:
    """The daemon says so and ends; nothing of it stays."""
    shutil.copy(empty_sqlite, tmp_path / "pbmstar.db")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run(
            [sys.executable, Path(__file__).parent / "alone.py", tmp_path, f"listen={place}"],
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stdout) == (1, b"")
    assert f"TemporaryFailure: cannot listen on {place}: ".encode() in done.stderr


def test_endpoints(tmp_path: Path) -> None:
    config = configured(tmp_path, listen="[::1]:8025", lmtp="unix:/run/x")
    assert [tuple(each) for each in sockets.endpoints(config)] == [
        (False, None, "::1", 8025),
        (True, Path("/run/x"), "", 0),
    ]


@pytest.mark.few(3)
@pytest.mark.parametrize("key", ["listen", "lmtp", "relay"])
@pytest.mark.parametrize(
    "text", ["nonsense", "maildir:", "1.2.3.4:99999", "smtp://", "smtp://u:s3cret@host"]
)
def test_bad_configuration(tmp_path: Path, database: str, key: str, text: str) -> None:
    """What cannot be read is told to the operator at the start, without a password."""
    running = Running(tmp_path / "spool", database=database, **{key: text})
    with pytest.raises(BadInput, match=f"^{key}: ") as raised:
        running.make()
    assert "u:s3cret" not in str(raised.value)
    running.store.close()


# -- what it lives in


@pytest.mark.slow
def test_log_that_cannot_be_written(alone: Callable[..., Alone]) -> None:
    """CP26: a full disk under the log is no reason to stop taking mail."""
    daemon = alone(log="/dev/full")
    peer = daemon.peer()
    for text in (b"1", b"2", b"bug"):
        peer.mail(text)
    assert daemon.terminate() == 0


@pytest.mark.slow  # the loop tries again after a second
def test_no_file_descriptors_left(alone: Callable[..., Alone]) -> None:
    """CP28: who comes when there are none left has to wait; who is inside is served."""
    daemon = alone("limits=off", truly=True)
    inside = daemon.peer()
    inside.mail(b"1")
    resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (40, 40))
    for _ in range(60):
        daemon.connect()
    inside.envelope().send(b"2")
    assert inside.hear()[:3] in ("250", "451")
    daemon.hang_up()
    daemon.peer().mail(b"3")
    assert daemon.terminate() == 0


_GIVES_BACK = """
import re, sys, threading
from pathlib import Path
from pbmstar.grammar.literals import Secret
from pbmstar.identity import hash_password
from pbmstar.smtp import server

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

server.give_memory_back()
before = resident()
for _ in range(3):
    hashing = threading.Thread(target=hash_password, args=(Secret("s3cret"),))
    hashing.start()
    hashing.join()
print(resident() - before, "PIL" in sys.modules)
"""


@pytest.mark.slow
def test_memory_stays_small() -> None:
    """The 19 MiB of a password's hash are given back; Pillow is where letters are written, not here."""
    done = subprocess.run(
        [sys.executable, "-c", _GIVES_BACK], capture_output=True, text=True, check=True
    )
    grown, draws = done.stdout.split()
    assert int(grown) < 8 * 1024
    assert draws == "False"


# -- the end


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stop_finishes_what_is_in_flight(
    alone: Callable[..., Alone], tmp_path: Path, number: int
) -> None:
    """A mail whose content has begun is answered; others hear 421; the daemon ends with 0.

    A SIGHUP before, which asks other daemons to read their configuration again, changes nothing.
    """
    daemon, content = alone(), raw(b"in flight") + b".\r\n"
    sending, idle, half = daemon.peer().envelope(), daemon.peer(), daemon.peer()
    half.ask("MAIL FROM:<a@b.example>", "250")
    sending.say(content[:50])
    daemon.process.send_signal(signal.SIGHUP)
    idle.ask("NOOP", "250")
    daemon.process.send_signal(number)
    for peer in (idle, half):
        peer.expect("421 4.3.2", "")
    with pytest.raises(ConnectionRefusedError):
        daemon.connect()
    assert daemon.process.poll() is None
    sending.say(content[50:])
    sending.expect("250 2.0.0", "")
    assert daemon.process.wait(PATIENCE) == 0
    with Running(tmp_path) as running:  # the letter is there, or is delivered now
        until(running.delivered, "the letter")


def test_stop_does_not_wait_for_ever(running: Running) -> None:
    """A peer that does not end its content is cut after a while."""
    peer = running.peer().envelope()
    running.stop(0.2)
    assert not running.sessions()
    peer.expect("")


def test_stop_waits_for_mails_without_a_peer(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail whose sender is gone is still carried out, even if it is only being read."""
    finish = Intake.finish

    async def opened(intake: Intake, patience: float) -> bool:
        running.service.gate.set()
        return await finish(intake, patience)

    monkeypatch.setattr(Intake, "finish", opened)
    peer = running.peer().envelope()
    running.hold(peer, b"ponder" + b"x" * 100_000)
    peer.close(reset=True)
    until(lambda: not running.sessions())
    running.stop()
    assert len(running.texts()) == 1


def test_stop_with_a_silent_relay(start: Start) -> None:
    """The letter under way gets its time, then the line is cut; it is not lost."""
    with Sink(lambda step, _n, _letter: "stall" if step == "dot" else None) as sink:
        running = start(relay=sink.url)
        running.peer().mail()
        until(lambda: sink.steps.get("dot"), "the letter")
        running.hang_up()
        running.stop(0.2)
        with running.store.transaction() as tx:
            (letter,) = tx.outbox.unsent()
        assert (letter.state, letter.due) == ("new", 0.0)


@pytest.mark.slow
def test_stop_gives_up_a_job_that_does_not_end(
    start: Start, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    """Neither its mail nor its commit is waited for; the process may end, and the mail comes again."""
    monkeypatch.setattr("pbmstar.smtp.server.PATIENCE", 0.1)
    running = start()
    peer = running.peer().envelope()
    running.hold(peer, b"wait")
    running.stop(0.1)
    peer.expect("")
    (given_up,) = [line["given_up"] for line in logged() if line["event"] == "stop"]
    assert {"mails", "commits"} <= set(given_up)  # on a busy machine a courier too
    running.service.gate.set()
    until(lambda: "writer" not in {each.name for each in threading.enumerate()}, "its end")


def test_a_letter_to_a_stranger_holds_up_no_player(start: Start, database: str) -> None:
    """Their letters have a line of their own, and the relay may take as long for one as it likes."""

    def rule(step: str, _count: int, letter: Taken) -> str | None:
        return "stall" if step == "dot" and "dora@d.example" in letter.recipients else None

    with closing(Store(database)) as store, store.transaction() as tx:
        letter = NewLetter("<1@x>", "", "dora@d.example", SERVER, b"\r\nhello", 1.0)
        tx.outbox.add(letter._replace(lane=STRANGERS))
    with Sink(rule) as sink:
        running = start(relay=sink.url)
        until(lambda: sink.steps.get("dot"), "the letter to the stranger")
        running.peer().mail()
        until(lambda: sink.letters, "the letter to the player")
        running.hang_up()
        running.stop(0.2)
