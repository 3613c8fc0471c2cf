"""The command of the Sunday game. The parser loads this module, so it imports nothing heavy."""

from __future__ import annotations

from ...command import arguments as a
from ...command.verb import ACCOUNT, Verb, Who

STOPS = "y"

# fmt: off
VERBS = (
    Verb("sunday", (*ACCOUNT, a.SWITCH),
         "play the Sunday game: the same board for all, against the same bot, for a week; or no longer",
         "verbs.sunday", Who.ACCOUNT, "sunday alice s3cret on", reply=True, any_turn=True, common=True,
         setting=True),
)
# fmt: on
