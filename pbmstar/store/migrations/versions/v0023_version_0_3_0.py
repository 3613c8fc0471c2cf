"""From the tables of version 0.2.0 to those of 0.3.0; nothing is lost."""

import json
import time
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
from pbmstar.store.columns import nullable, partial, primary, required
from pbmstar.store.schema import tally

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
    _corrections()
    _proved()
    _ratings()
    _offers()
    _nodes()
    _contests()
    _watches()
    _addresses()
    _problems()
    _marks()


def _days_of_leave() -> None:
    """Count booked leave, which was in hours until now, by the zone of its player."""
    op.add_column("absences", *required("UTC", zone=sa.Text))
    op.execute(
        "UPDATE absences SET zone = (SELECT zone FROM users WHERE users.userid = absences.userid) "
        "WHERE kind = 'leave' AND userid IN (SELECT userid FROM users)"
    )


def _suppressed() -> None:
    """Keep all suppressed addresses: nobody knows from which ones letters only came back."""
    op.add_column("suppressed", *nullable(until=sa.Double))


def _lanes() -> None:
    """Put the waiting letters that go to no account, and not to the operator, into the strangers' lane."""
    op.add_column("outbox", *required("0", lane=sa.Integer))
    op.execute("UPDATE outbox SET lane = 1 WHERE state = 'new' AND userid = '' AND sender <> ''")
    op.drop_index("outbox_new", "outbox")
    op.create_index("outbox_new", "outbox", ["lane", "id", "due"], **partial("state = 'new'"))


def _readers() -> None:
    """Count the old tokens for no reader; they are forgotten within a month."""
    op.drop_index("tokens_address", table_name="tokens")
    op.add_column("tokens", *required("", reader=sa.Text))
    op.create_index("tokens_reader", "tokens", ["reader", "made"])


def _receipts() -> None:
    """Begin at 0: no receipt has said yet how to get none."""
    op.add_column("users", *required("0", receipts=sa.Integer))


def _corrections() -> None:
    """Begin without text: no rating has been corrected yet."""
    op.add_column("users", *required("", correction=sa.Text))


def _public() -> None:
    """Show only bots on the site, because no player has been asked yet."""
    op.add_column("users", *required("0", public=sa.Integer))
    op.execute("UPDATE users SET public = 1 WHERE state = 'bot'")


def _proved() -> None:
    """Begin at 0: no proof is known for old boards."""
    op.add_column("boards", *required("0", proved=sa.Integer))


