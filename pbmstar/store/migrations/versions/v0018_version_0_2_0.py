"""From the tables of version 0.1.0 to those of 0.2.0; nothing of a store is lost but locks."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0002"

DAYS = 21  # what players were promised for each move
DAY = 86400
_BOTS = [f"bot{level}" for level in range(1, 10)]
_WAITING = "to_move IN ('bot1','bot2','bot3','bot4','bot5','bot6','bot7','bot8','bot9')"


def upgrade() -> None:
    """Make the new tables, then change the old ones and move what was in them."""
    _tables_of_boards()
    _other_tables()
    _boards()
    _users()
    _bots()
    for name in ("mail", "message", "userid", "commands", "codes", "letters"):
        op.add_column("handled", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("handled", sa.Column("proved", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("handled", sa.Column("authentic", sa.Text(), nullable=False, server_default=""))
    op.add_column("tokens", sa.Column("asker", sa.Text(), nullable=False, server_default=""))
    # Locks were by userid, so that a stranger could lock out its owner; they last a day at most.
    op.drop_table("failures")


def _tables_of_boards() -> None:
    op.create_table(
        "seats",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("board", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_userid", "seats", ["userid"])
    op.create_table(
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
        "bests",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game", "options", "userid"),
        sqlite_with_rowid=False,
    )
    op.create_index("bests_first", "bests", ["game", "options", "rank", "turns", "at"])
    for name, content in (("plans", "plan"), ("drafts", "moves")):
        op.create_table(
            name,
            sa.Column("board", sa.Integer(), nullable=False),
            sa.Column("userid", sa.Text(), nullable=False),
            sa.Column("resets", sa.Integer(), nullable=False),
            sa.Column("length", sa.Integer(), nullable=False),
            sa.Column(content, sa.Text(), nullable=False),
            sa.PrimaryKeyConstraint("board", "userid"),
            sqlite_with_rowid=False,
        )
    op.create_table(
        "reviews",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("board", "userid"),
        sqlite_with_rowid=False,
    )
    op.create_index("reviews_at", "reviews", ["at"])
    op.create_table(
        "reviewed",
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("resets", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board"),
    )
    op.create_table(
        "notes",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board", "userid", "n"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "comments",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board", "n"),
        sqlite_with_rowid=False,
    )


def _other_tables() -> None:
    op.create_table(
        "facts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "places",
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("known", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("last", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("userid", "place"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bans",
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "guests",
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("letters", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("begin", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
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
    op.create_table(
        "digests",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("boards", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("digests_at", "digests", ["at"])
    op.create_index("digests_userid", "digests", ["userid", "at"])
    op.create_table(
        "untold",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("untold_userid", "untold", ["userid"])


def _boards() -> None:
    """Every board keeps its players and the score that was proposed on it.

    A running board goes on with 21 days for each move, from the last letter about it. A last warning
    that was sent goes on to count.
    """
    terms = json.dumps({"time": f"{DAYS}d"}, separators=(",", ":"))
    for seat, column in enumerate(("first", "second")):
        op.execute(
            f"INSERT INTO seats (board, seat, userid, bank) "  # noqa: S608
            f"SELECT board, {seat}, {column}, {DAYS * DAY} FROM boards"
        )
    proposed = "SELECT board, offer, since FROM boards WHERE offer <> ''"
    for board, offer, since in op.get_bind().execute(sa.text(proposed)).fetchall():
        userid, _, score = offer.partition(" ")  # 'alice 11 10'
        values = {"board": board, "userid": userid, "score": score, "since": since}
        for insert in (
            "INSERT INTO requests (board, kind, userid, data, at) "
            "VALUES (:board, 'score', :userid, :score, :since)",
            "INSERT INTO events (board, n, at, userid, kind, data) "
            "VALUES (:board, 0, :since, :userid, 'proposed', :score)",
        ):
            op.execute(sa.text(insert).bindparams(**values))
    for index in ("boards_due", "boards_first", "boards_second"):
        op.drop_index(index, "boards")
    op.add_column("boards", sa.Column("due", sa.Double(), nullable=True))
    for column in ("first", "second", "nag_days", "forfeit_days", "offer"):
        op.drop_column("boards", column)
    op.add_column("boards", sa.Column("terms", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("boards", sa.Column("told", sa.Integer()))
    op.add_column("boards", sa.Column("clock_from", sa.Double()))
    op.execute(sa.text("UPDATE boards SET terms = :terms").bindparams(terms=terms))
    op.execute("UPDATE boards SET due = since, clock_from = since WHERE to_move <> ''")
    op.create_index("boards_due", "boards", ["due"])
    op.create_index(
        "boards_bots",
        "boards",
        ["since"],
        sqlite_where=sa.text(_WAITING),
        postgresql_where=sa.text(_WAITING),
    )
    op.add_column("moves", sa.Column("by_plan", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("moves", sa.Column("began", sa.Double()))
    # A warning says now which end of the turn it names: that of 21 days.
    warned = (
        "SELECT r.board, r.resets, r.seq, b.since FROM reminders r "
        "JOIN boards b ON b.board = r.board WHERE r.stage = 'warning'"
    )
    for board, resets, seq, since in op.get_bind().execute(sa.text(warned)).fetchall():
        op.execute(
            sa.text(
                "UPDATE reminders SET stage = :stage WHERE stage = 'warning' AND board = :board "
                "AND resets = :resets AND seq = :seq"
            ).bindparams(
                stage=f"warning {int(-(-since // 1)) + DAYS * DAY}",
                board=board,
                resets=resets,
                seq=seq,
            )
        )


def _users() -> None:
    """Everybody gets each letter with all in it, and times in UTC, until they say otherwise.

    An account whose address bounces is away since it was made.
    """
    number, text = sa.Integer(), sa.Text()
    for name, kind, default in (
        ("news", number, "1"),
        ("html", number, "1"),
        ("pictures", number, "1"),
        ("listed", number, "1"),
        ("letters", text, "each"),
        ("digest_at", number, "420"),
        ("zone", text, "UTC"),
        ("drawing", text, "ascii"),
    ):
        op.add_column("users", sa.Column(name, kind, nullable=False, server_default=default))
    op.add_column("users", sa.Column("digest_due", sa.Double()))
    op.create_index("users_digest_due", "users", ["digest_due"])
    op.add_column("users", sa.Column("auto_leave", number, nullable=False, server_default="1"))
    op.add_column("users", sa.Column("away", sa.Double()))
    op.add_column("users", sa.Column("absent", sa.Double()))
    op.execute(
        "INSERT INTO absences (userid, begin, kind, made) "
        "SELECT userid, made, 'bounce', made FROM users WHERE state = 'suspended'"
    )
    op.execute("UPDATE users SET away = 1e12 WHERE state = 'suspended'")


def _bots() -> None:
    """Each bot gets its account, unless a person has the userid: that one stays theirs."""
    texts = {"address": "", "password": "", "state": "bot", "refuses": ""}
    numbers = dict.fromkeys(
        ("made", "bounces", "reminders", "news", "html", "pictures", "listed"), 0
    )
    users = sa.table("users", *(sa.column(name) for name in ("userid", *texts, *numbers)))
    taken = {userid for (userid,) in op.get_bind().execute(sa.select(users.c.userid))}
    op.bulk_insert(
        users, [{"userid": bot, **texts, **numbers} for bot in _BOTS if bot not in taken]
    )
