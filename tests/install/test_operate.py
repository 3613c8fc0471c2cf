"""What README.md tells an operator to do, done: as another user, backup, restore, upgrade."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def pbmstar(folder: Path, *words: str, status: int = 0) -> str:
    """Run ``pbmstar`` in a directory; returns what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "pbmstar", *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """A daemon in that directory; its port."""
    with open(folder / "log", "a") as log:
        daemon = subprocess.Popen(
            [sys.executable, "-m", "pbmstar", "serve", "--listen", "127.0.0.1:0"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert daemon.stdout is not None
    try:
        yield int(daemon.stdout.readline().rpartition(":")[2])
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(60)
        daemon.stdout.close()


def mail(port: int, author: str, subject: str) -> None:
    """Send a command."""
    with smtplib.SMTP("127.0.0.1", port, timeout=20) as smtp:
        said = f"From: {author}\r\nTo: star@localhost\r\nSubject: {subject}\r\n\r\n"
        smtp.sendmail(author, ["star@localhost"], said)


def test_backup_and_restore(tmp_path: Path) -> None:
    """A backup that was made while the daemon ran is a database to start from; play goes on."""
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    for userid in ("alice", "bob"):
        pbmstar(
            before,
            "admin",
            "user",
            "add",
            userid,
            f"{userid}@{userid}.example",
            "--password",
            "s3cret",
        )
    with serving(before) as port:
        mail(port, "alice@alice.example", "star challenge -size=4 alice bob")
        mail(port, "alice@alice.example", "star move 1 alice s3cret C3")
        said = pbmstar(before, "admin", "backup", str(tmp_path / "copy.db"))
        assert said == f"{tmp_path / 'copy.db'} written\n"
        mail(port, "bob@bob.example", "star move 1 bob s3cret D4")
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0
    (after / "spool").mkdir(parents=True, mode=0o700)
    shutil.copy(tmp_path / "copy.db", after / "spool" / "pbmstar.db")
    with serving(after) as port:
        mail(port, "bob@bob.example", "star move 1 bob s3cret D1")
    text = pbmstar(after, "admin", "export", "1")
    assert "C3" in text
    assert "D1" in text
    assert "D4" not in text
    assert pbmstar(after, "admin", "check") == "0 differences\n"
    # In place of the files that a daemon has left: without its -wal, which would spoil the copy.
    for left in (before / "spool").glob("pbmstar.db*"):
        left.unlink()
    shutil.copy(tmp_path / "copy.db", before / "spool" / "pbmstar.db")
    assert "D4" not in pbmstar(before, "admin", "export", "1")
    assert pbmstar(before, "admin", "check") == "0 differences\n"


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
        [sys.executable, "-c", code, home], check=False, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("star@localhost\n", "")
