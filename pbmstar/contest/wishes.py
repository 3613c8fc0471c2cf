"""The wishes of a player, which decide if others may begin a game with that player.

Every way to a game is checked here: a challenge, a rematch, a taken offer, two players who are paired.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..match.terms import DAY
from .rating import Rating

PEAK, BELOW_PEAK = 365 * DAY, 150  # a highest rating counts for so long, less so many points


def strength(points: int, peak: float | None) -> int:
    """Return the points that a player counts as: they are not far below the ``peak`` of the last year."""
    return points if peak is None else max(points, round(peak) - BELOW_PEAK)


@dataclass(frozen=True)
class Party:
    """The facts about a player that decide if others may play with the player.

    state      the state of the account, ``active`` if letters reach it
    mailboxes  a mark for each address, the same for all spellings of it
    refuses    the words of the games to which the player takes no challenges
    blocks     the players whose challenges are refused
    most       others may bring the player to so many running games; None for any number
    running    the number of running games
    away       the player is on leave
    ratings    by the word of a game; ``peaks``: the highest ones of the last year
    """

    userid: str
    state: str = "active"
    mailboxes: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    most: int | None = None
    running: int = 0
    away: bool = False
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    peaks: Mapping[str, float] = field(default_factory=dict)

    def rating(self, word: str) -> Rating:
        """Return the player's rating in a game; if there is none yet, the rating of a beginner."""
        return self.ratings.get(word, Rating())

    def strength(self, word: str) -> int:
        """Return the points that the player counts as: it helps little to lower a rating on purpose."""
        return strength(self.rating(word).points, self.peaks.get(word))

    def takes(self, other: Party, word: str) -> bool:
        """Return True if a game may be begun with this player because ``other`` asks for it."""
        return (
            self.state == "active"
            and word not in self.refuses
            and other.userid not in self.blocks
            and (self.most is None or self.running < self.most)
        )
