"""The nine levels: playouts, and the share of weaker moves chosen on purpose."""

from __future__ import annotations

from typing import NamedTuple

_CELLS = 75  # the cells of the table's board: Star at size 6
_FEWEST = 40  # playouts
# Larger boards have longer games. With 0 (as many errors in a hundred moves) the first bots are too far
# apart there; with 1 (as many errors in a game) they are too close.
_FEWER = 2 / 3


class Level(NamedTuple):
    """A strength.

    playouts  the number of playouts for a move
    errors    the share of moves, 0 to 1, that are drawn from others than the best
    spread    the part of the range of values, down from the best move's, from which errors are drawn: a
              bot for beginners makes more errors, and worse ones
    swaps     it takes over a first stone that is too good; a bot for beginners leaves it to them
    """

    playouts: int
    errors: float
    spread: float = 0.5
    swaps: bool = True

    def on(self, cells: int) -> Level:
        """Return this level of the table for a board of that many cells.

        The playouts are in proportion to the cells, 40 at least. A larger board has fewer errors, a
        smaller one as many as the table.
        """
        playouts = max(_FEWEST, self.playouts * cells // _CELLS)
        return self._replace(
            playouts=playouts, errors=self.errors * min(1.0, _CELLS / cells) ** _FEWER
        )


LEVELS: dict[int, Level] = {
    1: Level(200, 0.76, 0.76, swaps=False),
    2: Level(200, 0.64, 0.64, swaps=False),
    3: Level(200, 0.52, 0.52, swaps=False),
    4: Level(200, 0.38),
    5: Level(200, 0.20),
    6: Level(200, 0.0),
    7: Level(450, 0.0),
    8: Level(2_000, 0.0),
    9: Level(18_000, 0.0),
}
BOTS = tuple(f"bot{level}" for level in LEVELS)  # their userids

# Seconds after which an answer is late: until then the thinking process gives way to all others.
SOON = {**dict.fromkeys(range(1, 6), 10.0), 6: 20.0, 7: 30.0, 8: 40.0, 9: 60.0}
