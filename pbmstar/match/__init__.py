"""A game in play: its players, its record, and the effects of acts on them. Pure."""

from .acts import ASKING, REASONS, act, asked, used_up
from .clock import Clock, Stops
from .happenings import Event, Happening
from .match import RESULTS, Match, begin, program_among, programs, replay, spelled_result
from .plan_grammar import Planned
from .plans import plan_of
from .record import (
    AGREE,
    CANCEL,
    CLAIM,
    DRAW,
    FORFEIT,
    JUDGED,
    RESIGN,
    SCORE,
    UNDO,
    UNREACHED,
    Act,
    Entry,
    Noted,
    Request,
    is_move,
)
from .terms import Terms

__all__ = [
    "AGREE",
    "ASKING",
    "CANCEL",
    "CLAIM",
    "DRAW",
    "FORFEIT",
    "JUDGED",
    "REASONS",
    "RESIGN",
    "RESULTS",
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
    "asked",
    "begin",
    "is_move",
    "plan_of",
    "program_among",
    "programs",
    "replay",
    "spelled_result",
    "used_up",
]  # fmt: skip
