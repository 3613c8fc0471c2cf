"""Strangers' guesses are counted apart; addresses that want no mail."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Whoever was locked out stays so, from the account's own address and from others."""
    found = op.get_bind().execute(sa.text("SELECT userid, count, last, until FROM failures"))
    rows = [dict(row) for row in found.mappings()]
    op.drop_table("failures")
    failures = op.create_table(
        "failures",
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("own", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("userid", "own"),
        sqlite_with_rowid=False,
    )
    op.bulk_insert(failures, [{**row, "own": own} for row in rows for own in (0, 1)])
    op.create_table(
        "suppressed",
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
        sqlite_with_rowid=False,
    )
