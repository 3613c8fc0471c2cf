"""The table of the tips that new players were given."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import primary, required

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Create it, empty."""
    key = primary(userid=sa.Text, tip=sa.Text)
    op.create_table("tips", *key, *required(at=sa.Float), sqlite_with_rowid=False)
