"""When a player last got a digest is asked of an index."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """No row changes."""
    op.create_index("digests_userid", "digests", ["userid", "at"])
