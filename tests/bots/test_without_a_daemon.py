"""Bots answer also where no daemon runs."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from harness import quickbot
from harness.letters import SERVER

from pbmstar.cli import main
from pbmstar.machine import log
from pbmstar.machine.files import hold
from pbmstar.thinking import worker


@pytest.mark.slow
@pytest.mark.parametrize("catches_up", ["remind", "deliver"])
def test_bots_answer_where_no_daemon_runs(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catches_up: str
) -> None:
    """The program that takes a mail thinks; where it was kept from that, another makes up for it."""
    monkeypatch.setattr(worker, "COMMAND", (sys.executable, quickbot.__file__, str(tmp_path)))
    monkeypatch.setattr(log, "setup", lambda **_: None)
    keys = {"spool": str(tmp_path / "spool"), "database": database, "address": SERVER, "bots": "1"}
    environment = {f"PBMSTAR_{key.upper()}": value for key, value in keys.items()}
    box = tmp_path / "spool" / "mail" / "alice@alice.example" / "new"
    seen: set[Path] = set()

    def run(*words: str, subject: str = "") -> list[str]:
        """The letters that come of a command, with a mail on its standard input."""
        head = f"From: alice@alice.example\r\nTo: {SERVER}\r\nSubject: {subject}\r\n"
        mail = f"{head}Message-ID: <{len(subject)}@mua.example>\r\n\r\n\r\n"
        done = CliRunner(catch_exceptions=False).invoke(main, words, mail.encode(), environment)
        assert done.exit_code == 0, done.output
        new = {*box.iterdir()} - seen if box.exists() else set()
        seen.update(new)
        return [file.read_text() for file in new]

    mask = os.umask(0o077)
    try:
        run("admin", "user", "add", "alice", "alice@alice.example", "--password", "s3cret")
        (letter,) = run("receive", subject="star challenge -size=3 bot2 alice")
        (first,) = re.findall(r"(?m)^bot2 played (\S+)\.", letter)
        move = "B2" if first != "B2" else "B3"
        with hold(tmp_path / "spool" / "think.weak.lock"):
            assert run("receive", subject=f"star move 1 alice s3cret {move}") == []
        (letter,) = run(catches_up)
        assert re.search(rf"(?m)^You played {move}\. bot2 ", letter)
    finally:
        os.umask(mask)
