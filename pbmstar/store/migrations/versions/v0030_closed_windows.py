"""The table of players who want no lines about what else waits."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import primary

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Create it, empty: at first everybody gets these lines."""
    op.create_table("closed_windows", *primary(userid=sa.Text), sqlite_with_rowid=False)
