"""The store is read by subject: a transaction holds parts, and each part is one page."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pbmstar import store
from pbmstar.store import Store, Tx
from pbmstar.store.statements import Repository

HOUSE = Path(store.__file__).parent


def test_a_transaction_holds_its_parts_and_inherits_nothing(database: str) -> None:
    assert Tx.__bases__ == (object,)
    with closing(Store(database)) as opened, opened.transaction() as tx:
        public = {name for name in dir(tx) if not name.startswith("_")}
        parts = {name for name in public if isinstance(getattr(tx, name), Repository)}
    assert public - parts == {"of", "prune", "savepoint"}
    for name in parts:
        (base,) = type(getattr(tx, name)).__bases__
        assert base is Repository, name


def test_every_table_is_in_the_schema() -> None:
    files = {path.name for path in HOUSE.rglob("*.py") if "Table(" in path.read_text()}
    assert files == {"columns.py", "schema.py"}
