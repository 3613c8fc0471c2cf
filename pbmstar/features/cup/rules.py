"""A cup: when it begins, how long it lasts, and on which boards.

All players of a cup play each other at the same time. Points and order are as in a league with one
division.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from ...games.base import Game
from ...machine.times import DAY, Epoch, Seconds
from ...match import Terms
from ...match.terms import read_time

CUP = "cup"  # the kind of its contests, and of the games of these
FULL, LEAST = 8, 4  # the players of a cup
PATIENCE = 7 * DAY  # after which a cup begins with fewer than FULL
PROPOSAL = 21 * DAY  # after which those who still wait are told how to play without a cup
DAYS = 49  # the length of a cup at most: see _BOARDS
TERMS = Terms(time=read_time("7d+24h"), undo="no", contest=CUP)
# Boards are so small that nobody who answers within a day meets the last day of a cup, however slow the
# opponent is: the seven days of the one and a day for each move of both come to less.
_BOARDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "star": {"size": "4"},
        "*star": {"rings": "3"},
        "stary": {"rings": "3"},
        "hex": {"size": "6"},
        "y": {"size": "7"},
        "polyy": {"rings": "3"},
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


def is_late(cells: int, played: int, since: Seconds, left: Seconds) -> bool:
    """Return True if a board is not full at the end of its cup, if it goes on as in the time ``since``."""
    return (cells - played) * since > left * max(played, 1)
