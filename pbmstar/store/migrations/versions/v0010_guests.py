"""How often somebody without an account has been answered."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Nobody has been until now."""
    op.create_table(
        "guests",
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("letters", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
        sqlite_with_rowid=False,
    )
