"""The command that lists all contests."""

from __future__ import annotations

from ...grammar.verb import Commands, Verb, Who

# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("leagues", (), "list all leagues and ladders",
             "feature.contests", Who.ADDRESS, "leagues", common=True),
    ),
)
# fmt: on
