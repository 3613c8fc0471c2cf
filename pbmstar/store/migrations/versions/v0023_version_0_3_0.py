"""From the tables of version 0.2.0 to those of 0.3.0; nothing is lost."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from pbmstar.contest.fairness import (
    EARLY,
    HANDICAP,
    LATE,
    PLAYED,
    POINTS,
    RESIGNED,
    UNMEASURED,
    UNMOVED,
    VOID,
    is_move,
)
from pbmstar.contest.fold import Ended, Fold
from pbmstar.contest.practice import of_bot

revision = "0023"
down_revision = "0018"


def upgrade() -> None:
    """Make each change in the order in which the changes were made."""
    _days_of_leave()
    _suppressed()
    _lanes()
    _readers()
    _public()
    _receipts()
    _proved()
    _ratings()
    _offers()
    _nodes()
    _contests()
    _watches()
    _addresses()


def _days_of_leave() -> None:
    """Count leave that is booked, in hours until now, by the zone that its player has."""
    op.add_column("absences", sa.Column("zone", sa.Text(), nullable=False, server_default="UTC"))
    op.execute(
        "UPDATE absences SET zone = (SELECT zone FROM users WHERE users.userid = absences.userid) "
        "WHERE kind = 'leave' AND userid IN (SELECT userid FROM users)"
    )


def _suppressed() -> None:
    """Keep all that is suppressed: it is not known which addresses only came back."""
    op.add_column("suppressed", sa.Column("until", sa.Double()))


def _lanes() -> None:
    """A letter that waits and belongs to no account, and not to the operator, is a stranger's."""
    op.add_column("outbox", sa.Column("lane", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE outbox SET lane = 1 WHERE state = 'new' AND userid = '' AND sender <> ''")
    waiting = sa.text("state = 'new'")
    op.drop_index("outbox_new", "outbox")
    op.create_index(
        "outbox_new",
        "outbox",
        ["lane", "id", "due"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )


def _readers() -> None:
    """Tokens of before count for nobody; they are forgotten within a month."""
    op.drop_index("tokens_address", table_name="tokens")
    op.add_column("tokens", sa.Column("reader", sa.Text(), nullable=False, server_default=""))
    op.create_index("tokens_reader", "tokens", ["reader", "made"])


def _receipts() -> None:
    """No receipt has said yet how to get none."""
    op.add_column("users", sa.Column("receipts", sa.Integer(), nullable=False, server_default="0"))


def _public() -> None:
    """Show nobody on the site who has not been asked, except bots."""
    op.add_column("users", sa.Column("public", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE users SET public = 1 WHERE state = 'bot'")


def _proved() -> None:
    """Of boards of before no proof is known."""
    op.add_column("boards", sa.Column("proved", sa.Integer(), nullable=False, server_default="0"))


def _tally() -> Iterator[sa.Column[Any]]:
    """Yield the columns of what a player has after a game."""
    for name in ("rating", "deviation", "volatility", "at"):
        yield sa.Column(name, sa.Double(), nullable=False)
    for name in ("games", "won", "lost", "tied", "opponents"):
        yield sa.Column(name, sa.Integer(), nullable=False)


def _ratings() -> None:
    """Rate all games that have ended, as if ratings had been kept from the first one on."""
    rated = op.create_table(
        "rated",
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("practice", sa.Integer(), nullable=False),
        sa.Column("measure", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("second", sa.Text(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("barred", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("board"),
        sqlite_with_rowid=False,
    )
    op.create_index("rated_at", "rated", ["game", "practice", "at", "board"])
    op.create_index("rated_first", "rated", ["first", "at"])
    op.create_index("rated_second", "rated", ["second", "at"])
    steps = op.create_table(
        "rating_steps",
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("practice", sa.Integer(), nullable=False),
        *_tally(),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("opponent", sa.Text(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("before", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("userid", "game", "practice", "board"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "rating_steps_at", "rating_steps", ["userid", "game", "practice", "at", "board"]
    )
    op.create_index("rating_steps_board", "rating_steps", ["board"])
    ratings = op.create_table(
        "ratings",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("practice", sa.Integer(), nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        *_tally(),
        sa.PrimaryKeyConstraint("game", "practice", "userid"),
        sqlite_with_rowid=False,
    )
    op.create_index("ratings_userid", "ratings", ["userid"])
    games, played, last = _folded()
    op.bulk_insert(rated, games)
    op.bulk_insert(steps, played)
    op.bulk_insert(ratings, last)


def _folded() -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of all games that have ended, of their steps, and of the last steps."""
    folds: dict[tuple[str, int], Fold] = {}
    games, steps, last = [], [], dict[tuple[str, int, str], dict[str, Any]]()
    for ended in sorted(_ended(), key=lambda each: (each.at, each.board)):
        kind = {"game": ended.game, "practice": ended.practice}
        folded = folds.setdefault((ended.game, ended.practice), Fold()).add(ended)
        games.append({**ended._asdict(), "why": folded.why})
        for each in folded.steps:
            row = {**kind, "userid": each.userid, **each.tally._asdict()}
            last[ended.game, ended.practice, each.userid] = row
            played = {"opponent": each.opponent, "score": each.score, "before": each.before}
            steps.append({**row, "board": ended.board, **played})
    return games, steps, list(last.values())


def _ended() -> Iterator[Ended]:
    """Yield the games for two that have ended."""
    connection = op.get_bind()

    def rows(statement: str) -> Any:
        return connection.execute(sa.text(statement)).fetchall()

    bots = {userid for (userid,) in rows("SELECT userid FROM users WHERE state = 'bot'")}
    seats: dict[int, list[str]] = {}
    for board, userid in rows("SELECT board, userid FROM seats ORDER BY board, seat"):
        seats.setdefault(board, []).append(userid)
    made: dict[int, Counter[str]] = {}
    ends: dict[int, str] = {}
    record = "SELECT board, number, userid, move FROM moves ORDER BY board, seq"
    for board, number, userid, move in rows(record):
        made.setdefault(board, Counter())[userid] += is_move(number, move)
        ends[board] = move
    finished = "SELECT board, game, options, result, since FROM boards WHERE to_move = ''"
    for board, game, options, result, at in rows(finished):
        if len(players := seats.get(board, [])) != 2:
            continue
        practice = not bots.isdisjoint(players)
        first, second = players[::-1] if players[0] in bots else players
        chosen, moves = json.loads(options), made.get(board, Counter())
        how = {"resign": RESIGNED, "forfeit": LATE}.get(ends.get(board, ""), PLAYED)
        each = [moves[first], moves[second]]
        measured = of_bot(game, second) if practice else None
        measure = measured.rating if measured else 0.0
        holds = {
            HANDICAP: chosen.get("handicap"),
            POINTS: chosen.get("points"),
            UNMEASURED: practice and measured is None,
            VOID: result == "void",
            UNMOVED: not all(each),
            EARLY: how == RESIGNED and min(each) < 2,
        }
        barred = next((why for why, is_so in holds.items() if is_so), "")
        score = 0.5 if result not in (first, second) else float(result == first)
        yield Ended(board, game, int(practice), measure, at, first, second, score, how, barred)


def _offers() -> None:
    """Nobody has offered a game before, invited anybody, or wanted offers in the daily letter."""
    number, text = sa.Integer(), sa.Text()
    op.add_column("users", sa.Column("lobby", number, nullable=False, server_default="0"))
    op.create_table(
        "offers",
        sa.Column("number", number, primary_key=True),
        *(sa.Column(name, text, nullable=False) for name in ("userid", "game", "options")),
        *(sa.Column(name, text, nullable=False) for name in ("terms", "seat")),
        *(sa.Column(name, number) for name in ("low", "high", "within")),
        *(sa.Column(name, number, nullable=False) for name in ("wanted", "begun")),
        *(sa.Column(name, number, nullable=False) for name in ("is_new", "is_match")),
        sa.Column("made", sa.Double(), nullable=False),
        *(sa.Column(name, sa.Double()) for name in ("until", "asked", "closed")),
        sa.Column("why", text, nullable=False),
        sqlite_autoincrement=True,
    )
    is_open = sa.text("closed IS NULL")
    op.create_index(
        "offers_open", "offers", ["userid"], sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("offers_closed", "offers", ["closed"])
    op.create_table(
        "invitations",
        sa.Column("mark", text, primary_key=True),
        sa.Column("userid", text, primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("mailed", number, nullable=False),
        sa.Column("board", number),
        sqlite_with_rowid=False,
    )
    op.create_index("invitations_userid", "invitations", ["userid", "at"])


def _nodes() -> None:
    """Letters of one reader keep their order over several daemons: only PostgreSQL can have several."""
    op.create_table(
        "thoughts",
        sa.Column("board", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
    )
    op.create_table(
        "nodes",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("beats", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("began", sa.Double(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "runs",
        sa.Column("mails", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("began", sa.Double(), nullable=False),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.create_index(
            "outbox_reader",
            "outbox",
            ["address", "id"],
            postgresql_where=sa.text("state = 'new'"),
        )


def _contests() -> None:
    """There are no ladders and leagues yet."""
    text, whole = sa.Text(), sa.Integer()
    time: sa.Double[float] = sa.Double()

    def column(name: str, kind: object, **more: object) -> sa.Column[object]:
        return sa.Column(name, kind, **{"nullable": False, **more})  # type: ignore[arg-type]

    op.create_table(
        "contests",
        column("id", whole, primary_key=True),
        *(column(name, text) for name in ("kind", "game", "options", "terms")),
        *(column(name, whole) for name in ("days", "season")),
        *(column(name, text) for name in ("state", "stage")),
        column("made", time),
        *(column(name, time, nullable=True) for name in ("begin", "until")),
        sqlite_autoincrement=True,
    )
    op.create_index("contests_game", "contests", ["game", "kind"])
    op.create_table(
        "entries",
        column("contest", whole, primary_key=True),
        column("userid", text, primary_key=True),
        column("joined", time),
        *(column(name, whole, server_default="0") for name in ("division", "seed")),
        column("state", text, server_default=""),
        column("rests", time, nullable=True),
        column("place", whole, server_default="0"),
        column("told", text, server_default=""),
        sqlite_with_rowid=False,
    )
    op.create_index("entries_userid", "entries", ["userid"])
    op.create_table(
        "pairings",
        *(column(name, whole, primary_key=True) for name in ("contest", "n")),
        column("division", whole),
        *(column(name, text) for name in ("first", "second")),
        column("board", whole, nullable=True),
        column("gone", text, server_default=""),
        sqlite_with_rowid=False,
    )
    for name in ("board", "first", "second"):
        op.create_index(f"pairings_{name}", "pairings", [name])
    op.create_table(
        "steps",
        *(column(name, whole, primary_key=True) for name in ("contest", "n")),
        column("at", time),
        *(column(name, text) for name in ("kind", "userid", "other")),
        column("board", whole, nullable=True),
        sqlite_with_rowid=False,
    )
    for name in ("userid", "other"):
        op.create_index(f"steps_{name}", "steps", [name])
    op.create_table(
        "titles",
        column("contest", whole, primary_key=True),
        column("userid", text, primary_key=True),
        column("game", text),
        *(column(name, whole) for name in ("season", "division", "divisions")),
        column("at", time),
        sqlite_with_rowid=False,
    )
    op.create_index("titles_userid", "titles", ["userid"])


def _watches() -> None:
    """Nobody has watched a board before."""
    text = sa.Text()
    op.create_table(
        "watches",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("userid", text, nullable=False),
        sa.Column("how", text, nullable=False),
        sa.PrimaryKeyConstraint("board", "userid"),
        sqlite_with_rowid=False,
    )
    op.create_index("watches_userid", "watches", ["userid"])
    op.create_table(
        "followers",
        sa.Column("player", text, nullable=False),
        sa.Column("userid", text, nullable=False),
        sa.Column("how", text, nullable=False),
        sa.PrimaryKeyConstraint("player", "userid"),
        sqlite_with_rowid=False,
    )
    op.create_index("followers_userid", "followers", ["userid"])


def _addresses() -> None:
    """Every account has had one address until now."""
    op.create_table(
        "addresses",
        sa.Column("address", sa.Text(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("userid", "kind")),
        *(sa.Column(name, sa.Double(), nullable=False) for name in ("made", "bounces")),
        sqlite_with_rowid=False,
    )
    op.create_index("addresses_userid", "addresses", ["userid"])
