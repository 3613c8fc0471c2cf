"""Stores live: what an earlier version wrote is there after the tables have changed."""

from __future__ import annotations

import itertools
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from harness.office import Office

from pbmstar.errors import BadInput
from pbmstar.store import Store
from pbmstar.store.database import HEAD, RELEASED
from pbmstar.store.schema import metadata, tables

# A store of each release, as ``keep.py`` has made it: its tables, their rows, its reply addresses.
KEPT = sorted((Path(__file__).parent).glob("kept_*.json"))


def put_back(url: str, kept: dict[str, Any]) -> None:
    """Empty a database, make the tables of a kept store, and fill them."""
    ours = {table.name: table for table in tables()}
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        present = sa.MetaData()
        present.reflect(connection)
        present.drop_all(connection)
        for statement in kept["schema"][engine.dialect.name]:
            connection.exec_driver_sql(statement)
        for name, rows in kept["tables"].items():
            table = sa.Table(name, sa.MetaData(), autoload_with=connection)
            values = [{key: _value(value) for key, value in row.items()} for row in rows]
            connection.execute(table.insert(), values)
            key, *_ = table.primary_key
            marks = ours[name].dialect_options["sqlite"]
            if marks["autoincrement"] and engine.dialect.name == "postgresql":
                number = f"pg_get_serial_sequence('{name}', '{key.name}')"
                connection.exec_driver_sql(f"SELECT setval({number}, max({key.name})) FROM {name}")
    engine.dispose()


def _value(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def test_migrations_make_the_tables(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", "pbmstar.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]
    with closing(Store(f"sqlite:///{tmp_path}/new.db")) as store, store.engine.connect() as found:
        assert compare_metadata(MigrationContext.configure(found), metadata) == []


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_store_of_each_release_comes_up_whole(file: Path, database: str, tmp_path: Path) -> None:
    """Its records are as they were, its letters go out, and replies to its letters do what they did."""
    store = json.loads(file.read_text())
    put_back(database, store)
    with closing(Office(database, tmp_path / "spool", people=())) as office:
        office.now = store["now"] + 3600
        office.count = itertools.count(1000)  # the Message-IDs of before are known to the store
        with office.store.engine.connect() as found:
            assert compare_metadata(MigrationContext.configure(found), metadata) == []
        assert office.check() == []
        tables = store["tables"]
        for was in tables["boards"]:
            moves = [move["move"] for move in tables["moves"] if move["board"] == was["board"]]
            assert office.record(was["board"]) == moves
        waiting = [row for row in tables["outbox"] if row["state"] == "new"]
        assert len(waiting) > 3
        assert len(office.letters()) == len(waiting)
        for writer, reply_to, line, answer in store["replies"].values():
            letters = office.send(writer, "Re: Star", line, to=reply_to)
            assert any(answer in letter.text for letter in letters), (line, letters)
        assert office.record(2)[-2:] == ["E4", "D5"], "a plan answers"
        assert {"erik", "fred"} <= {user.userid for user in office.ask("accounts.users")}
        office.remind(10)
        assert office.check() == []


def test_there_is_a_store_of_each_release() -> None:
    """Its tables are those of a migration that is released."""
    assert {file.stem.removeprefix("kept_") for file in KEPT} == set(RELEASED)


def test_an_older_program_says_so_on_newer_tables(database: str) -> None:
    """In one sentence, and it changes nothing."""
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadInput, match=f"newer pbmstar \\(revision 9999; this one knows {HEAD}"):
        Store(database)
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    assert found == "9999"
    engine.dispose()


def test_tables_of_no_release_are_refused(database: str) -> None:
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0007'"))
    with pytest.raises(BadInput, match="no released pbmstar \\(revision 0007\\)"):
        Store(database)
    engine.dispose()
