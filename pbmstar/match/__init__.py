"""One game in play, pure: its players, its record, and what an act makes of them."""

from .acts import Act, Happening, act
from .match import Match, begin, replay
from .record import AGREE, CANCEL, DRAW, FORFEIT, RESIGN, Entry, Request

__all__ = [
    "AGREE",
    "CANCEL",
    "DRAW",
    "FORFEIT",
    "RESIGN",
    "Act",
    "Entry",
    "Happening",
    "Match",
    "Request",
    "act",
    "begin",
    "replay",
]
