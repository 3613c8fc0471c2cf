"""A game in play: its players, its record, and the effects of acts on them. Pure."""

from .acts import ASKING, REASONS, Act, Change, act, asked, used_up
from .clock import Clock, Stops
from .happenings import Event, Happening
from .match import BOTS, RESULTS, Match, begin, program_among, replay, spelled_result
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
    UNFINISHED,
    UNREACHED,
    Entry,
    Noted,
    Request,
    is_move,
)
from .terms import Terms

__all__ = [
    "AGREE",
    "ASKING",
    "BOTS",
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
    "UNFINISHED",
    "UNREACHED",
    "Act",
    "Change",
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
    "replay",
    "spelled_result",
    "used_up",
]  # fmt: skip
