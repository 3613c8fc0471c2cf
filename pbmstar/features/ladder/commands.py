"""The commands of ladders."""

from __future__ import annotations

from ...command import arguments as a
from ...command.verb import ACCOUNT, Verb, Who

OPERATING = {"ladder": "Ladders: list, open, close, show."}

# fmt: off
VERBS = (
    Verb("ladder join", (a.GAME, *ACCOUNT), "join the ladder of a game, at the bottom",
         "verbs.join", Who.ACCOUNT, "ladder join star alice s3cret", setting=True),
    Verb("ladder leave", (a.GAME, *ACCOUNT),
         "leave the ladder of a game, once my games there are over",
         "verbs.leave", Who.ACCOUNT, "ladder leave star alice s3cret", setting=True),
    Verb("ladder challenge", (a.GAME, *ACCOUNT, a.USERID2),
         "challenge a player up to three places above me; if I win I get that place",
         "verbs.challenge", Who.ACCOUNT, "ladder challenge star alice s3cret bob", setting=True),
    Verb("ladder table", (a.GAME,), "mail me the ladder of a game",
         "verbs.table", Who.ADDRESS, "ladder table star"),
)
# fmt: on
