"""One game in play, pure: its players, its record, and what an act makes of them."""

from .acts import Act, Happening, act
from .match import Match, begin, replay
from .record import AGREE, DRAW, FORFEIT, RESIGN, SWAP, UNDO, Entry, Request

__all__ = [
    "AGREE",
    "DRAW",
    "FORFEIT",
    "RESIGN",
    "SWAP",
    "UNDO",
    "Act",
    "Entry",
    "Happening",
    "Match",
    "Request",
    "act",
    "begin",
    "replay",
]
