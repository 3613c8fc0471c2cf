"""Rate all games anew by the rule of today; a player whose rating changes is told. And an empty table."""

import sqlalchemy as sa
from alembic import op

from pbmstar.features import modules
from pbmstar.store.columns import primary, required

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Fold all games that have ended, and note the changed ratings for their players; add a table."""
    op.create_table(  # of how messages ended: no ending is known yet
        "endings", *primary(userid=sa.Text), *required(lines=sa.Text), sqlite_with_rowid=False
    )
    for _, feature in modules("upgrades"):
        feature.rate_anew(op.get_bind())
