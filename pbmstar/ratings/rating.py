"""Glicko-2 with periods of any length: a rating, its deviation, and the change of both by a game.

After Mark Glickman, "Example of the Glicko-2 system" (2022). First the deviation grows with the time since
the last game, in fractions of a period; then the game changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, log, pi, sqrt
from typing import NamedTuple

from ..machine.times import DAY

MEAN, SCALE = 1500.0, 173.7178  # the mean of ratings, and the scale of the paper's own numbers
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 250.0
SURE = 110.0  # a rating with a deviation of this or more is provisional
PERIOD = 14 * DAY  # seconds
_TAU = 0.5  # the limit on changes of the volatility
_NEAR = 1e-6  # the precision at which the search for it ends


class Rating(NamedTuple):
    """A player's strength in a game.

    rating      in points
    deviation   the strength is within two deviations of the rating with a chance of 95 %
    volatility  the amount by which the strength changes in a period
    """

    rating: float = MEAN
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06

    @property
    def points(self) -> int:
        """Return the rating in whole points, as it is shown."""
        return round(self.rating)

    @property
    def is_provisional(self) -> bool:
        """Return True if too little is known of the player to list the rating."""
        return self.deviation >= SURE

    def __str__(self) -> str:
        return f"{self.points}{'?' if self.is_provisional else ''}"

    def after(self, seconds: float) -> Rating:
        """Return the rating after that time without a game."""
        grown = (self.deviation / SCALE) ** 2 + max(0.0, seconds) / PERIOD * self.volatility**2
        return self._replace(deviation=min(MOST_DEVIATION, SCALE * sqrt(grown)))

    def played(self, games: Iterable[tuple[Rating, float]]) -> Rating:
        """Return the rating after games against these ratings. A win scores 1, a loss 0, a tie 0.5."""
        mean, deviation = (self.rating - MEAN) / SCALE, self.deviation / SCALE
        precision = surprise = 0.0
        for other, score in games:
            weight = 1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2)
            chance = 1 / (1 + exp(-weight * (mean - (other.rating - MEAN) / SCALE)))
            precision += weight**2 * chance * (1 - chance)
            surprise += weight * (score - chance)
        volatility = _volatility(deviation, self.volatility, 1 / precision, surprise / precision)
        variance = 1 / (1 / deviation**2 + precision)
        return Rating(
            MEAN + SCALE * (mean + variance * surprise),
            min(MOST_DEVIATION, max(LEAST_DEVIATION, SCALE * sqrt(variance))),
            volatility,
        )


def _volatility(deviation: float, before: float, variance: float, gain: float) -> float:
    """Return the volatility after games with an estimated ``gain``, which has that ``variance``.

    Steps 5.1 to 5.5 of the paper: the zero of a falling function, found by the Illinois method.
    """
    start = log(before**2)

    def f(x: float) -> float:
        power = exp(x)
        spread = deviation**2 + variance + power
        return power * (gain**2 - spread) / (2 * spread**2) - (x - start) / _TAU**2

    low, high = start, start - _TAU
    if gain**2 > deviation**2 + variance:
        high = log(gain**2 - deviation**2 - variance)
    else:
        while f(high) < 0:
            high -= _TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _NEAR:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)


class Strength(NamedTuple):
    """A player's strength in a game, for the choice of opponents; by default a beginner's.

    is_provisional  too little is known of the player
    least           the player counts as this at least: to lose on purpose helps little
    """

    points: int = 1500
    is_provisional: bool = True
    least: int = 0

    def __str__(self) -> str:
        return f"{self.points}{'?' if self.is_provisional else ''}"

    @property
    def counted(self) -> int:
        """Return the points as which the player counts."""
        return max(self.points, self.least)


Strengths = Mapping[str, Mapping[str, Strength]]  # by userid and word of a game
