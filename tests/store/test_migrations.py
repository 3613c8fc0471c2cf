"""Stores live: what an earlier version wrote is there after the tables have changed."""

from __future__ import annotations

import hmac
import itertools
import json
from base64 import b32encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from harness.office import Office

from pbmstar import identity
from pbmstar.errors import BadInput
from pbmstar.store import Place, Store
from pbmstar.store.database import HEAD
from pbmstar.store.tables import metadata

# A store of version 0.1.0, its rows by table: five boards, one with a proposal open, one forfeit
# near, letters in the outbox, tokens, reminders; and the reply addresses of letters sent before.
OLD: dict[str, Any] = json.loads((Path(__file__).parent / "store_0002.json").read_text())
# One of the tables of revision 6, when letters had become recipes: a score proposed, a movement game,
# a puzzle, a last warning sent, and three letters that wait for the relay.
RECENT: dict[str, Any] = json.loads((Path(__file__).parent / "store_0006.json").read_text())


def migrate(url: str, revision: str, tables: dict[str, list[dict[str, Any]]]) -> None:
    """Empty a database, make the tables of a revision, and fill them."""
    config = Config()
    config.set_main_option("script_location", "pbmstar.store:migrations")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        present = sa.MetaData()
        present.reflect(connection)
        present.drop_all(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for name, rows in tables.items():
            table = sa.Table(name, sa.MetaData(), autoload_with=connection)
            values = [{key: _value(value) for key, value in row.items()} for row in rows]
            connection.execute(table.insert(), values)
            if engine.dialect.name == "postgresql" and name in (
                "boards",
                "outbox",
                "audit",
                "keys",
            ):
                key = next(iter(table.primary_key)).name
                connection.execute(
                    sa.text(
                        f"SELECT setval(pg_get_serial_sequence('{name}', '{key}'), max({key}))"
                        f" FROM {name}"
                    )
                )
    engine.dispose()


def _value(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def opened(database: str, revision: str, before: dict[str, Any], spool: Path) -> Iterator[Office]:
    """An office that goes on with a store of before, migrated."""
    migrate(database, revision, before["tables"])
    office = Office(database, spool, people=())
    office.now = before["now"]
    office._count = itertools.count(1000)  # the Message-IDs of before are known to the store
    yield office
    office.close()


@pytest.fixture
def old(database: str, tmp_path: Path) -> Iterator[Office]:
    """An office whose store was made by version 0.1.0."""
    yield from opened(database, "0002", OLD, tmp_path / "spool")


@pytest.fixture
def recent(database: str, tmp_path: Path) -> Iterator[Office]:
    """An office whose store has been in use since letters are recipes."""
    yield from opened(database, "0006", RECENT, tmp_path / "spool")


def test_migrations_make_the_tables(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", "pbmstar.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]
    with closing(Store(f"sqlite:///{tmp_path}/new.db")) as store, store.engine.connect() as found:
        assert compare_metadata(MigrationContext.configure(found), metadata) == []


def test_what_a_store_of_the_first_tables_holds_stays(database: str) -> None:
    """But locks of a userid: they are by place now, and lasted a day at most."""
    failure = {"userid": "alice", "count": 7, "last": 1.0, "until": 99.0}
    migrate(database, "0001", {"failures": [failure]})
    with closing(Store(database)) as store, store.transaction() as tx:
        assert tx.place("alice", "anywhere") == Place()
        assert not tx.is_suppressed("x" * 16)


def test_every_board_stays_and_check_is_clean(old: Office) -> None:
    assert old.check() == []
    with old.store.transaction() as tx:
        boards = {row.board: row for row in tx.boards()}
    for was in OLD["tables"]["boards"]:
        row = boards.pop(was["board"])
        assert row.seats == (was["first"], was["second"])
        for name in ("game", "options", "resets", "length", "to_move", "result", "since"):
            assert getattr(row, name) == was[name]
        record = [move["move"] for move in OLD["tables"]["moves"] if move["board"] == row.board]
        assert old.record(row.board) == record
    assert not boards


def test_a_proposal_of_before_can_be_accepted(old: Office) -> None:
    old.letters()
    letters = old.send("alice", "star accept 1 alice s3cret")
    assert "alice accepts the score 7-6, X's points first." in letters[0].text
    assert old.check() == []


def test_letters_under_way_go_out_as_they_are(old: Office) -> None:
    waiting = {row["id"] for row in OLD["tables"]["outbox"] if row["state"] == "new"}
    contents = [
        bytes.fromhex(row["content"]["hex"])
        for row in OLD["tables"]["contents"]
        if row["letter"] in waiting
    ]
    assert len(contents) == 2
    assert [letter.raw for letter in old.letters()] == contents


def test_replies_to_letters_in_mailboxes_still_work(old: Office) -> None:
    old.letters()
    letters = old.send("alice", "Re: Star Board 1 alice", "A3", to=OLD["replies"]["alice"])
    assert [letter.subject for letter in letters] == ["Star Board 1 bob"] * 2


def test_a_warning_of_before_counts_and_no_number_is_used_again(old: Office) -> None:
    """The warning was mailed by version 0.1.0: the forfeit comes two days after, not before."""
    old.letters()
    assert old.remind()[0][2] == 0
    old.now += 2.1 * 86400
    assert old.remind()[0][2] >= 1
    assert old.row(5).result == "bob"  # type: ignore[union-attr]
    assert old.game("star challenge -size=3 alice bob") == 7
    assert old.check() == []


def test_new_tokens_are_made_with_a_new_key(old: Office) -> None:
    """The key of before only checks: in letters written from now on nothing is signed with it."""
    (before,) = OLD["tables"]["keys"]
    letters = old.send("alice", "star show 1")
    with old.store.transaction() as tx:
        (newest, key), *older = tx.keys()
    assert len(key) == identity.KEY and [number for number, _ in older] == [before["id"]]
    assert f"k{newest}z" in letters[-1].reply_to


def test_account_tokens_of_before_still_speak_for_the_account(old: Office) -> None:
    """Where bounces and wishes to unsubscribe go, in letters of version 0.1.0."""
    old.send("alice", "star show 1")
    with old.store.transaction() as tx:
        keys = tx.keys()
    digest = hmac.digest(keys[-1][1], b"u|alice|alice@home.example", "sha256")
    mac = b32encode(digest[:16]).decode().lower().rstrip("=")
    assert identity.speaks_for(keys, "u", "alice", "alice@home.example", mac)
    assert not identity.speaks_for(keys[:1], "u", "alice", "alice@home.example", mac)


def test_a_recent_store_goes_on(recent: Office) -> None:
    """Its letters are written from the recipes of before, and all replies to them are understood."""
    assert recent.check() == []
    waiting = [letter.subject for letter in recent.letters()]
    assert waiting == ["Star Board 6 alice", "Star Board 6 alice", "Hex Board 5 bob"]
    replies, next_move = RECENT["replies"], RECENT["next2"]
    letters = recent.send("alice", "Re: Star Board 1", "accept", to=replies["alice1"])
    assert "alice accepts the score 7-6" in letters[0].text
    recent.send("alice", "Re: Penta-Line Board 2", next_move, to=replies["next2"])
    assert recent.record(2)[-1] == next_move
    recent.send("alice", "Re: How Many Queens? Board 4", "undo", to=replies["alice4"])
    assert recent.record(4) == []
    assert recent.check() == []


def test_an_older_program_says_so_on_newer_tables(database: str) -> None:
    """L7: in one sentence, and it changes nothing."""
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadInput, match=f"newer pbmstar \\(revision 9999; this one knows {HEAD}"):
        Store(database)
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    assert found == "9999"
    engine.dispose()


def test_open_requests_of_before_have_their_events(database: str) -> None:
    """Who cannot be reached is not who asks to cancel; what was asked before events were kept is one."""
    rows = [
        {"board": board, "kind": kind, "userid": "bob", "data": data, "at": 5.0}
        for board, kind, data in ((1, "cancel", ""), (2, "score", "7 6"), (3, "draw", "draw"))
    ]
    known = {"board": 3, "n": 0, "at": 5.0, "userid": "bob", "kind": "proposed", "data": "draw"}
    migrate(database, "0008", {"requests": rows, "events": [known]})
    with closing(Store(database)) as store, store.transaction() as tx:
        events = [(e.kind, e.data, e.n) for board in (1, 2, 3) for e in tx.events(board)]
    assert events == [("unreached", "", 0), ("proposed", "7 6", 0), ("proposed", "draw", 0)]
