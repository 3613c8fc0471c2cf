"""The ten levels: playouts, and the share of weaker moves chosen on purpose, for each kind of game."""

from __future__ import annotations

import math
import random
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the store names the bots without the rules
    from ...games.placement import Placement

_CELLS = 75  # of the boards that the playouts of the table are for
_FEWEST = 40  # playouts


class Level(NamedTuple):
    """A strength on one board.

    playouts  the number of playouts for a move
    errors    the share of moves, 0 to 1, that are drawn from others than the best
    spread    the part of the range of values, down from the best move's, from which errors are drawn: a
              bot for beginners makes more errors, and worse ones
    swaps     it takes over a first stone that is too good; a bot for beginners leaves it to them
    """

    playouts: int
    errors: float = 0.0
    spread: float = 0.5
    swaps: bool = True


class Row(NamedTuple):
    """A level of the table.

    playouts  for a move, on a board of 75 cells
    errors    the shares of weaker moves on two boards, the smaller one first
    cells     of these two boards
    swaps     see Level
    """

    playouts: int
    errors: tuple[float, float]
    cells: tuple[int, int]
    swaps: bool

    def on(self, cells: int) -> Level:
        """Return this level for a board of that many cells.

        The playouts are in proportion to the cells, 40 at least. The errors are between the two boards'
        errors, by the logarithm of the cells; beyond both boards they are the errors of the nearer one.
        """
        small, large = self.cells
        far = math.log(min(max(cells, small), large) / small) / math.log(large / small)
        errors = self.errors[0] + (self.errors[1] - self.errors[0]) * far
        playouts = max(_FEWEST, self.playouts * cells // _CELLS)
        return Level(playouts, errors, max(0.5, errors), self.swaps)


def _ladder(playouts: tuple[int, ...], errors: dict[int, tuple[float, ...]]) -> dict[int, Row]:
    """Return the levels of a kind of games; ``errors``: the shares on boards of so many cells.

    The first levels make as many playouts as the first that is given; the last ones make no errors.
    """
    (small, less), (large, more) = errors.items()
    most = (*[playouts[0]] * (len(NUMBERS) - len(playouts)), *playouts)
    shares = [*zip_longest(less, more, fillvalue=0.0)]
    shares += [(0.0, 0.0)] * (len(NUMBERS) - len(shares))
    return {
        number: Row(each, pair, (small, large), swaps=number > _LEFT)
        for number, each, pair in zip(NUMBERS, most, shares, strict=True)
    }


# A person with any idea wins where stones are put anywhere; where the share of errors is so high that the
# second best idea wins now and then, the best one always would. So a few games are for everyone.
CARELESS = Level(_FEWEST, errors=1.0, spread=1.0, swaps=False)
_CARELESS_GAMES = {1: 1 / 3}  # of a level, the share

NUMBERS = range(1, 11)
_LEFT = 3  # levels that leave a first stone to the beginner
# By the kind of a game, since an error costs more where one chain decides; and by the board, since an error
# costs more in a longer game. Between bot1, which a beginner can beat, and bot9 the steps are about as long.
LEVELS: dict[str, dict[int, Row]] = {
    "joins": _ladder(
        (200, 500, 1_500, 5_000, 18_000, 180_000),
        {106: (0.40, 0.34, 0.20, 0.09), 121: (0.29, 0.23, 0.13, 0.05)},
    ),
    "edges": _ladder(
        (200, 600, 3_000, 18_000, 180_000),
        {
            75: (0.66, 0.57, 0.42, 0.27, 0.13),
            243: (0.66, 0.58, 0.50, 0.39, 0.29, 0.18, 0.10, 0.03),
        },
    ),
    "corners": _ladder(
        (200, 350, 1_200, 4_600, 18_000, 180_000),
        {
            105: (0.62, 0.54, 0.40, 0.22, 0.10),
            275: (0.66, 0.58, 0.50, 0.39, 0.29, 0.18, 0.10, 0.03),
        },
    ),
}

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


def is_careless(number: int, seed: int) -> bool:
    """Tell if the bot of a level is ``CARELESS`` throughout the game that a seed stands for."""
    return random.Random(seed).random() < _CARELESS_GAMES.get(number, 0.0)  # noqa: S311 - for play
