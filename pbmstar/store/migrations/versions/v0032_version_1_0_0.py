"""Version 1.0.0: reasons kept, bot10, the Sunday game, closed windows, languages, tips."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import nullable, partial, primary, required
from pbmstar.store.migrations.versions.v0025_names_of_bots import rename

revision = "0032"
down_revision = "0025"

_BOTS = ",".join(f"'bot{level}'" for level in range(1, 11))
_WAITING = f"to_move IN ({_BOTS})"


def upgrade() -> None:
    """Keep everything: tables that are new are empty, and columns have what was so until now."""
    _ten_bots()
    _sunday()
    # The sentence of each refusal is kept with the mail that it answered; earlier messages have none.
    op.add_column("handled", sa.Column("said", sa.Text, nullable=False, server_default=""))
    # All accounts begin with English letters.
    op.add_column("users", sa.Column("language", sa.Text, nullable=False, server_default="en"))
    # Players who want no lines about what else waits; at first everybody gets them.
    op.create_table("closed_windows", *primary(userid=sa.Text), sqlite_with_rowid=False)
    # The tips that new players were given.
    key = primary(userid=sa.Text, tip=sa.Text)
    op.create_table("tips", *key, *required(at=sa.Float), sqlite_with_rowid=False)


def _ten_bots() -> None:
    """Give a person called bot10 another userid, open its account where there are bots, index its turns."""
    rename([10])
    connection = op.get_bind()
    bots = connection.execute(sa.text("SELECT 1 FROM users WHERE state = 'bot'")).first()
    if bots:
        texts = {"userid": "bot10", "address": "", "password": "", "state": "bot", "refuses": ""}
        numbers = dict.fromkeys(
            ("made", "bounces", "reminders", "news", "html", "pictures", "listed"), 0
        )
        users = sa.table("users", *map(sa.column, (*texts, *numbers)))
        connection.execute(users.insert().values(**texts, **numbers))
    op.drop_index("boards_bots", "boards")
    op.create_index("boards_bots", "boards", ["since"], **partial(_WAITING))


def _sunday() -> None:
    """Create the tables of the Sunday game, and of the answers that its games share."""
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
