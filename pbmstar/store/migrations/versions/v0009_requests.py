"""Who cannot be reached is another request than one to end a game without result."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Open requests stay, and each has the event that it came of."""
    op.execute("UPDATE requests SET kind = 'unreached' WHERE kind = 'cancel'")
    op.execute(
        "INSERT INTO events (board, n, at, userid, kind, data)"
        " SELECT r.board, coalesce((SELECT max(e.n) + 1 FROM events e WHERE e.board = r.board), 0),"
        " r.at, r.userid, CASE r.kind WHEN 'unreached' THEN r.kind ELSE 'proposed' END, r.data"
        " FROM requests r WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.board = r.board"
        " AND e.userid = r.userid AND e.kind IN ('proposed', 'unreached'))"
    )
