"""A person who has had the userid of a bot since before those were reserved gets another one."""

import time
from itertools import count

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

_LEVELS = range(1, 10)
# The columns that name a player.
_NAMING = (
    (
        "userid",
        "users addresses endings blocks tokens places seats requests events moves plans drafts",
    ),
    ("userid", "notes comments bests absences reviews handled outbox digests untold rating_steps"),
    ("userid", "ratings offers invitations solutions problem_readers entries titles steps watches"),
    ("userid", "followers"),
    ("other", "blocks steps"),
    ("first", "rated pairings"),
    ("second", "rated pairings"),
    ("player", "followers"),
    ("to_move", "boards"),
    ("result", "boards"),
    ("opponent", "rating_steps"),
)


def upgrade() -> None:
    """Rename such a person in every place; replies to letters from before still work."""
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT userid, state FROM users")).fetchall()
    taken = {row.userid: row.state for row in rows}
    for level in _LEVELS:
        old = f"bot{level}"
        if taken.get(old, "bot") == "bot":
            continue
        new = next(name for n in count(level) if (name := f"person{n}") not in taken)
        taken[new] = taken.pop(old)
        for column, tables in _NAMING:
            for table in tables.split():
                statement = sa.text(f"UPDATE {table} SET {column} = :new WHERE {column} = :old")
                connection.execute(statement, {"new": new, "old": old})
        former = "UPDATE facts SET name = :new, value = value || :old WHERE name = :name"
        names = {"name": f"was {old}", "new": f"was {new}", "old": f" {old}"}
        if not connection.execute(sa.text(former), names).rowcount:
            keep = sa.text("INSERT INTO facts (name, value) VALUES (:name, :value)")
            connection.execute(keep, {"name": f"was {new}", "value": old})
        connection.execute(
            sa.text("INSERT INTO audit (at, actor, act) VALUES (:at, :actor, :act)"),
            {"at": time.time(), "actor": "upgrade", "act": f"user rename {old} {new}"},
        )
