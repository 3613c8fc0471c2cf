"""The tables of version 0.1.0."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import nullable, partial, primary, required

revision = "0002"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "audit",
        *primary(id=sa.Integer),
        *required(at=sa.Double, actor=sa.Text, act=sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_table("blocks", *primary(userid=sa.Text, other=sa.Text), sqlite_with_rowid=False)
    op.create_table(
        "boards",
        *primary(board=sa.Integer),
        *required(game=sa.Text, options=sa.Text, first=sa.Text, second=sa.Text, made=sa.Double),
        *nullable(nag_days=sa.Double, forfeit_days=sa.Double),
        *required(resets=sa.Integer, offer=sa.Text, length=sa.Integer, to_move=sa.Text),
        *required(result=sa.Text, since=sa.Double),
        sqlite_autoincrement=True,
    )
    op.create_index("boards_due", "boards", ["since"], **partial("to_move <> ''"))
    op.create_index("boards_first", "boards", ["first"])
    op.create_index("boards_second", "boards", ["second"])
    op.create_table(
        "contents",
        sa.Column("letter", sa.Integer, primary_key=True, autoincrement=False),
        *required(content=sa.LargeBinary),
    )
    op.create_table(
        "counts",
        *primary(what=sa.Text),
        *required(since=sa.Double, count=sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "failures",
        *primary(userid=sa.Text, own=sa.Integer),
        *required(count=sa.Integer, last=sa.Double, until=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "handled",
        *primary(digest=sa.LargeBinary),
        *required(at=sa.Double, outcome=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_index("handled_at", "handled", ["at"])
    op.create_table(
        "keys",
        *primary(id=sa.Integer),
        *required(key=sa.LargeBinary, made=sa.Double),
    )
    op.create_table(
        "moves",
        *primary(board=sa.Integer, seq=sa.Integer),
        *nullable(number=sa.Integer),
        *required(userid=sa.Text, move=sa.Text, at=sa.Double),
        sa.UniqueConstraint("board", "number", name="moves_number"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outbox",
        *primary(id=sa.Integer),
        *required(message_id=sa.Text, userid=sa.Text, address=sa.Text, sender=sa.Text),
        *required(state=sa.Text, due=sa.Double, owner=sa.Text, tries=sa.Integer, made=sa.Double),
        *nullable(sent=sa.Double),
        *required(trouble=sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("outbox_due", "outbox", ["due"], **partial("state = 'new'"))
    op.create_index("outbox_made", "outbox", ["made"])
    op.create_index("outbox_new", "outbox", ["id", "due"], **partial("state = 'new'"))
    op.create_table(
        "reminders",
        *primary(board=sa.Integer, resets=sa.Integer, seq=sa.Integer, stage=sa.Text),
        *required(letter=sa.Integer, at=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "suppressed",
        *primary(mark=sa.Text),
        *required(at=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tokens",
        *primary(hash=sa.Text),
        *required(kind=sa.Text, userid=sa.Text, address=sa.Text, password=sa.Text, made=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("tokens_address", "tokens", ["address", "made"])
    op.create_table(
        "users",
        *primary(userid=sa.Text),
        *required(address=sa.Text, password=sa.Text, state=sa.Text, made=sa.Double),
        *required(reminders=sa.Integer),
        *nullable(most=sa.Integer),
        *required(refuses=sa.Text, bounces=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("users_address", "users", ["address"])
