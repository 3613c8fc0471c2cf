"""Wrong passwords by the place that they come from; who asked for a token.

Locks of before are lifted: they were by userid, so that a stranger could lock out its owner.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nothing of an account is lost but a lock, which lasts a day at most."""
    op.drop_table("failures")
    op.create_table(
        "places",
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("known", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("last", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("userid", "place"),
        sqlite_with_rowid=False,
    )
    op.add_column("tokens", sa.Column("asker", sa.Text(), nullable=False, server_default=""))
