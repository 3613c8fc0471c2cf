"""Version 1.0.0, the first with migrations: it creates the tables of the schema, see ``Store``."""

revision = "0032"
down_revision = None


def upgrade() -> None:
    """Do nothing: tables that have this revision were made whole."""
