"""The problems of the week, the players' answers, and who gets each one by a letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Double, Index, Integer, Table, Text

from ...machine.times import Epoch
from ...store.columns import about, numbered, primary, required, table
from ...store.statements import Repository, columns

# moves: those to the position, with ", " between them; move: it decides; played: in the game, empty if it
# ended there.
problems = Table(
    "problems",
    *about("number", *required(week=Integer, board=Integer, game=Text, options=Text)),
    *required(moves=Text, move=Text, played=Text),
)

# The first answer of each player to one of them; right: cached.
solutions = table(
    "solutions",
    *primary(problem=Integer, userid=Text),
    *required(move=Text, right=Integer, at=Double),
    own=True,
)

# The players who get each problem by a letter, and the number of the last one that they got.
problem_readers = table("problem_readers", *primary(userid=Text), *required(told=Integer), own=True)

# The problems from games of a player of their own; columns as in ``problems``.
own_problems = numbered(
    "own_problems",
    "number",
    *required(userid=Text, week=Integer, board=Integer, game=Text, options=Text),
    *required(moves=Text, move=Text, played=Text),
    Index("own_problems_userid", "userid", "week"),
    own=True,
)

TABLES: tuple[Table, ...] = (problems, solutions, problem_readers, own_problems)

_GAMES = 4  # game words in one query


class StoredProblem(NamedTuple):
    """A problem of a week; see tables.problems. ``moves`` lead to its position."""

    number: int
    week: int
    board: int
    game: str
    options: str
    moves: tuple[str, ...]
    move: str
    played: str


class OwnProblem(NamedTuple):
    """A position of a player's own game in which the player missed what decides; see ``own_problems``.

    stored  the problem, as one of a week that has no number
    """

    number: int
    userid: str
    stored: StoredProblem


class Solution(NamedTuple):
    """The first answer of a player to a problem; right: 1 or 0."""

    problem: int
    userid: str
    move: str
    right: int
    at: Epoch


_PROBLEMS = f"SELECT {columns(StoredProblem)} FROM problems"  # as ``_read`` takes it


class Problems(Repository):
    """Problems of the week."""

    def add(self, problem: StoredProblem) -> int:
        """Keep a problem under a new number, and return this number.

        If its week or a later one has a problem, keep nothing and return 0.
        """
        newest = self.newest()
        if newest and newest.week >= problem.week:
            return 0
        number = newest.number + 1 if newest else 1
        return number if self._db.added(problems, number=number, **_values(problem)) else 0

    def get(self, number: int) -> StoredProblem | None:
        """Return the problem of that number; None if there is none."""
        return self._db.one(_read, f"{_PROBLEMS} WHERE number = :number", number=number)

    def newest(self, before: int = 10**9) -> StoredProblem | None:
        """Return the newest problem with a number below ``before``; None if there is none."""
        return self._db.one(
            _read,
            f"{_PROBLEMS} WHERE number < :before ORDER BY number DESC LIMIT 1",
            before=before,
        )

    def all(self) -> list[StoredProblem]:
        """Return all problems, the oldest first."""
        return self._db.all(_read, f"{_PROBLEMS} ORDER BY number")

    def finished(self, games: Sequence[str], count: int) -> list[tuple[int, str, str]]:
        """Return boards of these games that are over, not private, and gave no problem yet.

        Each is a number, a game and options. There are at most ``count`` of them, the newest first.
        """
        rows = self._db.rows(
            """
            SELECT board, game, options FROM boards
            WHERE to_move = '' AND terms NOT LIKE '%"private":true%'
                AND game IN (:game0, :game1, :game2, :game3)
                AND board NOT IN (SELECT board FROM problems)
            ORDER BY board DESC LIMIT :count
            """,
            count=count,
            **{f"game{n}": games[n % len(games)] for n in range(_GAMES)},
        )
        return [(*row,) for row in rows]

    def finished_of(
        self, userid: str, games: Sequence[str], since: Epoch, count: int
    ) -> list[tuple[int, str, str]]:
        """Return boards of a player, as ``finished`` does: private ones too, and only such as end ``since``.

        Those that have given the player a problem already are left out.
        """
        rows = self._db.rows(
            """
            SELECT boards.board, game, options FROM boards JOIN seats ON seats.board = boards.board
            WHERE seats.userid = :userid AND to_move = '' AND since >= :since
                AND game IN (:game0, :game1, :game2, :game3)
                AND boards.board NOT IN (SELECT board FROM own_problems WHERE userid = :userid)
            ORDER BY boards.board DESC LIMIT :count
            """,
            userid=userid,
            since=since,
            count=count,
            **{f"game{n}": games[n % len(games)] for n in range(_GAMES)},
        )
        return [(*row,) for row in rows]

    def add_own(self, userid: str, problem: StoredProblem) -> OwnProblem:
        """Keep a problem of a player's own, and return it."""
        number = self._db.numbered(own_problems, userid=userid, **_values(problem))
        return OwnProblem(number, userid, problem)

    def own(self, number: int) -> OwnProblem | None:
        """Return the problem of a player's own with that number; None if there is none."""
        return self._db.one(
            _read_own,
            f"SELECT userid, {columns(StoredProblem)} FROM own_problems WHERE number = :number",
            number=number,
        )

    def answer(self, number: int, userid: str) -> str:
        """Return the first answer of a player to a problem; empty if there is none."""
        return self._db.value(solutions.c.move, problem=number, userid=userid) or ""

    def add_answer(self, solution: Solution) -> None:
        """Keep the first answer of a player."""
        self._db.add(solutions, **solution._asdict())

    def answers(self, number: int) -> list[Solution]:
        """Return the first answers of all players to a problem."""
        return self._db.ordered(Solution, solutions, "userid", problem=number)

    def counts(self, number: int) -> tuple[int, int]:
        """Return the number of players who answered a problem, and of those whose first answer was right."""
        answers, right = self._db.row(
            'SELECT count(*), coalesce(sum("right"), 0) FROM solutions WHERE problem = :problem',
            problem=number,
        )
        return int(answers), int(right)

    def newest_counts(self) -> dict[str, int]:
        """Count the first answers to the newest problem that are right, and those that are wrong."""
        newest = self.newest()
        answers, right = self.counts(newest.number) if newest else (0, 0)
        return {"right": right, "wrong": answers - right}

    def count_readers(self) -> int:
        """Count the players who get each problem by a letter."""
        return self._db.count(problem_readers)

    def solvers(self, begin: Epoch, end: Epoch) -> list[tuple[str, int, int]]:
        """Return the players who solved problems from ``begin`` to ``end``, the best first.

        Each is the userid, the number of solved problems, and the number of answered ones.
        """
        rows = self._db.rows(
            """
            SELECT solutions.userid, sum("right") AS solved, count(*) AS answered
            FROM solutions JOIN users ON users.userid = solutions.userid
            WHERE at >= :begin AND at < :end AND state != 'closed'
            GROUP BY solutions.userid HAVING sum("right") > 0
            ORDER BY solved DESC, answered, solutions.userid
            """,
            begin=begin,
            end=end,
        )
        return [(userid, int(solved), answered) for userid, solved, answered in rows]

    def is_reader(self, userid: str) -> bool:
        """Return True if a player gets each problem by a letter."""
        return bool(self._db.count(problem_readers, userid=userid))

    def subscribe(self, userid: str) -> None:
        """Let a player get each problem by a letter."""
        self._db.add_once(problem_readers, userid=userid, told=0)

    def unsubscribe(self, userid: str) -> None:
        """Let a player get a problem only on request."""
        self._db.drop(problem_readers, userid=userid)

    def due(self, number: int, count: int) -> list[str]:
        """Return at most ``count`` players who have not yet got the problem of that number by a letter."""
        return self._db.column(
            "SELECT userid FROM problem_readers WHERE told < :number ORDER BY userid LIMIT :count",
            number=number,
            count=count,
        )

    def tell(self, userid: str, number: int) -> bool:
        """Note that a player gets a problem now; return False if the player has got it already."""
        told = self._db.changed(
            "UPDATE problem_readers SET told = :number WHERE userid = :userid AND told < :number",
            userid=userid,
            number=number,
        )
        return told > 0


def _read(*row: Any) -> StoredProblem:
    stored = StoredProblem(*row)
    return stored._replace(moves=tuple(str(stored.moves).split(", ")))


def _read_own(userid: str, *row: Any) -> OwnProblem:
    stored = _read(*row)
    return OwnProblem(stored.number, userid, stored._replace(number=0))


def _values(problem: StoredProblem) -> dict[str, Any]:
    """Return the columns of a problem besides its number."""
    values = {**problem._asdict(), "moves": ", ".join(problem.moves)}
    del values["number"]
    return values
