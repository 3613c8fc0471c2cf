"""From the tables of version 0.1.0 to those of 0.2.0; nothing of a store is lost except locks."""

import json

import sqlalchemy as sa
from alembic import op

from pbmstar.store.columns import nullable, partial, primary, required

revision = "0018"
down_revision = "0002"

DAYS = 21  # the time that players were promised for each move
DAY = 86400
_BOTS = [f"bot{level}" for level in range(1, 10)]
_WAITING = "to_move IN ('bot1','bot2','bot3','bot4','bot5','bot6','bot7','bot8','bot9')"


def upgrade() -> None:
    """Make the new tables, then change the old ones and move their rows."""
    _tables_of_boards()
    _other_tables()
    _boards()
    _users()
    _bots()
    for name in ("mail", "message", "userid", "commands", "codes", "letters"):
        op.add_column("handled", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("handled", *required("0", proved=sa.Integer))
    op.add_column("handled", *required("", authentic=sa.Text))
    op.add_column("tokens", *required("", asker=sa.Text))
    # Locks were by userid, and a stranger could lock out its owner; they last a day at most.
    op.drop_table("failures")


def _tables_of_boards() -> None:
    op.create_table(
        "seats",
        *primary(board=sa.Integer, seat=sa.Integer),
        *required(userid=sa.Text),
        *required("0", bank=sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_userid", "seats", ["userid"])
    op.create_table(
        "requests",
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        *required(kind=sa.Text, userid=sa.Text, data=sa.Text, at=sa.Double),
    )
    op.create_table(
        "events",
        *primary(board=sa.Integer, n=sa.Integer),
        *required(at=sa.Double, userid=sa.Text, kind=sa.Text, data=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bests",
        *primary(game=sa.Text, options=sa.Text, userid=sa.Text),
        *required(rank=sa.Integer, turns=sa.Integer, at=sa.Double, board=sa.Integer, note=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_index("bests_first", "bests", ["game", "options", "rank", "turns", "at"])
    for name, content in (("plans", "plan"), ("drafts", "moves")):
        op.create_table(
            name,
            *primary(board=sa.Integer, userid=sa.Text),
            *required(resets=sa.Integer, length=sa.Integer),
            sa.Column(content, sa.Text(), nullable=False),
            sqlite_with_rowid=False,
        )
    op.create_table(
        "reviews",
        *primary(board=sa.Integer, userid=sa.Text),
        *required(at=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("reviews_at", "reviews", ["at"])
    op.create_table(
        "reviewed",
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        *required(resets=sa.Integer, length=sa.Integer, data=sa.Text),
    )
    op.create_table(
        "notes",
        *primary(board=sa.Integer, userid=sa.Text, n=sa.Integer),
        *required(at=sa.Double, move=sa.Integer, text=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "comments",
        *primary(board=sa.Integer, n=sa.Integer),
        *required(length=sa.Integer, userid=sa.Text, at=sa.Double, text=sa.Text),
        sqlite_with_rowid=False,
    )


def _other_tables() -> None:
    op.create_table(
        "facts",
        *primary(name=sa.Text),
        *required(value=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "places",
        *primary(userid=sa.Text, place=sa.Text),
        *required(known=sa.Integer, wrong=sa.Integer, last=sa.Double, until=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "bans",
        *primary(mark=sa.Text),
        *required(at=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "guests",
        *primary(mark=sa.Text),
        *required(letters=sa.Integer, at=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outages",
        *primary(id=sa.Integer),
        *required(begin=sa.Double),
        *nullable(until=sa.Double),
        *required(why=sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "absences",
        *primary(id=sa.Integer),
        *required(userid=sa.Text, begin=sa.Double),
        *nullable(until=sa.Double),
        *required(kind=sa.Text, made=sa.Double),
        sqlite_autoincrement=True,
    )
    op.create_index("absences_userid", "absences", ["userid"])
    op.create_table(
        "digests",
        *primary(id=sa.Integer),
        *required(userid=sa.Text, at=sa.Double, boards=sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("digests_at", "digests", ["at"])
    op.create_index("digests_userid", "digests", ["userid", "at"])
    op.create_table(
        "untold",
        *primary(id=sa.Integer),
        *required(userid=sa.Text, board=sa.Integer, at=sa.Double, data=sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("untold_userid", "untold", ["userid"])


def _boards() -> None:
    """Keep the players of every board and the score that was proposed on it.

    A running board goes on with 21 days for each move, from the last letter about it. A last warning
    that was sent still counts.
    """
    terms = json.dumps({"time": f"{DAYS}d"}, separators=(",", ":"))
    for seat, column in enumerate(("first", "second")):
        op.execute(
            f"INSERT INTO seats (board, seat, userid, bank) "
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
    op.add_column("boards", *nullable(due=sa.Double))
    for column in ("first", "second", "nag_days", "forfeit_days", "offer"):
        op.drop_column("boards", column)
    op.add_column("boards", *required("{}", terms=sa.Text))
    op.add_column("boards", *nullable(told=sa.Integer))
    op.add_column("boards", *nullable(clock_from=sa.Double))
    op.execute(sa.text("UPDATE boards SET terms = :terms").bindparams(terms=terms))
    op.execute("UPDATE boards SET due = since, clock_from = since WHERE to_move <> ''")
    op.create_index("boards_due", "boards", ["due"])
    op.create_index("boards_bots", "boards", ["since"], **partial(_WAITING))
    op.add_column("moves", *required("0", by_plan=sa.Integer))
    op.add_column("moves", *nullable(began=sa.Double))
    # A warning now holds the end of the turn that it names: that of 21 days.
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
    """Give every player each letter with all parts, and times in UTC, until the player changes this.

    The account of an address that bounces is away since it was made.
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
    op.add_column("users", *nullable(digest_due=sa.Double))
    op.create_index("users_digest_due", "users", ["digest_due"])
    op.add_column("users", sa.Column("auto_leave", number, nullable=False, server_default="1"))
    op.add_column("users", *nullable(away=sa.Double))
    op.add_column("users", *nullable(absent=sa.Double))
    op.execute(
        "INSERT INTO absences (userid, begin, kind, made) "
        "SELECT userid, made, 'bounce', made FROM users WHERE state = 'suspended'"
    )
    op.execute("UPDATE users SET away = 1e12 WHERE state = 'suspended'")


def _bots() -> None:
    """Give each bot its account, unless a person has the userid: the person keeps it."""
    texts = {"address": "", "password": "", "state": "bot", "refuses": ""}
    numbers = dict.fromkeys(
        ("made", "bounces", "reminders", "news", "html", "pictures", "listed"), 0
    )
    users = sa.table("users", *(sa.column(name) for name in ("userid", *texts, *numbers)))
    taken = {userid for (userid,) in op.get_bind().execute(sa.select(users.c.userid))}
    op.bulk_insert(
        users, [{"userid": bot, **texts, **numbers} for bot in _BOTS if bot not in taken]
    )
