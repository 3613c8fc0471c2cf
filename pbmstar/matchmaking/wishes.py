"""The wishes of a player, which decide if others may begin a game with that player.

Every way to a game is checked here: a challenge, a rematch, a taken offer, two players who are paired.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..ratings.rating import Strength


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
    strengths  by the word of a game
    """

    userid: str
    state: str = "active"
    mailboxes: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    most: int | None = None
    running: int = 0
    away: bool = False
    strengths: Mapping[str, Strength] = field(default_factory=dict)

    def strength(self, word: str) -> Strength:
        """Return the player's strength in a game; if it is not known, a beginner's."""
        return self.strengths.get(word, Strength())

    def takes(self, other: Party, word: str) -> bool:
        """Return True if a game may be begun with this player because ``other`` asks for it."""
        return (
            self.state == "active"
            and word not in self.refuses
            and other.userid not in self.blocks
            and (self.most is None or self.running < self.most)
        )
