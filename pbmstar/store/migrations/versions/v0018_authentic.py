"""What our mail server said of the sender of a mail, for ``admin explain``."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Of mails before it is not known."""
    op.add_column("handled", sa.Column("authentic", sa.Text(), nullable=False, server_default=""))
