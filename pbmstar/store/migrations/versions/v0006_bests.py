"""The best that each player has reached in each puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """There were no puzzles before, so nothing is in it."""
    op.create_table(
        "bests",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", "options", "userid"),
        sqlite_with_rowid=False,
    )
    op.create_index("bests_first", "bests", ["game", "options", "rank", "turns", "at"])
