"""Keep a store of this version, so that later versions can be tested with it: a step of each release.

``PYTHONPATH=tests python tests/store/keep.py`` plays a bit of everything, and writes ``kept_HEAD.json`` beside
this file: the rows by table, the time, and for each kind of reply address a reply that must still do what it
did. It also lists the newest migration among those that are released. See ``test_migrations``.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from harness.letters import PASSWORD, Got
from harness.office import DAY, Office
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from pbmstar.store import database
from pbmstar.store.database import HEAD, RELEASED
from pbmstar.store.schema import metadata

DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}  # type: ignore[no-untyped-call]
HERE = Path(__file__).parent
FOUR = PASSWORD | {"dora": "d1amond"}


def played(office: Office) -> dict[str, Any]:
    """Play; return replies to letters, each with its writer, and the words that its answer has."""
    for userid in ("carol", "dora"):
        office.add(userid, password=FOUR[userid])

    def send(userid: str, line: str, body: str = "") -> list[Got]:
        return office.send(userid, line, body)

    def to(letters: list[Got], userid: str) -> str:
        return next(each.reply_to for each in letters if each.to.startswith(f"{userid}@"))

    replies: dict[str, Any] = {}
    over = office.game("hex challenge -size=3 alice bob")
    office.play(over, "B2", "swap", "A1", "C1", "resign")
    moved = office.play(office.game("star challenge -size=4 alice bob"), "D4", "C4")
    replies["move"] = ["alice", to(moved, "alice"), "E4", "E4"]
    send("bob", f"star plan 2 bob {FOUR['bob']} if E4 then D5")
    send("alice", f"star note 2 alice {FOUR['alice']}", "The corner is mine.")
    send("dora", f"star watch 2 dora {FOUR['dora']}")
    office.play(office.game("y challenge -size=4 alice bob"), "C2", "swap", "C3")
    asked = send("bob", f"y draw 3 bob {FOUR['bob']}")
    replies["asked"] = ["alice", to(asked, "alice"), "accept", "draw"]
    (begun,) = send("carol", "star challenge -size=3 carol bot3")
    office.play(int(begun.mail["X-Pbmstar-Board"]), "C3")
    send("dora", "queens challenge dora")
    office.run("admin", "ladder", "open", "star", "-size=3")
    office.run("admin", "league", "open", "star", "--days", "60", "-size=3")
    for userid, password in FOUR.items():
        send(userid, f"ladder join star {userid} {password}")
        send(userid, f"league join star {userid} {password}")
        send(userid, f"cup {userid} {password}")
        send(userid, f"sunday {userid} {password} on")
    office.run("admin", "league", "begin", "star")
    office.letters()
    send("carol", f"ladder challenge star carol {FOUR['carol']} bob")
    send("dora", f"hex seek dora {FOUR['dora']} -size=5")
    send("carol", f"match carol {FOUR['carol']} hex -size=7")
    send("carol", f"away carol {FOUR['carol']} 3")
    (account,) = send("dora", f"zone dora {FOUR['dora']} Europe/Berlin")
    replies["account"] = ["dora", account.reply_to, "zone Europe/Paris", "Europe/Paris"]
    (lesson,) = send("alice", "course")
    replies["lesson"] = ["alice", lesson.reply_to, "help", "Star"]
    (door,) = office.send("guest@door.example", "hello")
    replies["door"] = ["guest@door.example", door.reply_to, "signup fred", "fred"]
    (signup,) = office.send("new@sign.example", "signup erik er1kson new@sign.example")
    replies["signup"] = ["new@sign.example", signup.reply_to, "yes", "erik"]
    office.run("admin", "suppress", "add", "never@far.example")
    office.run("admin", "user", "ban", "spam.example")
    send("bob", f"letters bob {FOUR['bob']} daily")
    digest = next(each for each in office.digests() if each.to.startswith("bob@"))
    board = next(row.board for row in office.ask("boards.of", "bob", "next") if row.game == "star")
    replies["digest"] = ["bob", digest.reply_to, f"{board} B3", "B3"]
    office.now += DAY
    # These letters stay in the outbox.
    office.deliver(office.write("dora", "star show 2"))
    office.run("admin", "announce", _news(office))
    return replies


def _news(office: Office) -> str:
    file = office.config.spool / "news"
    file.write_text("News\n\nAll is well.\n")
    return str(file)


def kept(office: Office) -> dict[str, list[dict[str, Any]]]:
    """Return all rows by table; bytes as hexadecimal digits."""
    with office.store.engine.connect() as connection:
        return {
            name: rows
            for name, table in sorted(metadata.tables.items())
            if (rows := list(map(_written, connection.execute(table.select()).mappings())))
        }


def schema() -> dict[str, list[str]]:
    """Return the statements that make the tables of this version, by the database's name."""
    made: list[CreateTable | CreateIndex] = []
    for table in metadata.sorted_tables:
        made += [CreateTable(table), *map(CreateIndex, sorted(table.indexes, key=str))]
    version = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
    now = f"INSERT INTO alembic_version VALUES ('{HEAD}')"
    return {
        name: [*(str(each.compile(dialect=dialect)).strip() for each in made), version, now]
        for name, dialect in DIALECTS.items()
    }


def _written(row: Any) -> dict[str, Any]:
    return {
        name: {"hex": value.hex()} if isinstance(value, bytes) else value
        for name, value in row.items()
    }


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        spool = Path(folder) / "spool"
        spool.mkdir()
        office = Office(f"sqlite:///{spool}/pbmstar.db", spool, limits="off")
        with closing(office):
            replies = played(office)
            now, every = office.now, kept(office)
    file = HERE / f"kept_{HEAD}.json"
    tables = ",\n".join(
        f'"{name}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in every.items()
    )
    file.write_text(
        f'{{\n"now": {now},\n"replies": {json.dumps(replies)},\n"schema": {json.dumps(schema())},\n"tables": {{\n{tables}\n}}\n}}\n'
    )
    if HEAD not in RELEASED:
        module = Path(database.__file__)
        listed = re.compile(r"(?ms)(?<=^RELEASED = \()(.*?),?\n?(?=\))")
        module.write_text(listed.sub(rf'\1, "{HEAD}"', module.read_text(), count=1))
    sys.stdout.write(f"{file.name} written\n")


if __name__ == "__main__":
    main()
