"""The steps of ladders in the store."""

from __future__ import annotations

from sqlalchemy import Double, Integer, Table, Text

from ...store.columns import nullable, primary, required, table
from ...store.statements import Repository
from .rules import LadderStep

# The history of each ladder, in order; kind: see rules.
steps = table(
    "steps",
    *primary(contest=Integer, n=Integer),
    *required(at=Double, kind=Text, userid=Text, other=Text),  # other: the loser; otherwise empty
    *nullable(board=Integer),  # the board that was won; otherwise null
    indexed=("userid", "other"),
)

TABLES: tuple[Table, ...] = (steps,)


class Steps(Repository):
    """The history of each ladder."""

    def all(self, contest: int) -> list[LadderStep]:
        """Return the steps of a ladder, in order."""
        return self._db.ordered(LadderStep, steps, "n", contest=contest)

    def won(self, contest: int) -> list[tuple[int, str, str]]:
        """Return the boards that were won on a ladder, with winner and loser, in order."""
        rows = self._db.rows(
            "SELECT board, userid, other FROM steps"
            " WHERE contest = :contest AND board IS NOT NULL ORDER BY n",
            contest=contest,
        )
        return [tuple(row) for row in rows]

    def add(self, contest: int, step: LadderStep, board: int | None = None) -> None:
        """Keep a step of a ladder, with the board that was won, if one was."""
        self._db.add_next(steps, contest=contest, board=board, **step._asdict())

    def drop(self, contest: int, board: int) -> None:
        """Forget the step by which a board was won, because its game goes on."""
        self._db.drop(steps, contest=contest, board=board)
