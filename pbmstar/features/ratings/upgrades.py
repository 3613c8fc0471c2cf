"""The changes of rows by the migrations of the store: all games that have ended are folded."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from ... import games
from ...match import is_move
from .fairness import EARLY, HANDICAP, LATE, PLAYED, POINTS, RESIGNED, UNMEASURED, UNMOVED, VOID
from .fold import Ended, Fold, Tally
from .practice import of_program

_TOLD = 5  # a player is told about a change of so many points
_ROWS = 1000  # of one statement


def first_fold(
    connection: Any,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of all games that have ended, of their steps, and of the last steps."""
    folds: dict[tuple[str, int], Fold] = {}
    ended_games, steps, last = [], [], dict[tuple[str, int, str], dict[str, Any]]()
    for ended in sorted(_ended(connection), key=lambda each: (each.at, each.board)):
        kind = {"game": ended.game, "practice": ended.practice}
        folded = folds.setdefault((ended.game, ended.practice), Fold()).add(ended)
        ended_games.append({**ended._asdict(), "why": folded.why})
        for each in folded.steps:
            row = {**kind, "userid": each.userid, **each.tally._asdict()}
            last[ended.game, ended.practice, each.userid] = row
            played = {"opponent": each.opponent, "score": each.score, "before": each.before}
            steps.append({**row, "board": ended.board, **played})
    return ended_games, steps, list(last.values())


def _ended(connection: Any) -> Iterator[Ended]:
    """Yield the games for two that have ended."""

    def rows(statement: str) -> Any:
        return connection.execute(sa.text(statement)).fetchall()

    programs = {userid for (userid,) in rows("SELECT userid FROM users WHERE state = 'bot'")}
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
        practice = not programs.isdisjoint(players)
        first, second = players[::-1] if players[0] in programs else players
        chosen, moves = json.loads(options), made.get(board, Counter())
        how = {"resign": RESIGNED, "forfeit": LATE}.get(ends.get(board, ""), PLAYED)
        each = [moves[first], moves[second]]
        measured = of_program(game, second) if practice else None
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


def rate_anew(connection: Any) -> None:
    """Fold all games that have ended, and note the changed ratings for their players."""
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
            connection.execute(
                rated.update().where(rated.c.board == ended.board).values(why=folded.why)
            )
        for each in folded.steps:
            last[*kind, each.userid] = each.tally
            values = each._asdict() | each.tally._asdict()
            del values["tally"]
            made.append({**values, "game": kind[0], "practice": kind[1], "board": ended.board})
    connection.execute(steps.delete())
    connection.execute(ratings.delete())
    _fill(connection, steps, made)
    _fill(
        connection,
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
            connection.execute(users.update().where(own).values(correction=text))


def _table(name: str, *columns: str) -> Any:
    """Return the part of a table that is read or written here."""
    return sa.table(name, *map(sa.column, columns))


def _fill(connection: Any, table: Any, rows: list[dict[str, Any]]) -> None:
    for first in range(0, len(rows), _ROWS):
        connection.execute(table.insert(), rows[first : first + _ROWS])
