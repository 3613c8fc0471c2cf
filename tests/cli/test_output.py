"""What comes of commands, where their output alone does not show it; ``sessions/`` has the others."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from harness.program import REFUSED, Program

from pbmstar.cli import main


def test_an_address_is_suppressed_and_lifted(program: Program) -> None:
    """The address stands nowhere in what is kept of that."""
    listed = ("admin", "suppress", "list")
    assert program.run("admin", "suppress", "add", "V@stranger.example").stdout == (
        "Address suppressed.\n"
    )
    program.mail("m@evil.example", "signup zed z3d.pass v@stranger.example", 1)
    assert program.json("admin", "outbox", "list") == []
    assert not list((program.spool / "mail").glob("*/new/*"))
    assert "stranger" not in json.dumps(program.json("admin", "audit"))
    (row,) = program.json(*listed)
    assert "stranger" not in json.dumps(row)
    assert (row["until"], row["why"]) == (None, "the reader wants none")
    assert program.json(*listed, "v@Stranger.example") == [row]
    assert "isn't suppressed" in program.run(*listed, "w@stranger.example").stdout
    told = program.run("admin", "suppress", "remove", "v@stranger.example").stdout
    assert told == "Address no longer suppressed.\n"
    program.run("admin", "suppress", "remove", "v@stranger.example", status=REFUSED)
    assert program.run(*listed).stdout == "No addresses are suppressed.\n"
    program.mail("m@evil.example", "signup zed z3d.pass v@stranger.example", 2)
    assert len(list((program.spool / "mail").glob("*/new/*"))) == 1


@pytest.mark.slow
def test_check_says_what_is_wrong(played: Program) -> None:
    from pbmstar.store import Store

    store = Store(played.database)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE boards SET length = 7")
    store.close()
    told = played.run("admin", "check", status=REFUSED).stdout
    assert told == "board 1: length is 7, the record says 3\n1 difference.\n"


def test_receive_keeps_what_it_cannot_handle(
    played: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbmstar.service.incoming.mail import Service

    def broken(*args: object) -> None:
        raise RuntimeError(args[-1])  # a bug, and the whole mail in its text

    with monkeypatch.context() as patch:
        patch.setattr(Service, "execute", broken)
        done = played.run(
            "receive", mail="From: bob@localhost\nSubject: star swap 1 bob hunter2\n\n"
        )
    (entry,) = played.json("admin", "quarantine", "list")
    line, alert = map(json.loads, done.stderr.splitlines())
    assert (alert["event"], alert["kind"]) == ("alert", "quarantine")
    assert (line["outcome"], line["quarantine"]) == ("quarantined", entry["id"])
    assert done.stdout == "" and "hunter2" not in done.stderr
    shown = played.json("admin", "quarantine", "show", entry["id"])
    assert shown["error"] == "RuntimeError"
    assert "hunter2" not in shown["text"]
    assert "RuntimeError" in played.run("admin", "quarantine", "show", entry["id"]).stdout
    assert "refused" in played.run("admin", "quarantine", "retry", entry["id"]).stdout
    assert played.json("admin", "quarantine", "list") == []


def test_receive_drops_what_cannot_be_read(played: Program) -> None:
    """A failing status would bounce the mail to a sender who may be forged."""
    done = played.run("receive", mail="Subject: " + "x" * 100_000 + "\n\nhelp\n")
    assert json.loads(done.stderr)["outcome"] == "unreadable"


def test_a_line_of_too_many_brackets_is_no_json() -> None:
    told = CliRunner().invoke(main, ["analyse"], input="[" * 100_000 + "\n")
    assert json.loads(told.stdout)["error"] == "BadInput"
