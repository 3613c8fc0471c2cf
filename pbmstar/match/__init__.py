"""One game in play, pure: its players, its record, and what an act makes of them."""

from .acts import Act, Happening, act
from .clock import Clock, Stops
from .match import Match, begin, replay
from .record import AGREE, CANCEL, DRAW, FORFEIT, RESIGN, Entry, Request
from .terms import Terms

__all__ = [
    "AGREE",
    "CANCEL",
    "DRAW",
    "FORFEIT",
    "RESIGN",
    "Act",
    "Clock",
    "Entry",
    "Happening",
    "Match",
    "Request",
    "Stops",
    "Terms",
    "act",
    "begin",
    "replay",
]
