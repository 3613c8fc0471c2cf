"""How often letters come and how they look to a player; what waits for a digest, and those sent."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Everybody gets each letter, drawn with ASCII, and times in UTC, until they say otherwise."""
    for name, kind, default in (
        ("letters", sa.Text(), "each"),
        ("digest_at", sa.Integer(), "420"),
        ("zone", sa.Text(), "UTC"),
        ("drawing", sa.Text(), "ascii"),
    ):
        op.add_column("users", sa.Column(name, kind, nullable=False, server_default=default))
    op.add_column("users", sa.Column("digest_due", sa.Double()))
    op.create_index("users_digest_due", "users", ["digest_due"])
    op.create_table(
        "digests",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("boards", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("digests_at", "digests", ["at"])
    op.create_table(
        "untold",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("untold_userid", "untold", ["userid"])
