"""A whole server, by SMTP: a second address is confirmed, plays, and gets its copy from the relay.

It is started truly, as few are every day.
"""

from __future__ import annotations

import email
import shutil
from email.message import Message
from pathlib import Path

import pytest
from harness.client import send
from harness.program import Program
from harness.server import Server, until

SERVER, HOME, PHONE = "star@pbm.example", "alice@alice.example", "alice@phone.example"


def letters(server: Server, to: str) -> bytes:
    """All that has come to an address."""
    files = Path(server.spool, "mail", to, "new").glob("*")
    return b"".join(file.read_bytes() for file in files)


def newest(server: Server, to: str, subject: str) -> Message:
    """Wait for a letter in the maildir of an address whose Subject begins so; return it."""

    def found() -> Message | None:
        files = sorted(Path(server.spool, "mail", to, "new").glob("*"), reverse=True)
        mails = (email.message_from_bytes(file.read_bytes()) for file in files)
        return next((mail for mail in mails if mail["Subject"].startswith(subject)), None)

    mail = until(found, f"letter {subject} to {to}")
    assert mail is not None
    return mail


def write(server: Server, who: str, subject: str, to: str = SERVER, body: str = "") -> None:
    """Hand a mail in as a mail server does; it must be taken."""
    raw = f"From: {who}\r\nTo: {to}\r\nSubject: {subject}\r\n\r\n{body}\r\n".encode()
    assert send(server.port, raw, to).startswith("250"), subject


@pytest.mark.slow
def test_a_second_address_by_smtp(tmp_path: Path, empty_sqlite: Path) -> None:
    with Server(tmp_path / "home", address=SERVER, pictures="off", bots="0") as server:
        program = Program(server.folder, server.database)
        server.spool.mkdir(mode=0o700)
        shutil.copy(empty_sqlite, server.spool / "pbmstar.db")
        for name in ("alice", "bob"):
            address = f"{name}@{name}.example"
            program.run(
                "admin", "user", "add", name, address, "--password", "s3cret", "--no-letter"
            )
        server.start(truly=True)
        write(server, HOME, f"add address alice s3cret {PHONE} short")
        asked = newest(server, PHONE, "Star account alice")
        write(server, PHONE, "Re: Star account alice", asked["Reply-To"])
        until(lambda: program.json("admin", "user", "find", PHONE), "confirmed address")
        write(server, PHONE, "star challenge -size=4 alice bob")
        first, copy = (newest(server, to, "New Star Board 1") for to in (HOME, PHONE))
        assert first["Reply-To"] == copy["Reply-To"] and first["References"] == copy["References"]
        assert first.is_multipart() and not copy.is_multipart()
        write(server, PHONE, "Re: New Star Board 1 alice", copy["Reply-To"], "D4")
        assert newest(server, HOME, "Star Board 1 bob")["X-Pbmstar-Move"] == "1"
        write(server, PHONE, "forgot alice")
        until(lambda: b"change password alice" in letters(server, HOME), "token")
        assert server.stop() == 0
        assert b"change password alice" not in letters(server, PHONE)
