"""From the last program before this one: what it has written goes on here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from readme import CHECKOUT

pytestmark = pytest.mark.slow
THEN = "f8e98241"  # its last commit
NOWHERE = "smtp://127.0.0.1:1"


class Program:
    """A version of the program, on a spool that it shares with another one."""

    def __init__(self, code: Path, spool: Path) -> None:
        self._code, self._spool = code, spool

    def __call__(self, *words: str, stdin: str = "", **around: str) -> str:
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self._code),
            "PBMSTAR_SPOOL": str(self._spool),
            **around,
        }
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pbmstar", *words],
            input=stdin,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def mail(self, author: str, subject: str, to: str = "star@localhost", **around: str) -> None:
        """Take a mail by the pipe."""
        ident = re.sub(r"\W", "", subject)
        mail = f"From: {author}@{author}.example\nTo: {to}\nSubject: {subject}\nMessage-ID: <{ident}@x>\n\n\n"
        self("receive", to, stdin=mail, **around)


def letters(spool: Path, userid: str) -> list[Message]:
    """The letters in a player's maildir, oldest first."""
    found = (spool / "mail" / f"{userid}@{userid}.example" / "new").glob("*")
    return [
        message_from_bytes(path.read_bytes())
        for path in sorted(found, key=lambda each: each.stat().st_mtime_ns)
    ]


@pytest.fixture
def then(tmp_path: Path) -> Path:
    """The code of then."""
    known = subprocess.run(
        ["git", "-C", str(CHECKOUT), "cat-file", "-e", f"{THEN}^{{commit}}"], check=False
    )
    if known.returncode:
        pytest.skip("this clone has no commit of then")
    code = tmp_path / "then"
    code.mkdir()
    archive = subprocess.run(
        ["git", "-C", str(CHECKOUT), "archive", THEN], check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-C", str(code)], input=archive.stdout, check=True)
    for name in ("help", "templates", "locale"):  # where a package has them
        (code / "pbmstar" / name).symlink_to(code / name)
    return code


def test_a_server_of_the_last_program_goes_on(then: Path, tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    before, now = Program(then, spool), Program(CHECKOUT, spool)
    for userid, password in (("alice", "s3cret"), ("bob", "hunter2")):
        before("admin", "user", "add", userid, f"{userid}@{userid}.example", "--password", password)
    before.mail("alice", "star challenge -size=4 alice bob")
    before.mail("alice", "star move 1 alice s3cret D4")
    before.mail("alice", "hex challenge -size=5 alice bob")
    before.mail("bob", "letters bob hunter2 mine")
    of_board = [each for each in letters(spool, "bob") if each["X-Pbmstar-Board"] == "1"]
    reply_to = of_board[-1]["Reply-To"]
    before.mail("alice", "star say 1 alice s3cret hello", PBMSTAR_RELAY=NOWHERE)
    waiting = json.loads(before("admin", "outbox", "list", "--json"))
    assert waiting
    assert before("admin", "check").startswith("0 differences")
    count = len(letters(spool, "bob"))

    assert now("admin", "check") == "0 differences.\n"
    assert len(json.loads(now("admin", "outbox", "list", "--json"))) == len(waiting)
    assert now("deliver").startswith(f"{len(waiting)} letter")
    assert len(letters(spool, "bob")) > count
    now.mail("bob", "C4", to=reply_to)
    record = json.loads(now("admin", "board", "show", "1", "--json"))["moves"]
    assert [move["move"] for move in record] == ["D4", "C4"]
    assert letters(spool, "alice")[-1]["X-Pbmstar-Move"] == "2"
    assert now("admin", "board", "list", "--json").count('"board"') == 2
    assert "0 reminders" in now("remind")
    assert now("admin", "check") == "0 differences.\n"
