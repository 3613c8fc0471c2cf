"""The nine levels: how many playouts, and how often a weaker move is chosen on purpose."""

from __future__ import annotations

from typing import NamedTuple

_CELLS = 75  # of the board that the playouts of a level are meant for: Star at size 6


class Level(NamedTuple):
    """A strength.

    playouts  on a board of 75 cells; others have more or fewer in proportion to their cells
    errors    how often, 0 to 1, a move is drawn from those that seem little worse than the best
    """

    playouts: int
    errors: float

    def on(self, cells: int) -> int:
        """The playouts on a board of so many cells."""
        return max(40, self.playouts * cells // _CELLS)


LEVELS: dict[int, Level] = {
    1: Level(200, 0.48),
    2: Level(200, 0.32),
    3: Level(200, 0.20),
    4: Level(200, 0.06),
    5: Level(290, 0.0),
    6: Level(670, 0.0),
    7: Level(1_600, 0.0),
    8: Level(5_000, 0.0),
    9: Level(18_000, 0.0),
}
