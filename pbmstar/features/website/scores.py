"""The scores of games that have ended, for lists: they follow from the record, and are found once."""

from __future__ import annotations

from typing import NamedTuple

from ...errors import DAMAGE
from ...match import Match
from ...store import Store
from .catalogue import Catalogue, mark
from .gamepage import score_of


class FinalScore(NamedTuple):
    """The score of a game, ``16–15`` or empty, and a mark of the board that it was found on."""

    mark: str
    text: str

    @classmethod
    def of(cls, line: str, match: Match) -> FinalScore:
        """Return the score of a match; ``line`` is that of its board, see ``PublicBoards.lines``."""
        return cls(mark(line), score_of(match))


class FinalScores:
    """The scores of boards by number; ``known`` are those found before, and takes in the new ones."""

    def __init__(self, store: Store, catalogue: Catalogue, known: dict[int, FinalScore]) -> None:
        self._store, self._catalogue, self._known = store, catalogue, known

    def __getitem__(self, number: int) -> str:
        """Return the score of a game; empty while it runs, or if points have not decided it."""
        line = self._catalogue.lines[number]
        known = self._known.get(number)
        if known is None or known.mark != mark(line):
            known = self._known[number] = self._found(number, line)
        return known.text

    def _found(self, number: int, line: str) -> FinalScore:
        if not self._catalogue.game(number).shown.over:
            return FinalScore(mark(line), "")
        try:
            with self._store.transaction(writes=False) as tx:
                row = tx.boards.get(number)
                if row is None:
                    return FinalScore("", "")
                return FinalScore.of(line, row.match(tx.boards.record(number)))
        except DAMAGE:
            return FinalScore(mark(line), "")
