"""How a text of SQL is given to each driver."""

from __future__ import annotations

import pytest
from sqlalchemy.dialects import postgresql, sqlite

from pbmstar.store.statements import Statements

ON_SQLITE = Statements(sqlite.dialect(paramstyle="named"))
ON_POSTGRESQL = Statements(postgresql.dialect(paramstyle="pyformat"))


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("SELECT 1 FROM a WHERE b = :b_1", "SELECT 1 FROM a WHERE b = %(b_1)s"),
        ("SELECT :one, :one2", "SELECT %(one)s, %(one2)s"),
        ("SELECT 1 FROM a WHERE b LIKE '%:c%'", "SELECT 1 FROM a WHERE b LIKE '%%:c%%'"),
        ("SELECT a % 2 FROM b", "SELECT a %% 2 FROM b"),
    ],
)
def test_only_a_name_outside_of_texts_is_a_parameter(text: str, there: str) -> None:
    assert ON_SQLITE[text].text == text
    assert ON_POSTGRESQL[text].text == there


def test_rows_are_locked_where_several_write() -> None:
    text = "SELECT a FROM b ORDER BY a LIMIT :c\n    FOR UPDATE OF b SKIP LOCKED"
    assert ON_SQLITE[text].text == "SELECT a FROM b ORDER BY a LIMIT :c"
    assert ON_POSTGRESQL[text].text.endswith("LIMIT %(c)s\n    FOR UPDATE OF b SKIP LOCKED")


def test_a_statement_that_is_no_query_writes() -> None:
    """It then has a savepoint before it."""
    assert not ON_SQLITE["\n    SELECT a FROM b FOR UPDATE"].writes
    assert ON_SQLITE["INSERT INTO a (b) VALUES (1) RETURNING c"].writes
