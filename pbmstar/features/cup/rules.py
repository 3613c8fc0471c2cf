"""A cup: when it begins, how long it lasts, and on which boards.

All players of a cup play each other at the same time. Points and order are those of a league with one
division.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from ...games.base import Game
from ...machine.times import Epoch
from ...match import Terms
from ...match.terms import DAY, read_time

CUP = "cup"  # the kind of its contests, and of the games of these
FULL, LEAST = 8, 4  # the players of a cup
PATIENCE = 7 * DAY  # after which a cup begins with fewer than FULL
DAYS = 35  # the length of a cup
TERMS = Terms(time=read_time("7d+24h"), undo="no", contest=CUP)
# A game is over within the days of a cup if both move once a day: so boards are smaller than usual.
_BOARDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "star": {"size": "5"},
        "*star": {"rings": "4"},
        "stary": {"rings": "4"},
        "hex": {"size": "8"},
        "y": {"size": "9"},
        "polyy": {"rings": "4"},
    }
)


def board_of(kind: type[Game]) -> Game:
    """Return the board of a cup of a game: its usual one if no smaller one is chosen for cups."""
    return kind(_BOARDS.get(kind.word, {}))


def begins(entered: Sequence[float], now: Epoch) -> bool:
    """Return True if a cup begins: it is full, or a week after the first of its players at least four are in.

    entered  the times at which its players have entered it
    """
    if len(entered) >= FULL:
        return True
    return len(entered) >= LEAST and now >= min(entered) + PATIENCE


def absent(players: Sequence[str], movers: Collection[str]) -> list[str]:
    """Return the players who have moved in no game of a cup: they are out, and their games do not count."""
    return [userid for userid in players if userid not in movers]
