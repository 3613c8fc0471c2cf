"""A small server for the reference pages: letters, and what commands print with --json."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from harness.letters import PASSWORD, SERVER, Got
from harness.office import DAY, Office
from reference import keys

from pbmstar.cli.analyse import answer
from pbmstar.intake import quarantine
from pbmstar.service.work.context import Envelope
from pbmstar.store.ledger import Node, Run


@contextmanager
def office(*people: str, **options: str) -> Iterator[Office]:
    """A server with these people; it is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        spool = Path(folder) / "spool"
        spool.mkdir()
        url = f"sqlite:///{spool}/pbmstar.db"
        with closing(Office(url, spool, people or ("alice", "bob"), **options)) as made:
            yield made


def letters() -> dict[str, Got]:
    """A letter with a move and words, and the last letter of the game."""
    with office() as here:
        here.send("alice", "star challenge -size=4 alice bob")
        here.play(1, "D4", "C4")
        (*_, move) = here.play(1, "E4", body="Your turn! Good luck.")
        for word in ("pass", "pass"):
            (last, *_) = here.play(1, word)
        return {"move": move, "last": last}


def analysed() -> dict[str, Any]:
    """The answers of ``analyse``."""
    asked = {
        "star": {"game": "star", "options": {"size": 3}, "moves": ["C1"]},
        "*star": {"game": "*star", "options": {"rings": 3}, "moves": ["*31"]},
        "hex": {"game": "hex", "options": {"size": 3}, "moves": ["B1", "A1", "B2", "A2", "B3"]},
        "queens": {"game": "queens"},
        "steps": {"game": "star", "options": {"size": 3}, "moves": ["C1"], "preview": True},
        "error": {"game": "star", "moves": ["Z9"]},
    }
    return {name: json.loads(answer(json.dumps(each))) for name, each in asked.items()}


def printed() -> dict[str, list[dict[str, Any]]]:
    """What each command prints with --json: the objects, or the entries of its list."""
    found: dict[str, list[dict[str, Any]]] = {}

    def ask(line: str, here: Office) -> None:
        told = json.loads(here.run(*line.split(), "--json").output)
        command = next(each for each in keys.PRINTS if f"{line} ".startswith(f"{each} "))
        found.setdefault(command, []).extend(told if isinstance(told, list) else [told])

    with office("alice", "bob", "carol", operator="op@site.example") as here:
        kept = fill(here)
        friends = here.config.spool / "friends.csv"
        friends.write_text("carl,carl@home.example,de\n")
        for line in LINES:
            ask(line.format(kept=kept, friends=friends), here)
    return found


# A game that gives a problem of the week.
PROBLEM = "*10 T21 *31 R20 R31 A31 T20 *32 R30 R32 R21 S21 T10 *21 *20 T32 S31 T31 S10 A21 A20"
LINES = (
    "config", "stats", "doctor", "remind --dry-run --at 2027-03-25T00:00Z", "admin status --tables", "admin top", "admin node list",
    "admin audit", "admin check", "admin user list", "admin user list --idle 1", "admin user list --leave",
    "admin user show alice", "admin user find alice@alice.example", "admin user export alice",
    "admin user ban --list", "admin board list", "admin board show 1 --plans", "admin board show 2",
    "admin quarantine list", "admin quarantine show {kept}", "admin outbox list", "admin outbox show 1",
    "admin explain alice", "admin explain 1", "admin explain letter 1", "admin suppress list", "admin probe",
    "admin outage list", "admin bot list", "admin ladder list", "admin ladder show star", "admin league list",
    "admin league show star", "admin invitation list", "admin sunday list", "admin cup list", "admin cup show hex", "admin problem show", "admin ratings check",
    "admin ratings rebuild", "site pages --check", "admin twins", "admin user import {friends}",
)  # fmt: skip


def fill(here: Office) -> str:
    """Let there be a bit of everything; return the id of a message in the quarantine."""
    send = here.send
    send("alice", "star challenge -size=4 alice bob")
    here.play(1, "D4", "C4")
    send("alice", f"star plan 1 alice {PASSWORD['alice']} if E4 then D5")
    send("bob", f"star draw 1 bob {PASSWORD['bob']}")
    send("alice", "hex challenge -size=3 alice bob")
    here.play(2, "B2", "swap", "A1", "C1", "resign")
    send("alice", f"add address alice {PASSWORD['alice']} alice@far.example short")
    send("alice", f"away alice {PASSWORD['alice']} 2027-02-01 2027-02-05")
    send("bob", "star move 99 bob hunter2 F6#1")
    send("carol", "star challenge -size=3 carol bot1")
    here.play(3, "C3")
    here.now += 7
    here.think()
    for line in (
        "user ban spam.example", "suppress add x@far.example", "probe me@far.example",
        "outage add 2027-01-01T00:00Z 2027-01-01T06:00Z line", "ladder open star -size=3",
        "league open star -size=3 --days 30", "invitation stop carol",
    ):  # fmt: skip
        here.run("admin", *line.split())
    for userid in ("alice", "bob", "carol"):
        send(userid, f"ladder join star {userid} {PASSWORD[userid]}")
        send(userid, f"league join star {userid} {PASSWORD[userid]}")
    here.add("dora", password="d1amond")
    send("dora", "league join star dora d1amond")
    here.run("admin", "league", "begin", "star")
    here.letters()
    board = here.game("*star challenge -rings=3 alice bob")
    here.advance(board, *PROBLEM.split())
    send("bob", f"*star resign {board} bob {PASSWORD['bob']}")
    here.run("admin", "problem", "make")
    (problem,) = send("alice", "problem")
    send("alice", "A30", to=problem.reply_to)
    for userid in ("alice", "bob", "carol"):
        send(userid, f"cup {userid} {PASSWORD[userid]} hex")
    here.run("admin", "cup", "begin", "hex")
    here.letters()
    send("bob", f"sunday bob {PASSWORD['bob']} on")
    with here.store.transaction() as tx:
        tx.ledger.add_run(Run("run", here.config.node, "1.0.0", here.now))
        tx.ledger.join(Node("a1", "north", "1.0.0", 1, here.now, here.now))
        for _ in range(2):
            tx.accounts.set_bounces("bob", 1.0, "active")
    here.now += 8 * DAY
    here.run("remind")
    here.deliver(here.write("bob", "star show 1"))
    raw = here.write("bob", "star show 1")
    return quarantine.keep(
        here.config.spool, Envelope("bob@bob.example", (SERVER,)), raw, ValueError("x"), here.now
    )
