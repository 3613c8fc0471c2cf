"""The sentence of each refusal is kept with the mail that it answered."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0025"


def upgrade() -> None:
    """Add it to the mails; those of earlier versions have none."""
    op.add_column("handled", sa.Column("said", sa.Text, nullable=False, server_default=""))
