"""The daemon on a disk that fails, is full, or may not be written to; and out of file descriptors."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from harness.sink import Sink
from running import (
    Line,
    Players,
    Server,
    holds,
    is_exactly,
    letters_came,
    moves,
    send,
    traced,
    until,
    waiting,
    world_of,
)

pytestmark = pytest.mark.slow
MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("pwrite64:error=ENOSPC:when=9..30", "452"),
        ("pwrite64:error=EIO:when=20..50+3", "451"),
    ],
)
def test_failing_disk(fault: str, said: str, tmp_path: Path) -> None:
    """CP7, CP24, T24: calls fail for a while in a running daemon, then no more: no 250
    without the move, all moves sent again are applied once, and so it is after kill -9."""
    sessions = [moves(board, 12) for board in range(1, 5)]
    spool = tmp_path / "spool"
    spool.mkdir()
    database = f"sqlite:///{spool}/pbmstar.db"
    world_of(database, 4)
    with Sink() as sink, Server(spool, database, sink.url) as server:
        server.start()
        assert send(server.port, sessions[0][0].raw).startswith("250")
        with traced(
            server.pid, "-e", f"trace={fault.split(':', maxsplit=1)[0]}", "-e", f"inject={fault}"
        ):
            players = Players([server.port], sessions)
            until(lambda: players.replies, "refusal")
            holds(database, list(players.acked))
            players.join()
        assert all(reply.startswith(said) for reply in players.replies), players.replies
        server.kill()
        server.is_sound()
        is_exactly(database, sessions)
        server.start()
        until(lambda: waiting(database) == 0, "end of delivery")
        assert server.stop() == 0
        letters_came(sink, sessions)
    print(f"{len(players.replies)} refusals")


@pytest.mark.parametrize("fault", ["fdatasync:error=EIO:when=1", "fdatasync:error=EIO:when=6+"])
def test_commit_that_is_not_confirmed(fault: str, tmp_path: Path) -> None:
    """CP8, CP25: the daemon takes no mail any more and ends, for systemd to start it again; whatever
    was not answered with 250 is sent again, and in the end all is there once."""
    sessions = [moves(board, 12) for board in range(1, 5)]
    spool = tmp_path / "spool"
    spool.mkdir()
    database = f"sqlite:///{spool}/pbmstar.db"
    world_of(database, 4)
    with Sink() as sink, Server(spool, database, sink.url) as server:
        server.start()
        assert server.process is not None
        with traced(server.pid, "-e", "trace=fdatasync", "-e", f"inject={fault}"):
            players = Players([server.port], sessions)
            assert server.process.wait(30) == 75
        log = server.log.read_text()
        assert "the disk did not confirm a commit" in log and "Traceback" not in log
        holds(database, list(players.acked))
        server.start()
        players.join()
        assert {reply[:3] for reply in players.replies} <= {"451", "421"}, players.replies
        server.kill()
        server.is_sound()
        is_exactly(database, sessions)
        server.start()
        until(lambda: waiting(database) == 0, "end of delivery")
        assert server.stop() == 0
        letters_came(sink, sessions)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, a little bigger than what the daemon wants to have free."""
    place = tmp_path / "small"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=72m", "tmpfs", str(place)],
        check=False,
        capture_output=True,
    )
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> Path:
    """Fill a file system; returns the file that does."""
    file = place / "full"
    with open(file, "wb", buffering=0) as written, suppress(OSError):
        while written.write(bytes(MEGABYTE)):
            pass
    with open(file, "ab", buffering=0) as written, suppress(OSError):
        while written.write(b"x" * 512):
            pass
    return file


def envelope(port: int) -> str:
    """What is said until the content."""
    with Line(port) as line:
        return line.envelope()


def test_disk_full(small: Path) -> None:
    """CP24, T24: a full disk is 452 at MAIL, and where it fills up in mid-mail, after the content;
    ``receive`` says 75. When there is room again all goes on, and nothing was lost."""
    database = f"sqlite:///{small}/pbmstar.db"
    world_of(database, 1)
    (first, second, third, fourth) = moves(1, 4)
    with Sink() as sink, Server(small, database, sink.url) as server:
        server.start(log=small.parent / "log")
        assert send(server.port, first.raw).startswith("250")
        until(lambda: waiting(database) == 0, "delivery")
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
        server.start(log=small.parent / "log")
        assert send(server.port, fourth.raw).startswith("250")
        until(lambda: waiting(database) == 0, "delivery")
        assert server.stop() == 0
        server.is_sound()
        is_exactly(database, [[first, second, third, fourth]])
        letters_came(sink, [[first, second, third, fourth]])


def test_read_only(small: Path) -> None:
    """CP27: on a file system that became read-only a mail is not taken, and comes again."""
    database = f"sqlite:///{small}/pbmstar.db"
    world_of(database, 1)
    (first,) = moves(1, 1)
    server = Server(small, database)
    assert server.run("admin", "check").returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    done = server.run("receive", "-f", "x@y.example", stdin=first.raw)
    assert done.returncode == 75 and b"Traceback" not in done.stderr, done
    subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)
    assert server.run("receive", "-f", "x@y.example", stdin=first.raw).returncode == 0
    is_exactly(database, [[first]])


def test_log_that_cannot_be_written(database: str, tmp_path: Path) -> None:
    """CP26: mail goes on."""
    sessions = [moves(1, 5)]
    world_of(database, 1)
    with Sink() as sink, Server(tmp_path / "spool", database, sink.url) as server:
        server.start(log=Path("/dev/full"))
        Players([server.port], sessions).join()
        until(lambda: waiting(database) == 0, "delivery")
        assert server.stop() in (0, 120)  # 120: what Python says when its log cannot be flushed
        is_exactly(database, sessions)
        letters_came(sink, sessions)


def test_no_file_descriptors(database: str, tmp_path: Path) -> None:
    """CP28: with all of them taken by idle peers it answers who is inside, and later all others."""
    sessions = [moves(1, 3), moves(2, 3)]
    world_of(database, 2)
    with Sink() as sink, Server(tmp_path / "spool", database, sink.url) as server, ExitStack() as s:
        server.start()
        s.callback(server.kill)
        inside = s.enter_context(Line(server.port))
        assert inside.mail(sessions[0][0].raw).startswith("250")
        until(lambda: waiting(database) == 0, "delivery")
        open_now = len(os.listdir(f"/proc/{server.pid}/fd"))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (open_now + 10, open_now + 10))
        crowd = [Line(server.port) for _ in range(40)]
        until(lambda: len(os.listdir(f"/proc/{server.pid}/fd")) >= open_now + 9, "crowd")
        reply = inside.mail(sessions[0][1].raw)
        assert reply[:3] in ("250", "451")
        for line in crowd:
            line.close()
        Players([server.port], sessions).join()
        until(lambda: waiting(database) == 0, "delivery")
        assert server.stop() == 0
        is_exactly(database, sessions)
        letters_came(sink, sessions)
