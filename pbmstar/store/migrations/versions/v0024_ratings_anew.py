"""Rate all games anew by the rule of today. No table changes; whoever's rating changes is told."""

from alembic import op

from pbmstar.features import modules

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Fold all games that have ended, and note the changed ratings for their players."""
    for _, feature in modules("upgrades"):
        feature.rate_anew(op.get_bind())
