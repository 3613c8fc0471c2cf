"""What the program prints, and what comes of its commands."""

from __future__ import annotations

import json
import re

import pytest
from harness.program import REFUSED, TRY_AGAIN, Program


def test_board_show(played: Program) -> None:
    facts = played.json("admin", "board", "show", "1")
    moves = facts.pop("moves")
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", facts.pop("deadline"))
    assert facts == {
        "board": 1,
        "game": "star",
        "options": {"size": 3, "maxi": False},
        "players": {"X": "bob", "O": "alice"},
        "seats": ["alice", "bob"],
        "requests": [],
        "terms": {
            "time": "21d",
            "leave": True,
            "weekends": [],
            "undo": "ask",
            "claim": True,
            "private": False,
            "rated": True,
            "contest": "",
        },
        "clock": {"alice": 21 * 86_400, "bob": 21 * 86_400},
        "to_move": "bob",
        "over": False,
        "result": None,
    }
    assert [(m["number"], m["userid"], m["move"]) for m in moves] == [
        (1, "alice", "C1"),
        (None, "bob", "swap"),
        (2, "alice", "D1"),
    ]
    assert all(set(move) == {"number", "userid", "move", "at"} for move in moves)
    text = played.run("admin", "board", "show", "1").stdout
    assert "pbmstar analyse star -size=3 C1 swap D1\n" in text
    assert text == played.run("admin", "export", "1").stdout


LISTS = {
    "user list": "userid address state since",
    "user find alice@localhost": "userid address state since",
    "bot list": "userid running waiting oldest_seconds",
    "board list": "board game options first second to_move result since",
    "outbox list": "letter state userid message_id tries due made trouble",
    "quarantine list": "id at sender recipients bytes error",
    "outage list": "id begin until why",
    "audit": "id at actor act",
}


@pytest.mark.parametrize("words", LISTS)
def test_a_list_names_its_columns(played: Program, words: str) -> None:
    played.run("admin", "bot", "add", "bot1")
    played.run("admin", "outage", "add", "2026-01-01T00:00Z", "2026-01-01T01:00Z", "line")
    rows = played.json("admin", *words.split())
    text = played.run("admin", *words.split()).stdout.splitlines()
    assert len(text) == (1 + len(rows) if rows else 0)  # nothing is said of nothing
    if rows:
        assert text[0].split() == LISTS[words].split()
        assert set(text[0].split()) <= set(rows[0])


def test_listings(played: Program) -> None:
    (board,) = played.json("admin", "board", "list")
    since = board.pop("since")
    assert since.endswith("Z")
    assert board == {
        "board": 1,
        "game": "star",
        "options": {"size": 3},
        "first": "alice",
        "second": "bob",
        "to_move": "bob",
        "over": False,
        "result": None,
    }
    assert played.run("admin", "board", "list").stdout == (
        "board  game  options  first  second  to_move  result  since\n"
        f"1      star  -size=3  alice  bob     bob      -       {since}\n"
    )
    alice, bob = played.json("admin", "user", "list")
    assert set(alice) == {"userid", "address", "state", "since"}
    assert (bob["userid"], bob["address"], bob["state"]) == ("bob", "bob@localhost", "active")
    shown = played.json("admin", "user", "show", "Alice")
    seen = shown.pop("last_seen")
    assert shown == {
        **alice,
        "other_addresses": [],
        "boards": [{**board, "since": since}],
        "bounces": 0,
        "locked_until": None,
        "waiting": [],
    }
    assert f"It last wrote {seen}." in played.run("admin", "user", "show", "alice").stdout
    assert played.json("admin", "user", "find", "ALICE@localhost") == [alice]
    played.run("admin", "user", "find", "nobody@localhost", status=REFUSED)
    assert played.json("admin", "outbox", "list") == []
    assert played.json("admin", "quarantine", "list") == []
    acts = played.json("admin", "audit")
    assert [act["act"] for act in acts] == ["user add alice", "user add bob"]
    assert all(act["actor"].startswith("operator ") for act in acts)  # and who that is
    assert all(set(act) == {"id", "at", "actor", "act"} for act in acts)


def test_several_boards(played: Program) -> None:
    played.mail("bob@localhost", "star challenge bob alice", 8)
    text = played.run("admin", "board", "show", "1", "2").stdout
    assert text.count("pbmstar analyse star") == 2
    played.run("admin", "board", "remove", "2", "9", status=REFUSED)
    assert len(played.json("admin", "board", "list")) == 2
    assert played.run("admin", "board", "remove", "2", "1").stdout == (
        "board 2 removed\nboard 1 removed\n"
    )
    assert played.json("admin", "board", "list") == []


