"""The ten levels: playouts, and the share of weaker moves chosen on purpose, for each kind of game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the store names the bots without the rules
    from ....games.placement import Placement

_CELLS = 75  # the cells of the table's boards: Star at size 6
_FEWEST = 40  # playouts
# Larger boards have longer games, in which a difference of errors decides more. So there the shares come
# nearer to that of bot1, which is the same on all boards: with 0 the first bots are too far apart.
_NEARER = 2 / 3


class Level(NamedTuple):
    """A strength.

    playouts  the number of playouts for a move
    errors    the share of moves, 0 to 1, that are drawn from others than the best
    spread    the part of the range of values, down from the best move's, from which errors are drawn: a
              bot for beginners makes more errors, and worse ones
    most      the share of errors of the first level of its table
    swaps     it takes over a first stone that is too good; a bot for beginners leaves it to them
    """

    playouts: int
    errors: float = 0.0
    spread: float = 0.5
    most: float = 0.0
    swaps: bool = True

    def on(self, cells: int) -> Level:
        """Return this level of the table for a board of that many cells.

        The playouts are in proportion to the cells, 40 at least. On a larger board all levels with errors
        make more of them, except the first; a smaller one has as many as the table.
        """
        playouts = max(_FEWEST, self.playouts * cells // _CELLS)
        if cells <= _CELLS or not self.errors:
            return self._replace(playouts=playouts)
        nearer = (_CELLS / cells) ** _NEARER
        return self._replace(
            playouts=playouts, errors=self.most * (self.errors / self.most) ** nearer
        )


def _ladder(errors: tuple[float, ...], playouts: tuple[int, ...]) -> dict[int, Level]:
    """Return levels: first those with errors, which make as many playouts as the next one."""
    first = [
        Level(playouts[0], share, max(0.5, share), errors[0], swaps=number > _LEFT)
        for number, share in enumerate(errors, 1)
    ]
    return dict(enumerate((*first, *map(Level, playouts)), 1))


_LEFT = 3  # levels that leave a first stone to the beginner
# By the kind of a game, since an error costs more where one chain decides.
LEVELS: dict[str, dict[int, Level]] = {
    "joins": _ladder((0.40, 0.26, 0.14, 0.05), (200, 500, 1_500, 5_000, 18_000, 180_000)),
    "edges": _ladder((0.66, 0.55, 0.42, 0.27, 0.13), (200, 450, 2_000, 18_000, 180_000)),
    "corners": _ladder((0.66, 0.53, 0.39, 0.20), (200, 600, 1_800, 5_500, 18_000, 180_000)),
}
NUMBERS = range(1, 11)
BOTS = tuple(f"bot{number}" for number in NUMBERS)  # their userids

# Seconds after which an answer is late: until then the thinking process gives way to all others.
SOON = {**dict.fromkeys(range(1, 6), 10.0), 6: 20.0, 7: 30.0, 8: 40.0, 9: 60.0, 10: 120.0}


@lru_cache(64)
def kind(game: Placement) -> str:
    """Return how a game counts a board: it joins sides, or counts cells of the edge, and corners or not."""
    counting = game.counting()
    return "joins" if counting.united else "corners" if counting.corners else "edges"


def level(number: int, game: Placement) -> Level:
    """Return the level with a number, for the board of a game."""
    return LEVELS[kind(game)][number].on(len(game.grid))
