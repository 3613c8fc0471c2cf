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
    1: Level(200, 0.40),
    2: Level(200, 0.27),
    3: Level(200, 0.15),
    4: Level(200, 0.03),
    5: Level(400, 0.0),
    6: Level(800, 0.0),
    7: Level(1_900, 0.0),
    8: Level(5_000, 0.0),
    9: Level(12_800, 0.0),
}
SLACK = 0.15  # by how much of a chance to win a move drawn as an error may seem worse than the best
