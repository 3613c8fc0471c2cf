"""Known messages of a mailbox, letters that let others go first, idle Sundays, letters of a cup."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import primary, required

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """No message of a mailbox is known yet; all waiting letters go in their order; nobody has been idle.

    All digests are daily ones.
    """
    key = primary(mark=sa.LargeBinary)
    op.create_table("fetched", *key, *required(at=sa.Double), sqlite_with_rowid=False)
    op.create_index("fetched_at", "fetched", ["at"])
    added = (("outbox", "waits", "0"), ("sunday_readers", "idle", "0"), ("digests", "daily", "1"))
    for table, column, default in added:
        op.add_column(table, sa.Column(column, sa.Integer, nullable=False, server_default=default))
    op.create_table(
        "own_problems",
        sa.Column("number", sa.Integer, primary_key=True),
        *required(userid=sa.Text, week=sa.Integer, board=sa.Integer, game=sa.Text),
        *required(options=sa.Text, moves=sa.Text, move=sa.Text, played=sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("own_problems_userid", "own_problems", ["userid", "week"])
    op.add_column("entries", sa.Column("seen", sa.Text, nullable=False, server_default=""))
