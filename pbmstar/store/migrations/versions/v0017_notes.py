"""What players write on boards: notes for themselves, and words to each other."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Nothing of what was written before has been kept."""
    op.create_table(
        "notes",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board", "userid", "n"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "comments",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board", "n"),
        sqlite_with_rowid=False,
    )
