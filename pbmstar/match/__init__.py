"""One game in play, pure: its players, its record, and what an act makes of them."""

from .acts import Act, act
from .match import Match, begin, replay
from .planned import PRIVATE, plan_of
from .plans import Planned
from .record import AGREE, CANCEL, DRAW, FORFEIT, RESIGN, Entry, Happening, Request

__all__ = [
    "AGREE",
    "CANCEL",
    "DRAW",
    "FORFEIT",
    "PRIVATE",
    "RESIGN",
    "Act",
    "Entry",
    "Happening",
    "Match",
    "Planned",
    "Request",
    "act",
    "begin",
    "plan_of",
    "replay",
]
