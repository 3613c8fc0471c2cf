"""What README.md tells an operator to do, done: as another user, backup, restore, upgrade."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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


def add_two(folder: Path) -> None:
    """Accounts for alice and bob."""
    for userid in ("alice", "bob"):
        home = f"{userid}@{userid}.example"
        pbmstar(folder, "admin", "user", "add", userid, home, "--password", "s3cret")


def logged(folder: Path, event: str, letters: int) -> list[dict[str, Any]]:
    """The daemon's log once so many letters stand in its lines of that event."""
    deadline = time.monotonic() + 20
    while True:
        lines = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
        if sum(len(line["letters"]) for line in lines if line["event"] == event) == letters:
            return lines
        assert time.monotonic() < deadline, lines
        time.sleep(0.01)


def test_the_log_ties_mails_commands_and_letters(tmp_path: Path) -> None:
    """M49: and it names no address, password or Subject."""
    add_two(tmp_path)
    with serving(tmp_path) as port:
        mail(port, "alice@alice.example", "star challenge alice bob")
        mail(port, "alice@alice.example", "star move 1 alice s3cret F6")
        mail(port, "bob@bob.example", "star move 1 bob s3cret F6")
        lines = logged(tmp_path, "sent", 5)
    mails = [line for line in lines if line["event"] == "mail"]
    assert len({line["id"] for line in mails}) == 3
    told = [(line["outcome"], line["commands"], len(line["letters"])) for line in mails]
    assert told == [
        ("applied", ["star challenge"], 2),
        ("applied", ["star move 1"], 2),
        ("refused", ["star move 1"], 1),
    ]
    written = [letter for line in mails for letter in line["letters"]]
    sent = [letter for line in lines if line["event"] == "sent" for letter in line["letters"]]
    assert sorted(sent) == written == [1, 2, 3, 4, 5]
    for word in ("alice@", "bob@", "s3cret", "F6"):
        assert word not in (tmp_path / "log").read_text()


def test_backup_and_restore(tmp_path: Path) -> None:
    """A backup that was made while the daemon ran is a database to start from; play goes on."""
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    add_two(before)
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
