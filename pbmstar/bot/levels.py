"""The nine levels: how many playouts, and how often a weaker move is chosen on purpose."""

from __future__ import annotations

from typing import NamedTuple

_CELLS = 75  # of the board that the table is meant for: Star at size 6
_FEWEST = 40  # playouts
# Larger boards have longer games. With 0, errors as often in a hundred moves, the first bots are too far
# apart there, with 1, as often in a game, too close.
_FEWER = 2 / 3


class Level(NamedTuple):
    """A strength.

    playouts  of a move
    errors    how often, 0 to 1, a move is drawn from those that seem little worse than the best
    """

    playouts: int
    errors: float

    def on(self, cells: int) -> Level:
        """What this level of the table is on a board of so many cells; on 75 cells it is as it is.

        The playouts are in proportion to the cells, 40 at least. Errors are fewer on a larger board,
        on a smaller one as many as in the table.
        """
        playouts = max(_FEWEST, self.playouts * cells // _CELLS)
        return Level(playouts, self.errors * min(1.0, _CELLS / cells) ** _FEWER)


LEVELS: dict[int, Level] = {
    1: Level(200, 0.48),
    2: Level(200, 0.32),
    3: Level(200, 0.20),
    4: Level(200, 0.04),
    5: Level(290, 0.0),
    6: Level(670, 0.0),
    7: Level(1_600, 0.0),
    8: Level(5_000, 0.0),
    9: Level(18_000, 0.0),
}
