"""The store is read by subject: a transaction holds parts, and each part is one page."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pbmstar import store
from pbmstar.store import Store, Tx
from pbmstar.store.database import RELEASED
from pbmstar.store.statements import Subject

HOUSE = Path(store.__file__).parent


def test_a_transaction_holds_its_parts_and_inherits_nothing(database: str) -> None:
    assert Tx.__bases__ == (object,)
    with closing(Store(database)) as opened, opened.transaction() as tx:
        public = {name for name in dir(tx) if not name.startswith("_")}
        parts = {name for name in public if isinstance(getattr(tx, name), Subject)}
    assert public - parts == {"of", "prune", "savepoint"}
    for name in parts:
        (base,) = type(getattr(tx, name)).__bases__
        assert base is Subject, name


def test_every_table_is_in_the_schema() -> None:
    files = {path.name for path in HOUSE.rglob("*.py") if "Table(" in path.read_text()}
    assert files == {"columns.py", "schema.py"}


def test_each_version_that_somebody_runs_is_migrated() -> None:
    """The migrations that came after it are joined into one when the next version is released."""
    files = sorted(path.stem for path in (HOUSE / "migrations" / "versions").glob("v*.py"))
    assert tuple(name[1:5] for name in files[: len(RELEASED)]) == RELEASED
