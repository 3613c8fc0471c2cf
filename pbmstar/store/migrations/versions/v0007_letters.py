"""Who wants HTML and pictures in letters, and who may be found by others."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Everybody does, until they say otherwise."""
    for name in ("html", "pictures", "listed"):
        op.add_column("users", sa.Column(name, sa.Integer(), nullable=False, server_default="1"))
