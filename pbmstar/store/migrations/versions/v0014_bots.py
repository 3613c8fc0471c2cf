"""Bots: accounts without address or password, and an index of the boards that wait for one."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_BOTS = [f"bot{level}" for level in range(1, 10)]
_WAITING = "to_move IN ('bot1','bot2','bot3','bot4','bot5','bot6','bot7','bot8','bot9')"


def upgrade() -> None:
    """Each bot gets its account, unless a person has the userid: that one stays theirs."""
    users = sa.table(
        "users",
        *(sa.column(name) for name in ("userid", "address", "password", "state", "refuses")),
        *(sa.column(name) for name in ("made", "bounces", "reminders")),
        *(sa.column(name) for name in ("news", "html", "pictures", "listed")),
    )
    taken = {userid for (userid,) in op.get_bind().execute(sa.select(users.c.userid))}
    texts = {"address": "", "password": "", "state": "bot", "refuses": ""}
    numbers = dict.fromkeys(
        ("made", "bounces", "reminders", "news", "html", "pictures", "listed"), 0
    )
    op.bulk_insert(
        users, [{"userid": bot, **texts, **numbers} for bot in _BOTS if bot not in taken]
    )
    op.create_index(
        "boards_bots",
        "boards",
        ["since"],
        sqlite_where=sa.text(_WAITING),
        postgresql_where=sa.text(_WAITING),
    )