def test_board_reset(played: Program) -> None:
    told = played.run("admin", "board", "reset", "1", "--to-move", "2").stdout
    assert told == "board 1 is before move 2, alice to move\n"
    played.run("admin", "board", "reset", "1", "--to-move", "9", status=REFUSED)
    assert played.run("admin", "board", "reset", "1").stdout == (
        "board 1 is before move 1, alice to move\n"
    )
    assert played.run("admin", "check").stdout == "0 differences\n"
    letters = list(played.spool.glob("mail/*/new/*"))
    assert sum(b"operator has put this board back" in path.read_bytes() for path in letters) == 4


def test_users(program: Program) -> None:
    told = program.run(
        "admin", "user", "add", "Dora", "Dora@localhost", mail="d0ra.pass\nd0ra.pass\n"
    )
    assert told.stdout.endswith("dora added\n")
    assert "d0ra.pass" not in told.output
    program.run("admin", "user", "password", "dora", "--password", "n3w.pass")
    program.run("admin", "user", "address", "dora", "dora2@localhost")
    assert program.json("admin", "user", "show", "dora")["address"] == "dora2@localhost"
    program.run("admin", "user", "remove", "dora")
    assert program.json("admin", "user", "show", "dora")["state"] == "closed"
    program.run("admin", "user", "remove", "dora", status=REFUSED)


def test_an_address_is_suppressed_and_lifted(program: Program) -> None:
    """The address stands nowhere in what is kept of that."""
    assert program.run("admin", "suppress", "V@stranger.example").stdout == "suppressed\n"
    program.mail("m@evil.example", "signup zed z3d.pass v@stranger.example", 1)
    assert program.json("admin", "outbox", "list") == []
    assert not list((program.spool / "mail").glob("*/new/*"))
    assert "stranger" not in json.dumps(program.json("admin", "audit"))
    told = program.run("admin", "suppress", "--lift", "v@stranger.example").stdout
    assert told == "lifted\n"
    program.run("admin", "suppress", "--lift", "v@stranger.example", status=REFUSED)
    program.mail("m@evil.example", "signup zed z3d.pass v@stranger.example", 2)
    assert len(list((program.spool / "mail").glob("*/new/*"))) == 1


def test_check_says_what_is_wrong(played: Program) -> None:
    from pbmstar.store import Store

    store = Store(played.database)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE boards SET length = 7")
    store.close()
    told = played.run("admin", "check", status=REFUSED).stdout
    assert told == "board 1: length is 7, the record says 3\n1 differences\n"


def test_backup(played: Program) -> None:
    copy = played.folder / "copy.db"
    assert played.run("admin", "backup", str(copy)).stdout == f"{copy} written\n"
    played.run("admin", "backup", str(copy), status=REFUSED)
    told = played.run("admin", "board", "show", "1", "--json", "--database", f"sqlite:///{copy}")
    assert json.loads(told.stdout) == played.json("admin", "board", "show", "1")


def test_remind_and_deliver(played: Program) -> None:
    assert played.run("remind").stdout == "0 reminders, 0 last warnings, 0 forfeits\n"
    told = played.run("remind", "--nag-days", "0.0000001").stdout
    assert told == "1 reminders, 0 last warnings, 0 forfeits\n"
    assert played.run("deliver").stdout == "0 letters sent, 0 to be tried again, 0 refused\n"


def test_an_outbox_that_cannot_be_sent(played: Program) -> None:
    relay = {"PBMSTAR_RELAY": "smtp://127.0.0.1:1"}
    played.run("admin", "board", "reset", "1", **relay)
    waiting = played.json("admin", "outbox", "list")
    assert len(waiting) == 2
    assert set(waiting[0]) == {
        "letter",
        "state",
        "userid",
        "message_id",
        "tries",
        "due",
        "made",
        "trouble",
    }
    played.run("deliver", status=TRY_AGAIN, **relay)
    assert played.run("admin", "outbox", "retry").stdout == "2 letters due now\n"
    assert played.json("admin", "outbox", "list") == []


def test_receive_reads_the_envelope(played: Program) -> None:
    """Recipients come from the arguments, the environment, or the mail; the null sender is kept."""
    mail = "From: bob@localhost\nTo: x@y.example\nSubject: star resign 1 bob hunter2\n\n"
    played.run("receive", "--sender", "", "star@localhost", mail=mail + "1\n")
    played.run("receive", mail=mail + "2\n", SENDER="")
    played.run("receive", mail="Return-Path: <>\n" + mail + "3\n")
    assert not played.json("admin", "board", "show", "1")["over"]
    played.run("receive", mail=mail + "4\n", SENDER="bob@localhost", RECIPIENT="star@localhost")
    assert played.json("admin", "board", "show", "1")["result"] == "alice"


def test_receive_keeps_what_it_cannot_handle(
    played: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbmstar.service import Service

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
