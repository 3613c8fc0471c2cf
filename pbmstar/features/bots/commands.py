"""The commands about bots, those of the operator among them."""

from __future__ import annotations

from ...command import arguments as a
from ...command.verb import Verb, Who

OPERATING = {"bot": "Accounts whose moves this server finds."}
COMMANDS = {"bot": "Measure the bots."}
# Words that no person may have as a userid.
RESERVED = frozenset({"bot", "bots", *(f"bot{level}" for level in range(100))})

# fmt: off
GAME_VERBS = (
    Verb("review", (a.BOARD,), "mail me where a finished game turned, and what was better",
         "verbs.review", Who.ADDRESS, "review 17", seats=(2,), reply=True, any_turn=True),
)
# fmt: on
VERBS = ()
