"""An operator follows the pages of docs/how-to: as another user, backup, restore."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness.client import send
from harness.server import Server, until
from readme import blocks

pytestmark = pytest.mark.slow
TO = "star@localhost"


def mail(server: Server, author: str, subject: str) -> None:
    """Send a command."""
    raw = f"From: {author}@{author}.example\r\nTo: {TO}\r\nSubject: {subject}\r\n\r\n"
    assert send(server.port, raw.encode(), TO).startswith("250")


def test_the_log_ties_mails_commands_and_letters(tmp_path: Path) -> None:
    """And it names no address, password or Subject."""

    def sent() -> list[int]:
        return sorted(letter for line in server.logged("sent") for letter in line["letters"])

    with Server(tmp_path) as server:
        server.add("alice", "bob")
        server.start()
        mail(server, "alice", "star challenge alice bob")
        mail(server, "alice", "star move 1 alice s3cret F6")
        mail(server, "bob", "star move 1 bob s3cret F6")
        until(lambda: len(sent()) == 5, "letters")
        mails = server.logged("mail")
        assert len({line["id"] for line in mails}) == 3
        assert [(line["outcome"], line["commands"], len(line["letters"])) for line in mails] == [
            ("applied", ["star challenge 1"], 2),
            ("applied", ["star move 1"], 2),
            ("refused", ["star move 1"], 1),
        ]
        assert sent() == [letter for line in mails for letter in line["letters"]] == [1, 2, 3, 4, 5]
        for word in ("alice@", "bob@", "s3cret", "F6"):
            assert word not in server.log.read_text()


def test_backup_and_restore(tmp_path: Path) -> None:
    """A backup that was made while the daemon ran is a database to start from; play goes on."""
    copy = tmp_path / "copy.db"
    with Server(tmp_path / "before") as before:
        before.add("alice", "bob")
        before.start()
        mail(before, "alice", "star challenge -size=4 alice bob")
        mail(before, "alice", "star move 1 alice s3cret C3")
        assert before.says("admin", "backup", str(copy)) == f"Backup {copy} written.\n"
        mail(before, "bob", "star move 1 bob s3cret D4")
        assert before.stop() == 0
    assert copy.stat().st_mode & 0o077 == 0
    with Server(tmp_path / "after") as after:
        after.spool.mkdir(mode=0o700)
        shutil.copy(copy, after.spool / "pbmstar.db")
        after.start()
        mail(after, "bob", "star move 1 bob s3cret D1")
        assert after.stop() == 0
    text = after.says("admin", "export", "1")
    assert "C3" in text and "D1" in text and "D4" not in text
    assert after.says("admin", "check") == "0 differences.\n"
    # In place of the files that a daemon has left: without its -wal, which would spoil the copy.
    for left in before.spool.glob("pbmstar.db*"):
        left.unlink()
    shutil.copy(copy, before.spool / "pbmstar.db")
    assert "D4" not in before.says("admin", "export", "1")
    assert before.says("admin", "check") == "0 differences.\n"


def test_the_drill_of_a_restore(tmp_path: Path) -> None:
    """As it is printed, but with folders of our own: it is of the backup, and sends nothing."""
    copy = tmp_path / "copy.db"
    with Server(tmp_path / "running") as server:
        server.add("alice", "bob")
        server.start()
        mail(server, "alice", "star challenge -size=4 alice bob")
        server.says("admin", "backup", str(copy))
        (drill,) = blocks("## Practice", "sh")
        drill = drill.replace("/tmp/drill", f"{tmp_path}/drill")
        drill = drill.replace("/var/backups/pbmstar/2026-12-01.db", str(copy))
        done = subprocess.run(
            ["sh", "-e", "-c", drill],
            check=True,
            capture_output=True,
            text=True,
            timeout=600,
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        )
    assert done.stdout.startswith("0 differences.\n")
    assert "\nusers: 2\n" in done.stdout and "\nrunning: 1\n" in done.stdout
    assert not (tmp_path / "drill-mail").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_started_in_a_directory_of_another_user(tmp_path: Path) -> None:
    """``runuser -u pbmstar -- pbmstar ...`` in root's home: what it may not look into is passed over."""
    home = tmp_path / "root"
    home.mkdir(mode=0o700)
    nobody = pwd.getpwnam("nobody")
    code = (
        "import os, sys; from pbmstar import config; from pathlib import Path; os.chdir(sys.argv[1])\n"
        f"os.setgroups([]); os.setgid({nobody.pw_gid}); os.setuid({nobody.pw_uid})\n"
        "config.FILES = (Path('pbmstar.toml'), Path('/nowhere/pbmstar.toml'))\n"
        "print(config.load({'spool': '/nowhere'}, {}).address)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, home],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (done.stdout, done.stderr) == ("star@localhost\n", "")
