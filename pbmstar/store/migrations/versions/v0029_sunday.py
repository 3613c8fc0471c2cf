"""The tables of the Sunday game, and the answers that its games share."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import nullable, primary, required

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Create them, empty."""
    op.create_table(
        "sundays",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        *required(week=sa.Integer, game=sa.Text, options=sa.Text, bot=sa.Text, seat=sa.Integer),
        *required(is_over=sa.Integer),
    )
    op.create_table(
        "sunday_boards",
        *primary(number=sa.Integer, userid=sa.Text),
        *required(board=sa.Integer),
        *nullable(margin=sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_index("sunday_boards_board", "sunday_boards", ["board"])
    readers = primary(userid=sa.Text)
    op.create_table("sunday_readers", *readers, *required(told=sa.Integer), sqlite_with_rowid=False)
    key = primary(series=sa.Text, position=sa.Text)
    op.create_table("answers", *key, *required(reply=sa.Text), sqlite_with_rowid=False)
