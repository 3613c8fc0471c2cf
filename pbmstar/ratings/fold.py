"""The fold: the ratings of all players, computed from the games that have ended, one after another.

Games are taken in the order in which they ended. If two ended at once, the lower board number comes first.
A kept rating is a result of the fold; the same fold done again gives the same rating, to the last bit.

Anybody can open accounts that lose to one another. So above ``CEILING`` a rating rises only in games with
players who have beaten enough others, directly or by the players whom they have beaten. However many games
31 accounts play with one another, in whatever order, none of them comes above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

from ..machine.times import DAY, Epoch
from .practice import NEW as NEW_AMONG_PROGRAMS
from .rating import LEAST_DEVIATION, Rating

PAIR = "pair"  # the reason: the two players have had as many games lately as are rated
CEILING, PROOF = 1700.0, 30  # above that rating opponents count who have beaten so many players
_GAMES_OF_A_PAIR, _WINDOW = 4, 30 * DAY


class Ended(NamedTuple):
    """A game that has ended, as the fold knows it.

    practice       1 if ``second`` is a program, otherwise 0
    measure        the program's rating at that time, which no game changes; 0 among people
    at             the time of its end, in seconds
    first, second  the userids, in the order of the seats; in practice the person is the first
    score          of ``first``: 1 for a win, 0 for a loss, otherwise 0.5
    how            the way in which it ended, see ``fairness.how``
    barred         the reason why it is not rated, a key of ``fairness.REASONS``; empty if only ``PAIR``
                   may keep it from being rated
    """

    board: int
    game: str
    practice: int
    measure: float
    at: Epoch
    first: str
    second: str
    score: float
    how: str
    barred: str


class Tally(NamedTuple):
    """A player's rating in a game after the last rated game, which ended ``at`` that time.

    games      the number of rated games; ``won``, ``lost`` and ``tied`` add up to it
    opponents  the number of different opponents in them
    """

    rating: float
    deviation: float
    volatility: float
    at: Epoch
    games: int
    won: int
    lost: int
    tied: int
    opponents: int

    def as_of(self, time: float) -> Rating:
        """Return the rating at a later time: it has become less sure."""
        return Rating(self.rating, self.deviation, self.volatility).after(time - self.at)


NEW = Tally(*Rating(), at=0.0, games=0, won=0, lost=0, tied=0, opponents=0)
NEW_IN_PRACTICE = NEW._replace(rating=float(NEW_AMONG_PROGRAMS))


def new(practice: bool | int) -> Tally:
    """Return the tally of a player before the first rated game, among people or in practice."""
    return NEW_IN_PRACTICE if practice else NEW


class Step(NamedTuple):
    """A rated game for one of its players: the rating ``before`` it, and the tally after it."""

    userid: str
    opponent: str
    score: float
    before: float
    tally: Tally


class Folded(NamedTuple):
    """A game in the fold: the reason ``why`` it is not rated, or a step for each rated player."""

    ended: Ended
    why: str
    steps: tuple[Step, ...] = ()


class Fold:
    """The ratings in one game, among people or in practice.

    The state before the first added game is asked for, once for each player and for each pair.
    """

    def __init__(
        self,
        tally: Callable[[str], Tally | None] = lambda _userid: None,
        met: Callable[[str, str], Sequence[float]] = lambda _one, _other: (),
        beaten: Callable[[str], Iterable[str]] = lambda _userid: (),
    ) -> None:
        """tally   returns the tally of a player, None if there is none
        met     returns the times at which the rated games of two players ended, in order
        beaten  returns the players whom a player has beaten in rated games
        """
        self._tally, self._met, self._beaten = tally, met, beaten
        self._tallies: dict[str, Tally] = {}
        self._beaten_before: dict[str, frozenset[str]] = {}
        self._beaten_since: dict[str, set[str]] = {}
        self._ends: dict[tuple[str, str], list[float]] = {}

    def add(self, ended: Ended) -> Folded:
        """Add the next game, which comes after all others in the order."""
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
        steps = tuple(self._steps(ended, is_new))
        for each in steps:
            if each.score == 1:
                self._beaten_since.setdefault(each.userid, set()).add(each.opponent)
        return Folded(ended, "", steps)

    def _steps(self, ended: Ended, is_new: bool) -> Iterable[Step]:
        """Yield the step of each player whose rating changes. ``is_new``: the two have not met before."""
        first = self._of(ended, ended.first).as_of(ended.at)
        program = Rating(ended.measure, LEAST_DEVIATION) if ended.practice else None
        second = program or self._of(ended, ended.second).as_of(ended.at)
        yield self._step(ended, is_new, (ended.first, first), (ended.second, second))
        if program is None:
            yield self._step(ended, is_new, (ended.second, second), (ended.first, first))

    def _step(
        self, ended: Ended, is_new: bool, own: tuple[str, Rating], rival: tuple[str, Rating]
    ) -> Step:
        (userid, rating), (opponent, other) = own, rival
        score = ended.score if userid == ended.first else 1 - ended.score
        old = self._of(ended, userid)
        played = rating.played(((other, score),))
        most = max(CEILING, rating.rating)
        if played.rating > most and not ended.practice and not self._has_proved(opponent, userid):
            played = played._replace(rating=most)
        after = Tally(
            *played,
            at=ended.at,
            games=old.games + 1,
            won=old.won + (score == 1),
            lost=old.lost + (score == 0),
            tied=old.tied + (score == 0.5),
            opponents=old.opponents + is_new,
        )
        self._tallies[userid] = after
        return Step(userid, opponent, score, old.rating, after)

    def _of(self, ended: Ended, userid: str) -> Tally:
        known = self._tallies.get(userid)
        if known is None:
            known = self._tallies[userid] = self._tally(userid) or new(ended.practice)
        return known

    def _has_proved(self, userid: str, rival: str) -> bool:
        """Return True if a player and those whom the player has beaten have beaten ``PROOF`` others in all.

        ``rival``, who gains by the proof, is not counted, nor are the players whom ``rival`` has beaten.
        """
        beaten = self._beaten_by(userid) - {rival}
        found = set(beaten)
        for each in sorted(beaten):
            if len(found) >= PROOF:
                break
            found |= self._beaten_by(each) - {userid, rival}
        return len(found) >= PROOF

    def _beaten_by(self, userid: str) -> Set[str]:
        """Return the players whom a player has beaten until now."""
        before = self._beaten_before.get(userid)
        if before is None:
            before = self._beaten_before[userid] = frozenset(self._beaten(userid))
        return before | self._beaten_since.get(userid, set())
