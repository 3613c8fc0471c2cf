"""What players plan on boards, and which moves were planned."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Nobody has a plan, and no move was planned."""
    op.create_table(
        "plans",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("resets", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board", "userid"),
        sqlite_with_rowid=False,
    )
    op.add_column("moves", sa.Column("by_plan", sa.Integer(), nullable=False, server_default="0"))
