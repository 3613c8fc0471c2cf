"""Terms and clocks of boards; when players are away."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

DAYS = 21  # what players were promised for each move
DAY = 86400


def upgrade() -> None:
    """A running board goes on with 21 days for each move, from the last letter about it; a puzzle
    without limit. A last warning that was sent goes on to count."""
    op.create_table(
        "absences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("begin", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("absences_userid", "absences", ["userid"])
    op.add_column(
        "users", sa.Column("auto_leave", sa.Integer(), nullable=False, server_default="1")
    )
    op.add_column("users", sa.Column("away", sa.Double()))
    op.add_column("users", sa.Column("absent", sa.Double()))
    op.execute(
        "INSERT INTO absences (userid, begin, kind, made) "
        "SELECT userid, made, 'bounce', made FROM users WHERE state = 'suspended'"
    )
    op.execute("UPDATE users SET away = 1e12 WHERE state = 'suspended'")
    op.add_column("boards", sa.Column("terms", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("boards", sa.Column("told", sa.Integer()))
    op.add_column("boards", sa.Column("clock_from", sa.Double()))
    op.add_column("seats", sa.Column("bank", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("moves", sa.Column("began", sa.Double()))
    for terms, bank, players in (
        ({"time": f"{DAYS}d"}, DAYS * DAY, "> 1"),
        ({"time": "none"}, 0, "= 1"),
    ):
        boards = f"(SELECT board FROM seats GROUP BY board HAVING count(*) {players})"  # noqa: S608
        op.execute(
            sa.text(f"UPDATE boards SET terms = :terms WHERE board IN {boards}").bindparams(  # noqa: S608
                terms=json.dumps(terms, separators=(",", ":"))
            )
        )
        op.execute(f"UPDATE seats SET bank = {bank} WHERE board IN {boards}")  # noqa: S608
    op.execute("UPDATE boards SET clock_from = since WHERE to_move <> ''")
    op.execute("UPDATE boards SET due = since WHERE to_move <> ''")
    _name_ends()


def _name_ends() -> None:
    """A warning says now which end of the turn it names: that of 21 days."""
    connection = op.get_bind()
    warned = sa.text(
        "SELECT r.board, r.resets, r.seq, b.since FROM reminders r JOIN boards b ON b.board = r.board "
        "WHERE r.stage = 'warning'"
    )
    for board, resets, seq, since in connection.execute(warned).fetchall():
        connection.execute(
            sa.text(
                "UPDATE reminders SET stage = :stage WHERE stage = 'warning' AND board = :board "
                "AND resets = :resets AND seq = :seq"
            ),
            {
                "stage": f"warning {int(-(-since // 1)) + DAYS * DAY}",
                "board": board,
                "resets": resets,
                "seq": seq,
            },
        )
