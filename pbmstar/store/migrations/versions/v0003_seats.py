"""Players in seats, requests and events beside moves, and when a board is due."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Every board keeps its players, and the score that was proposed on it."""
    op.create_table(
        "seats",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_userid", "seats", ["userid"])
    requests = op.create_table(
        "requests",
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("board"),
    )
    op.create_table(
        "events",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board", "n"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
        sqlite_with_rowid=False,
    )
    for seat, column in enumerate(("first", "second")):
        op.execute(
            f"INSERT INTO seats (board, seat, userid) SELECT board, {seat}, {column} FROM boards"  # noqa: S608
        )
    offers = op.get_bind().execute(
        sa.text("SELECT board, offer, since FROM boards WHERE offer <> ''")
    )
    open_requests = [
        {"board": board, "kind": "score", "userid": userid, "data": data, "at": since}
        for board, offer, since in offers
        for userid, _, data in [offer.partition(" ")]  # 'alice 11 10'
    ]
    op.bulk_insert(requests, open_requests)
    op.add_column("boards", sa.Column("due", sa.Double(), nullable=True))
    op.execute("UPDATE boards SET due = since WHERE to_move <> ''")
    for index in ("boards_due", "boards_first", "boards_second"):
        op.drop_index(index, "boards")
    for column in ("first", "second", "nag_days", "forfeit_days", "offer"):
        op.drop_column("boards", column)
    op.create_index("boards_due", "boards", ["due"])
