"""The command of postcards, and the address that a bet on one goes to. Light: the parser loads it."""

from __future__ import annotations

from ...grammar.seeking import FRIEND
from ...grammar.verb import PLAYER, Commands, Verb, Who

# fmt: off
COMMANDS = Commands(
    game_verbs=(
        Verb("postcard", (*PLAYER, FRIEND),
             "send one of your finished games to a friend without an account, who can guess who "
             "won",
             "feature.postcard", Who.PLAYER, "postcard 17 alice s3cret aunt@home.example", seats=(2,),
             reply=True, any_turn=True, common=True),
    ),
    guesses={"bet": "b"},
)
# fmt: on
