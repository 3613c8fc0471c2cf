"""The command that lists all contests."""

from __future__ import annotations

from ...command.verb import Verb, Who

# fmt: off
VERBS = (
    Verb("leagues", (), "mail me a list of all leagues and ladders",
         "verbs.contests", Who.ADDRESS, "leagues", common=True),
)
# fmt: on