def _ratings() -> None:
    """Rate all games that have ended, as if ratings had been kept from the first one on."""
    rated = op.create_table(
        "rated",
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        *required(game=sa.Text, practice=sa.Integer, measure=sa.Double, at=sa.Double),
        *required(first=sa.Text, second=sa.Text, score=sa.Double, how=sa.Text, barred=sa.Text),
        *required(why=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_index("rated_at", "rated", ["game", "practice", "at", "board"])
    op.create_index("rated_first", "rated", ["first", "at"])
    op.create_index("rated_second", "rated", ["second", "at"])
    steps = op.create_table(
        "rating_steps",
        *primary(userid=sa.Text, game=sa.Text, practice=sa.Integer),
        *tally(),
        *primary(board=sa.Integer),
        *required(opponent=sa.Text, score=sa.Double, before=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "rating_steps_at", "rating_steps", ["userid", "game", "practice", "at", "board"]
    )
    op.create_index("rating_steps_board", "rating_steps", ["board"])
    ratings = op.create_table(
        "ratings",
        *primary(game=sa.Text, practice=sa.Integer, userid=sa.Text),
        *tally(),
        sqlite_with_rowid=False,
    )
    op.create_index("ratings_userid", "ratings", ["userid"])
    op.create_index("ratings_best", "ratings", ["game", "practice", "rating", "userid"])
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
    """Make empty tables: no player has offered a game, invited anyone, or wanted offers by letter before."""
    op.add_column("users", *required("0", lobby=sa.Integer))
    op.create_table(
        "offers",
        *primary(number=sa.Integer),
        *required(userid=sa.Text, game=sa.Text, options=sa.Text, terms=sa.Text, seat=sa.Text),
        *nullable(low=sa.Integer, high=sa.Integer, within=sa.Integer),
        *required(wanted=sa.Integer, begun=sa.Integer, is_new=sa.Integer, is_match=sa.Integer),
        *required(made=sa.Double),
        *nullable(until=sa.Double, asked=sa.Double, closed=sa.Double),
        *required(why=sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_index("offers_open", "offers", ["userid"], **partial("closed IS NULL"))
    op.create_index("offers_closed", "offers", ["closed"])
    op.create_table(
        "invitations",
        *primary(mark=sa.Text, userid=sa.Text),
        *required(at=sa.Double, mailed=sa.Integer),
        *nullable(board=sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_index("invitations_userid", "invitations", ["userid", "at"])


def _nodes() -> None:
    """Let letters of one reader keep their order over several daemons, which only PostgreSQL can have."""
    op.create_table(
        "thoughts",
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        *required(owner=sa.Text, at=sa.Double),
    )
    op.create_table(
        "nodes",
        *primary(id=sa.Text),
        *required(name=sa.Text, version=sa.Text, beats=sa.Integer, at=sa.Double, began=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "runs",
        *primary(mails=sa.Text),
        *required(name=sa.Text, version=sa.Text, began=sa.Double),
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
    """Make empty tables for ladders and leagues."""
    op.create_table(
        "contests",
        *primary(id=sa.Integer),
        *required(kind=sa.Text, game=sa.Text, options=sa.Text, terms=sa.Text),
        *required(days=sa.Integer, season=sa.Integer, state=sa.Text, stage=sa.Text),
        *required(made=sa.Double),
        *nullable(begin=sa.Double, until=sa.Double),
        sqlite_autoincrement=True,
    )
    op.create_index("contests_game", "contests", ["game", "kind"])
    op.create_table(
        "entries",
        *primary(contest=sa.Integer, userid=sa.Text),
        *required(joined=sa.Double),
        *required("0", division=sa.Integer, seed=sa.Integer),
        *required("", state=sa.Text),
        *nullable(rests=sa.Double),
        *required("0", place=sa.Integer),
        *required("", told=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_index("entries_userid", "entries", ["userid"])
    op.create_table(
        "pairings",
        *primary(contest=sa.Integer, n=sa.Integer),
        *required(division=sa.Integer, first=sa.Text, second=sa.Text),
        *nullable(board=sa.Integer),
        *required("", gone=sa.Text),
        sqlite_with_rowid=False,
    )
    for name in ("board", "first", "second"):
        op.create_index(f"pairings_{name}", "pairings", [name])
    op.create_table(
        "steps",
        *primary(contest=sa.Integer, n=sa.Integer),
        *required(at=sa.Double, kind=sa.Text, userid=sa.Text, other=sa.Text),
        *nullable(board=sa.Integer),
        sqlite_with_rowid=False,
    )
    for name in ("userid", "other"):
        op.create_index(f"steps_{name}", "steps", [name])
    op.create_table(
        "titles",
        *primary(contest=sa.Integer, userid=sa.Text),
        *required(game=sa.Text, season=sa.Integer, division=sa.Integer, divisions=sa.Integer),
        *required(at=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("titles_userid", "titles", ["userid"])


def _watches() -> None:
    """Make empty tables for watching: no player has watched a board before."""
    op.create_table(
        "watches",
        *primary(board=sa.Integer, userid=sa.Text),
        *required(how=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_index("watches_userid", "watches", ["userid"])
    op.create_table(
        "followers",
        *primary(player=sa.Text, userid=sa.Text),
        *required(how=sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_index("followers_userid", "followers", ["userid"])


def _addresses() -> None:
    """Make an empty table: every account has had one address until now."""
    op.create_table(
        "addresses",
        *primary(address=sa.Text),
        *required(userid=sa.Text, kind=sa.Text, made=sa.Double, bounces=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("addresses_userid", "addresses", ["userid"])


def _marks() -> None:
    """Keep the time since when letters mark the requests that they show: an older one has no mark."""
    now = str(time.time())
    keep = "INSERT INTO facts SELECT 'requests marked', :now WHERE EXISTS (SELECT 1 FROM boards)"
    op.execute(sa.text(keep).bindparams(sa.bindparam("now", now, sa.Text)))


def _problems() -> None:
    """Make empty tables for the problems of the week."""
    op.create_table(
        "problems",
        sa.Column("number", sa.Integer(), autoincrement=False, primary_key=True),
        *required(week=sa.Integer, board=sa.Integer, game=sa.Text, options=sa.Text),
        *required(moves=sa.Text, move=sa.Text, played=sa.Text),
    )
    op.create_table(
        "solutions",
        *primary(problem=sa.Integer, userid=sa.Text),
        *required(move=sa.Text, right=sa.Integer, at=sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "problem_readers",
        *primary(userid=sa.Text),
        *required(told=sa.Integer),
        sqlite_with_rowid=False,
    )
