"""The language in which a player gets letters."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Add it: all accounts begin with English."""
    op.add_column("users", sa.Column("language", sa.Text, nullable=False, server_default="en"))
