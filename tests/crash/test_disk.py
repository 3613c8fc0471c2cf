"""The daemon on a disk that fails, is full, or may not be written to; and out of file descriptors."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from crash.running import (
    Line,
    Players,
    all_is_well,
    delivered,
    holds,
    is_exactly,
    letters_came,
    moves,
    send,
    served,
    server_of,
    traced,
    world_of,
)
from harness.server import until
from harness.sink import Sink

from pbmstar.smtp.server import PATIENCE

pytestmark = pytest.mark.slow
MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("pwrite64:error=ENOSPC:when=9..30", "452"),
        ("pwrite64:error=EIO:when=20..50+3", "451"),
    ],
)
def test_failing_disk(fault: str, code: str, tmp_path: Path) -> None:
    """CP7, CP24, T24: calls fail for a while in a running daemon, then no more: no 250
    without the move, all moves sent again are applied once, and so it is after kill -9."""
    with served(tmp_path, 4) as (server, sink):
        sessions = [moves(board, 12) for board in range(1, 5)]
        assert send(server.port, sessions[0][0].raw).startswith("250")
        with traced(server.pid, fault):
            players = Players([server.port], sessions)
            until(lambda: players.replies, "refusal")
            holds(server.database, list(players.acked))
            players.join()
        assert all(reply.startswith(code) for reply in players.replies), players.replies
        server.kill()
        server.start()
        all_is_well(server, sink, sessions)


@pytest.mark.parametrize("fault", ["fdatasync:error=EIO:when=1", "fdatasync:error=EIO:when=6+"])
def test_commit_that_is_not_confirmed(fault: str, tmp_path: Path) -> None:
    """CP8, CP25: the daemon takes no mail any more and ends, for systemd to start it again; whatever
    was not answered with 250 is sent again, and in the end all is there once."""
    with served(tmp_path, 4) as (server, sink):
        sessions = [moves(board, 12) for board in range(1, 5)]
        assert server.process is not None
        with traced(server.pid, fault):
            players = Players([server.port], sessions)
            # A stop waits for a peer in the middle of a mail as long as the daemon is patient.
            assert server.process.wait(PATIENCE + 60) == 75
        log = server.log.read_text()
        assert "the disk did not confirm a commit" in log and "Traceback" not in log
        holds(server.database, list(players.acked))
        server.start()
        players.join()
        assert {reply[:3] for reply in players.replies} <= {"451", "421"}, players.replies
        server.kill()
        server.start()
        all_is_well(server, sink, sessions)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, a little bigger than what the daemon wants to have free."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=72m", "tmpfs", str(place)]
    if subprocess.run(mounted, check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    (place / "spool").mkdir()
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> Path:
    """Fill a file system; returns the file that does."""
    file = place / "full"
    for block in (bytes(MEGABYTE), b"x" * 512):
        with open(file, "ab", buffering=0) as written, suppress(OSError):
            while written.write(block):
                pass
    return file


def envelope(port: int) -> str:
    """What is said until the content."""
    with Line(port) as line:
        return line.envelope()


def test_disk_full(small: Path) -> None:
    """CP24, T24: a full disk is 452 at MAIL, and where it fills up in mid-mail, after the content;
    ``receive`` says 75. When there is room again all goes on, and nothing was lost."""
    (first, second, third, fourth) = mails = moves(1, 4)
    log = small.parent / "log"
    with Sink() as sink, server_of(small, relay=sink.url) as server:
        world_of(server.database, 1)
        server.start(log=log)
        assert send(server.port, first.raw).startswith("250")
        delivered(server.database)
        with Line(server.port) as line:
            assert line.envelope().startswith("354")
            full = fill(small)
            assert line.say(second.raw + b"\r\n.").startswith("452 4.3.1")
        until(lambda: envelope(server.port).startswith("452 4.3.1"), "refusal at MAIL")
        assert server.run("receive", "-f", "x@y.example", stdin=third.raw).returncode == 75
        full.unlink()
        until(lambda: send(server.port, second.raw).startswith("250"), "acceptance")
        assert send(server.port, third.raw).startswith("250")
        fill(small)
        server.kill()
        assert server.run("receive", "-f", "x@y.example", stdin=fourth.raw).returncode == 75
        assert server.run("serve").returncode == 75
        full.unlink()
        server.start(log=log)
        assert send(server.port, fourth.raw).startswith("250")
        all_is_well(server, sink, [mails])


def test_read_only(small: Path) -> None:
    """CP27: on a file system that became read-only a mail is not taken, and comes again."""
    (first,) = moves(1, 1)
    server = server_of(small)
    world_of(server.database, 1)
    assert server.run("admin", "check").returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    done = server.run("receive", "-f", "x@y.example", stdin=first.raw)
    assert done.returncode == 75 and b"Traceback" not in done.stderr, done
    subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)
    assert server.run("receive", "-f", "x@y.example", stdin=first.raw).returncode == 0
    is_exactly(server.database, [[first]])


def test_log_that_cannot_be_written(tmp_path: Path) -> None:
    """CP26: mail goes on."""
    sessions = [moves(1, 5)]
    with served(tmp_path, 1) as (server, sink):
        assert server.stop() == 0
        server.start(log=Path("/dev/full"))
        Players([server.port], sessions).join()
        delivered(server.database)
        assert server.stop() in (0, 120)  # 120: what Python says when its log cannot be flushed
        is_exactly(server.database, sessions)
        letters_came(sink, sessions)


def test_no_file_descriptors(tmp_path: Path) -> None:
    """CP28: with all of them taken by idle peers it answers who is inside, and later all others."""
    sessions = [moves(1, 3), moves(2, 3)]
    # Started anew, it still has templates to open.
    with served(tmp_path, 2, truly=True) as (server, sink), ExitStack() as stack:
        stack.callback(server.kill)
        inside = stack.enter_context(Line(server.port))
        assert inside.mail(sessions[0][0].raw).startswith("250")
        delivered(server.database)
        open_now = len(os.listdir(f"/proc/{server.pid}/fd"))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (open_now + 10, open_now + 10))
        crowd = [Line(server.port) for _ in range(40)]
        until(lambda: len(os.listdir(f"/proc/{server.pid}/fd")) >= open_now + 9, "crowd")
        assert inside.mail(sessions[0][1].raw)[:3] in ("250", "451")
        for line in crowd:
            line.close()
        Players([server.port], sessions).join()
        all_is_well(server, sink, sessions)
