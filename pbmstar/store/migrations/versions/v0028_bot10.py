"""A tenth bot: a person who has had its userid gets another one, and its turns are found as fast."""

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import partial
from pbmstar.store.migrations.versions.v0025_names_of_bots import rename

revision = "0028"
down_revision = "0027"

_BOTS = ",".join(f"'bot{level}'" for level in range(1, 11))
_WAITING = f"to_move IN ({_BOTS})"


def upgrade() -> None:
    """Rename such a person, open the account of the bot where there are others, and index its turns."""
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
