"""The command of the window. The parser loads this module, so it imports nothing heavy."""

from __future__ import annotations

from ...command import arguments as a
from ...command.verb import ACCOUNT, Verb, Who

# fmt: off
VERBS = (
    Verb("letters window", (*ACCOUNT, a.SWITCH),
         "be told below a board which of my boards wait, and who waits for a game, or not",
         "verbs.window", Who.ACCOUNT, "letters window alice s3cret off", common=True, setting=True),
)
# fmt: on
