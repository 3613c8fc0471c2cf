"""An index of the boards that wait for a player, the one that has waited longest first."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Make the index."""
    running = sa.text("to_move != ''")
    op.create_index(
        "boards_to_move",
        "boards",
        ["to_move", "since", "board"],
        sqlite_where=running,
        postgresql_where=running,
    )
