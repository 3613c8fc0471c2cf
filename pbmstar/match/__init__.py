"""One game in play, pure: its players, its record, and what an act makes of them."""

from .acts import act
from .clock import Clock, Stops
from .match import Match, begin, replay
from .planned import PRIVATE, plan_of
from .plans import Planned
from .record import (
    AGREE,
    CANCEL,
    CLAIM,
    DRAW,
    FORFEIT,
    RESIGN,
    SCORE,
    UNDO,
    UNREACHED,
    Act,
    Entry,
    Event,
    Happening,
    Noted,
    Request,
)
from .requests import ASKING, REASONS, named
from .terms import Terms

__all__ = [
    "AGREE",
    "ASKING",
    "CANCEL",
    "CLAIM",
    "DRAW",
    "FORFEIT",
    "PRIVATE",
    "REASONS",
    "RESIGN",
    "SCORE",
    "UNDO",
    "UNREACHED",
    "Act",
    "Clock",
    "Entry",
    "Event",
    "Happening",
    "Match",
    "Noted",
    "Planned",
    "Request",
    "Stops",
    "Terms",
    "act",
    "begin",
    "named",
    "plan_of",
    "replay",
]
