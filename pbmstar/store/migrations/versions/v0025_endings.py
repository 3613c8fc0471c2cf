"""A table of how the last mails of each account ended: lines that end the next one too are a signature."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.schema import primary, required

revision = "0025"
down_revision = "0023"


def upgrade() -> None:
    """Make an empty table: no ending is known yet."""
    op.create_table(
        "endings", *primary(userid=sa.Text), *required(lines=sa.Text), sqlite_with_rowid=False
    )
