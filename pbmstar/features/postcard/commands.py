"""The command of postcards, and the address that a bet on one goes to. Light: the parser loads it."""

from __future__ import annotations

from ...command.verb import PLAYER, Verb, Who
from ..offers.arguments import FRIEND

GUESSES = {"bet": "b"}

# fmt: off
GAME_VERBS = (
    Verb("postcard", (*PLAYER, FRIEND),
         "send a friend without an account a picture of a finished game of mine, and ask who won",
         "verbs.postcard", Who.PLAYER, "postcard 17 alice s3cret aunt@home.example", seats=(2,),
         reply=True, any_turn=True, common=True),
)
# fmt: on
VERBS = ()
