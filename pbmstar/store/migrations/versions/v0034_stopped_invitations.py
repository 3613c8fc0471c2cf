"""The players whom the operator lets send no invitations and postcards."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import primary

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Nobody is stopped yet."""
    op.create_table("stopped_invitations", *primary(userid=sa.Text), sqlite_with_rowid=False)
