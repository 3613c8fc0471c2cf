"""One game in play, pure: its players, its record, and what an act makes of them."""

from .acts import Act, Happening, act
from .match import Match, begin, replay
from .record import AGREE, BY_WORD, CANCEL, DRAW, FORFEIT, RESIGN, SWAP, UNDO, Entry, Request

__all__ = [
    "AGREE",
    "BY_WORD",
    "CANCEL",
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
