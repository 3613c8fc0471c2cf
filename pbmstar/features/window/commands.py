"""The command of the window. The parser loads this module, so it imports nothing heavy."""

from __future__ import annotations

from ...grammar import arguments as a
from ...grammar.verb import ACCOUNT, Commands, Verb, Who

# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("letters window", (*ACCOUNT, a.SWITCH),
             "choose whether letters end with a list of your other games where it's your turn",
             "feature.window", Who.ACCOUNT, "letters window alice s3cret off", common=True, setting=True,
             unlisted=True),
    ),
)
# fmt: on
