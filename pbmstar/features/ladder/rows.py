"""The steps of ladders in the store."""

from __future__ import annotations

from ...store.statements import Subject
from . import tables as t
from .rules import LadderStep


class Steps(Subject):
    """The history of each ladder."""

    def all(self, contest: int) -> list[LadderStep]:
        """Return the steps of a ladder, in order."""
        return self._db.ordered(LadderStep, t.steps, "n", contest=contest)

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
        self._db.add_next(t.steps, contest=contest, board=board, **step._asdict())

    def drop(self, contest: int, board: int) -> None:
        """Forget the step by which a board was won, because its game goes on."""
        self._db.drop(t.steps, contest=contest, board=board)
