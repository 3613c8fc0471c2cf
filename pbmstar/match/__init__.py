"""One game in play, pure: its players, its record, and what an act makes of them."""

from .acts import act
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
    Request,
)
from .requests import ASKING, REASONS, named

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
    "Entry",
    "Event",
    "Happening",
    "Match",
    "Planned",
    "Request",
    "act",
    "begin",
    "named",
    "plan_of",
    "replay",
]
