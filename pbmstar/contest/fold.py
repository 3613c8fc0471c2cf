"""The fold: what all players' ratings are after the games that have ended, taken in their order.

The order is that of the games' ends, and of the boards' numbers where two ended at once. A rating that
is kept is a part of the fold; done again it gives the same, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..match.terms import DAY
from .rating import LEAST_DEVIATION, Rating

PAIR = "pair"  # why a game is not rated: its players have had as many as count
_GAMES_OF_A_PAIR, _WINDOW = 4, 30 * DAY


class Ended(NamedTuple):
    """A game that has ended, as the fold knows it.

    practice  1 if ``second`` is a bot; else 0
    measure   the rating of that bot then, which no game changes; 0 among people
    first     the userids, in the order of the seats; in practice the person stands first
    score     of ``first``: 1 won, 0 lost, else 0.5
    how       how it ended, see ``fairness.how``
    barred    why it is not rated, a key of ``fairness.REASONS``; empty if nothing but ``PAIR`` may
              keep it from being rated
    """

    board: int
    game: str
    practice: int
    measure: float
    at: float
    first: str
    second: str
    score: float
    how: str
    barred: str


class Tally(NamedTuple):
    """A player's rating in a game, as it was after the last rated game, which ended ``at``.

    games      rated games, and how many of them were ``won``, ``lost`` and ``tied``
    opponents  how many different ones those were against
    """

    rating: float
    deviation: float
    volatility: float
    at: float
    games: int
    won: int
    lost: int
    tied: int
    opponents: int

    def as_of(self, time: float) -> Rating:
        """Return the rating as it is at that time: it becomes less sure."""
        return Rating(self.rating, self.deviation, self.volatility).after(time - self.at)


NEW = Tally(*Rating(), at=0.0, games=0, won=0, lost=0, tied=0, opponents=0)


class Step(NamedTuple):
    """A rated game as one of its players has played it: the rating ``before`` it, and what came of it."""

    userid: str
    opponent: str
    score: float
    before: float
    tally: Tally


class Folded(NamedTuple):
    """A game in the fold: why it is not rated, or what has come of it for its players."""

    ended: Ended
    why: str
    steps: tuple[Step, ...] = ()


class Fold:
    """The ratings in one game, among people or in practice.

    What was before the first game that is added is asked for, once for each player and pair.
    """

    def __init__(
        self,
        tally: Callable[[str], Tally | None] = lambda _userid: None,
        met: Callable[[str, str], Sequence[float]] = lambda _one, _other: (),
    ) -> None:
        """tally  gives what a player has, None if that is nothing
        met       gives the ends of the rated games of two players, in order
        """
        self._tally, self._met = tally, met
        self._tallies: dict[str, Tally] = {}
        self._ends: dict[tuple[str, str], list[float]] = {}

    def add(self, ended: Ended) -> Folded:
        """Add the next game; it comes behind all others in the order."""
        if ended.barred:
            return Folded(ended, ended.barred)
        one, other = sorted((ended.first, ended.second))
        ends = self._ends.get((one, other))
        if ends is None:
            ends = self._ends[one, other] = list(self._met(one, other))
        recent = ends[-_GAMES_OF_A_PAIR:]
        if (
            not ended.practice
            and len(recent) == _GAMES_OF_A_PAIR
            and ended.at - recent[0] <= _WINDOW
        ):
            return Folded(ended, PAIR)
        is_new = not ends
        ends.append(ended.at)
        return Folded(ended, "", tuple(self._steps(ended, is_new)))

    def _steps(self, ended: Ended, is_new: bool) -> Iterable[Step]:
        """Return what the game makes of its players; ``is_new``: they have not met before."""
        first = self._of(ended.first).as_of(ended.at)
        bot = Rating(ended.measure, LEAST_DEVIATION) if ended.practice else None
        second = bot or self._of(ended.second).as_of(ended.at)
        yield self._step(ended, is_new, (ended.first, first), (ended.second, second))
        if bot is None:
            yield self._step(ended, is_new, (ended.second, second), (ended.first, first))

    def _step(
        self, ended: Ended, is_new: bool, own: tuple[str, Rating], rival: tuple[str, Rating]
    ) -> Step:
        (userid, rating), (opponent, other) = own, rival
        score = ended.score if userid == ended.first else 1 - ended.score
        old = self._of(userid)
        new = Tally(
            *rating.played(((other, score),)),
            at=ended.at,
            games=old.games + 1,
            won=old.won + (score == 1),
            lost=old.lost + (score == 0),
            tied=old.tied + (score == 0.5),
            opponents=old.opponents + is_new,
        )
        self._tallies[userid] = new
        return Step(userid, opponent, score, old.rating, new)

    def _of(self, userid: str) -> Tally:
        known = self._tallies.get(userid)
        if known is None:
            known = self._tallies[userid] = self._tally(userid) or NEW
        return known
