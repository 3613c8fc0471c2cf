"""The strength of players, for those who choose opponents for them."""

from __future__ import annotations

from collections.abc import Sequence

from ..machine.times import DAY, Epoch
from ..store import Tx
from . import practice
from .rating import Strength
from .rows import Ratings

_PEAK, _BELOW_PEAK = 365 * DAY, 150  # a highest rating counts for so long, less so many points


def strengths(tx: Tx, now: Epoch, userids: Sequence[str]) -> dict[str, dict[str, Strength]]:
    """Return the ratings of players among people, by userid and word of a game.

    A player counts as not far below the highest rating of the last year.
    """
    found: dict[str, dict[str, Strength]] = {}
    for userid, game, tally, peak in tx.of(Ratings).many(userids, now - _PEAK):
        rating = tally.as_of(now)
        least = 0 if peak is None else round(peak) - _BELOW_PEAK
        own = found.setdefault(userid, {})
        own[game] = Strength(rating.points, rating.is_provisional, least)
    return found


def rival(tx: Tx, userid: str, word: str) -> str:
    """Return the program that is nearest to a player in a game.

    The practice rating counts, or else the rating among people. A player who has neither gets the weakest.
    """
    of = tx.of(Ratings).of
    tally = of(userid, word, practice=True) or of(userid, word, practice=False)
    return practice.nearest(word, tally.rating if tally else practice.NEW)
