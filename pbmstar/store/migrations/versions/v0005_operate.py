"""What became of each mail, who is banned, when the server stood still, who wants announcements."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Of mails handled before only the outcome is known."""
    for name in ("mail", "message", "userid", "commands", "codes", "letters"):
        op.add_column("handled", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("handled", sa.Column("proved", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("users", sa.Column("news", sa.Integer(), nullable=False, server_default="1"))
    op.create_table(
        "bans",
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("begin", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
