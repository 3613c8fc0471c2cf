"""Rate all games anew by the rule of today; a player whose rating changes is told. And an empty table."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pbmstar import games
from pbmstar.contest.fold import Ended, Fold, Tally
from pbmstar.store.columns import primary, required

revision = "0024"
down_revision = "0023"

_TOLD = 5  # a player is told about a change of so many points
_ROWS = 1000  # of one statement


def upgrade() -> None:
    """Fold all games that have ended, and note the changed ratings for their players; add a table."""
    op.create_table(  # of how mails ended: no ending is known yet
        "endings", *primary(userid=sa.Text), *required(lines=sa.Text), sqlite_with_rowid=False
    )
    connection = op.get_bind()
    kind_of = "game", "practice", "userid"
    rated = _table("rated", *Ended._fields, "why")
    steps = _table("rating_steps", *kind_of, *Tally._fields, "board", "opponent", "score", "before")
    ratings = _table("ratings", *kind_of, *Tally._fields)
    users = _table("users", "userid", "state", "correction")
    before = {
        (game, practice, userid): round(rating)
        for game, practice, userid, rating in connection.execute(
            sa.select(ratings.c.game, ratings.c.practice, ratings.c.userid, ratings.c.rating)
        )
    }
    folds: dict[tuple[str, int], Fold] = {}
    last: dict[tuple[str, int, str], Tally] = {}
    made: list[dict[str, Any]] = []
    order = sa.select(*(rated.c[name] for name in Ended._fields), rated.c.why)
    for *row, why in connection.execute(order.order_by(rated.c.at, rated.c.board)).fetchall():
        ended = Ended(*row)
        kind = ended.game, ended.practice
        folded = folds.setdefault(kind, Fold()).add(ended)
        if folded.why != why:
            op.execute(rated.update().where(rated.c.board == ended.board).values(why=folded.why))
        for each in folded.steps:
            last[*kind, each.userid] = each.tally
            values = each._asdict() | each.tally._asdict()
            del values["tally"]
            made.append({**values, "game": kind[0], "practice": kind[1], "board": ended.board})
    op.execute(steps.delete())
    op.execute(ratings.delete())
    _fill(steps, made)
    _fill(
        ratings,
        [
            {"game": game, "practice": practice, "userid": userid, **tally._asdict()}
            for (game, practice, userid), tally in last.items()
        ],
    )
    told: dict[str, list[str]] = {}
    for (game, practice, userid), tally in sorted(last.items()):
        old, points = before.get((game, practice, userid)), round(tally.rating)
        if old is not None and abs(points - old) >= _TOLD:
            name = f"{games.title_of(game)}{' in practice' * practice}"
            told.setdefault(userid, []).append(f"{name} {old} -> {points}")
    for userid, corrections in told.items():
        own = (users.c.userid == userid) & (users.c.state != "closed")
        query = sa.select(users.c.correction).where(own)
        for (waiting,) in connection.execute(query).fetchall():
            text = ", ".join(filter(None, (waiting, *corrections)))
            op.execute(users.update().where(own).values(correction=text))


def _table(name: str, *columns: str) -> Any:
    """Return the part of a table that is read or written here."""
    return sa.table(name, *map(sa.column, columns))


def _fill(table: Any, rows: list[dict[str, Any]]) -> None:
    for first in range(0, len(rows), _ROWS):
        op.bulk_insert(table, rows[first : first + _ROWS])
