"""A folder for each feature: all that goes beyond one game. Core loops over ``NAMES``, and names none.

A folder is a whole feature. Its modules, each there only if the feature needs it:

``commands``   VERBS, and perhaps GAME_VERBS: the rows of its commands; RESERVED: words that no userid can
               be. Light: the parser loads them.
``players``    PLAYERS: the userids of its players, who are programs. Light.
``happenings`` HAPPENINGS: the kinds of happenings that it adds to a game, each with its sentences; perhaps
               OLDER: by word a function that also reads what earlier versions have stored. Light.
``rules``      its rules, pure
``tables``     its tables of the database
``rows``       the statements that read and change them
``verbs``      what its commands do
``rendering``  what its letters need beside templates, and its part of a board's letter. Light. All may be
               missing: FILTERS for templates; HEADERS, by name a function of a letter's facts; PICTURES,
               by template a function that draws, from the facts and ``board``, a View; ``fill``, which adds
               to the facts of a letter; ``asks``, words that ask for something about a board, for replies;
               ``goes_on``, the line of a reply that plays a finished game on after a move; HELP, values for
               help pages; BUTTONS, what buttons say in place of the lines they send, by the whole line or,
               up to a space, by its beginning; JUDGED, the sentence about its games without a time limit, if
               it ends and judges them
``upgrades``   what the migrations of the store do to its rows
``feature``    FEATURE: its answers to the questions that core asks, see ``Feature``
``operator``   what the operator may do
``cli``        the operator's commands; ``commands`` lists those of ``pbmstar admin`` in OPERATING and those
               of ``pbmstar`` in COMMANDS, each with its summary
``facts``      the facts of its letters, a class for each (see ``render/facts``), and perhaps of_board: the
               facts that it adds to letters with a board. Light: what writes letters loads it.

Leave a folder and its name out, and everything else works.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

# In this order core asks them: who comes first is told first. No answer changes another one's.
NAMES = (
    "ratings",
    "contests",
    "league",
    "cup",
    "ladder",
    "offers",
    "postcard",
    "watching",
    "window",
    "bots",
    "problem",
    "firstweek",
    "playout",
    "course",
    "sunday",
    "website",
)


@cache
def modules(kind: str) -> tuple[tuple[str, ModuleType], ...]:
    """Return the module of that name of each feature that has one, with the name of the feature."""
    if kind == "commands":
        import_module(
            "pbmstar.command"
        )  # which loads them all; one that came before it would miss there
    paths = ((name, f"{__name__}.{name}.{kind}") for name in NAMES)
    return tuple((name, import_module(path)) for name, path in paths if find_spec(path))
