"""The problems of the week, the players' answers, and who gets each one by a letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, literal_column, or_, select, update

from ...store import schema
from ...store.statements import Subject, add_once, by, p, quoted
from . import tables as t

_problems, _solutions, _told = t.problems.c, t.solutions.c, t.problem_readers.c.told
_boards, _users = schema.boards.c, schema.users.c
_GAMES = 4  # game words in one query

_ADD = add_once(t.problems)
_GET = select(t.problems).where(by(t.problems, "number"))
_ALL = select(t.problems).order_by(_problems.number)
_newest_first = select(t.problems).order_by(_problems.number.desc()).limit(1)
_NEWEST = _newest_first.where(_problems.number < p("before"))
_FINISHED = (
    select(_boards.board, _boards.game, _boards.options)
    .where(
        _boards.to_move == quoted(""),
        _boards.terms.not_like(quoted('%"private":true%')),
        or_(*(_boards.game == p(f"game{n}") for n in range(_GAMES))),
        _boards.board.not_in(select(_problems.board)),
    )
    .order_by(_boards.board.desc())
    .limit(p("count"))
)
_COUNTED = select(func.count(), func.coalesce(func.sum(_solutions.right), 0)).where(
    by(t.solutions, "problem")
)
_right = func.sum(_solutions.right)
_SOLVERS = (
    select(_solutions.userid, _right, func.count())
    .join(schema.users, _users.userid == _solutions.userid)
    .where(
        _solutions.at >= p("begin"),
        _solutions.at < p("end"),
        _users.state != quoted("closed"),
    )
    .group_by(_solutions.userid)
    .having(_right > literal_column("0"))
    .order_by(_right.desc(), func.count(), _solutions.userid)
)
_DUE = (
    select(t.problem_readers.c.userid)
    .where(_told < p("number"))
    .order_by(t.problem_readers.c.userid)
    .limit(p("count"))
)
_TELL = (
    update(t.problem_readers)
    .where(by(t.problem_readers, "userid"), _told < p("number"))
    .values(told=p("number"))
)


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


class Solution(NamedTuple):
    """The first answer of a player to a problem; right: 1 or 0."""

    problem: int
    userid: str
    move: str
    right: int
    at: float


class Problems(Subject):
    """Problems of the week."""

    def add(self, problem: StoredProblem) -> int:
        """Keep a problem under a new number, and return this number.

        If its week or a later one has a problem, keep nothing and return 0.
        """
        newest = self.newest()
        if newest and newest.week >= problem.week:
            return 0
        number = newest.number + 1 if newest else 1
        values = {**problem._asdict(), "number": number, "moves": ", ".join(problem.moves)}
        return number if self._db.changed(_ADD, **values) else 0

    def get(self, number: int) -> StoredProblem | None:
        """Return the problem of that number; None if there is none."""
        return self._db.one(_read, _GET, number=number)

    def newest(self, before: int = 10**9) -> StoredProblem | None:
        """Return the newest problem with a number below ``before``; None if there is none."""
        return self._db.one(_read, _NEWEST, before=before)

    def all(self) -> list[StoredProblem]:
        """Return all problems, the oldest first."""
        return self._db.all(_read, _ALL)

    def finished(self, games: Sequence[str], count: int) -> list[tuple[int, str, str]]:
        """Return boards of these games that are over, not private, and gave no problem yet.

        Each is a number, a game and options. There are at most ``count`` of them, the newest first.
        """
        named = {f"game{n}": games[n % len(games)] for n in range(_GAMES)}
        return [(*row,) for row in self._db.rows(_FINISHED, count=count, **named)]

    def answer(self, number: int, userid: str) -> str:
        """Return the first answer of a player to a problem; empty if there is none."""
        return self._db.value(t.solutions.c.move, problem=number, userid=userid) or ""

    def add_answer(self, solution: Solution) -> None:
        """Keep the first answer of a player."""
        self._db.add(t.solutions, **solution._asdict())

    def answers(self, number: int) -> list[Solution]:
        """Return the first answers of all players to a problem."""
        return self._db.ordered(Solution, t.solutions, "userid", problem=number)

    def counts(self, number: int) -> tuple[int, int]:
        """Return the number of players who answered a problem, and of those whose first answer was right."""
        answers, right = self._db.row(_COUNTED, problem=number)
        return int(answers), int(right)

    def newest_counts(self) -> dict[str, int]:
        """Count the first answers to the newest problem that are right, and those that are wrong."""
        newest = self.newest()
        answers, right = self.counts(newest.number) if newest else (0, 0)
        return {"right": right, "wrong": answers - right}

    def count_readers(self) -> int:
        """Count the players who get each problem by a letter."""
        return self._db.count(t.problem_readers)

    def solvers(self, begin: float, end: float) -> list[tuple[str, int, int]]:
        """Return the players who solved problems from ``begin`` to ``end``, the best first.

        Each is the userid, the number of solved problems, and the number of answered ones.
        """
        rows = self._db.rows(_SOLVERS, begin=begin, end=end)
        return [(userid, int(right), answers) for userid, right, answers in rows]

    def subscribe(self, userid: str) -> None:
        """Let a player get each problem by a letter."""
        self._db.add_once(t.problem_readers, userid=userid, told=0)

    def unsubscribe(self, userid: str) -> None:
        """Let a player get a problem only on request."""
        self._db.drop(t.problem_readers, userid=userid)

    def due(self, number: int, count: int) -> list[str]:
        """Return at most ``count`` players who have not yet got the problem of that number by a letter."""
        return self._db.column(_DUE, number=number, count=count)

    def tell(self, userid: str, number: int) -> bool:
        """Note that a player gets a problem now; return False if the player has got it already."""
        return bool(self._db.changed(_TELL, userid=userid, number=number))


def _read(*row: Any) -> StoredProblem:
    stored = StoredProblem(*row)
    return stored._replace(moves=tuple(str(stored.moves).split(", ")))
