"""Reviews of finished games, and who waits for one."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """There were none before."""
    op.create_table(
        "reviews",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("board", "userid"),
        sqlite_with_rowid=False,
    )
    op.create_index("reviews_at", "reviews", ["at"])
    op.create_table(
        "reviewed",
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("resets", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board"),
    )
