"""The players of a cup who have moved in its games."""

from __future__ import annotations

from ...store.statements import Repository


class Movers(Repository):
    """The players who have made a move or a swap in a game of a cup."""

    def of(self, contest: int) -> set[str]:
        """Return their userids; a word that ends a game, such as resign, is not a move."""
        return set(
            self._db.column(
                "SELECT DISTINCT userid FROM moves JOIN pairings ON pairings.board = moves.board"
                " WHERE contest = :contest AND (number IS NOT NULL OR move = 'swap')",
                contest=contest,
            )
        )
