"""A daemon is killed while it does something for many: the next one goes on, and nothing is done twice."""

from __future__ import annotations

import smtplib
from pathlib import Path

import pytest
from harness.office import Office
from harness.program import Program
from harness.server import Server, until

GAMES, SERVER = 45, "star@pbm.example"


@pytest.mark.slow
def test_a_closed_account_s_games_are_resigned_by_the_next_daemon(tmp_path: Path) -> None:
    with Server(
        tmp_path / "home", address=SERVER, pictures="off", bots="0", limits="off"
    ) as server:
        server.spool.mkdir(mode=0o700)
        office = Office(server.database, server.spool, limits="off")
        for _ in range(GAMES):
            office.begun()
        office.letters()
        office.close()
        program = Program(server.folder, server.database)
        server.start(truly=True)
        with smtplib.SMTP("127.0.0.1", server.port) as smtp:
            mail = "From: alice@alice.example\r\nTo: star@pbm.example\r\nSubject: signoff alice s3cret\r\n\r\n"
            smtp.sendmail("alice@alice.example", ["star@pbm.example"], mail)
        server.kill()
        server.start(truly=True)
        until(
            lambda: all(board["over"] for board in program.json("admin", "board", "list")),
            "games that are over",
        )
        program.run("admin", "check")
        until(lambda: program.json("admin", "outbox", "list") == [], "letters that are sent")
        letters = [*(server.spool / "mail" / "bob@bob.example" / "new").glob("*")]
        told = [letter for letter in letters if b"X-Pbmstar-Result: " in letter.read_bytes()]
        assert len(told) == GAMES
