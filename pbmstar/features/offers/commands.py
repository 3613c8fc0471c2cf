"""The commands of players who look for an opponent."""

from __future__ import annotations

from ...command import arguments as a
from ...command.verb import ACCOUNT, Verb, Who
from .arguments import ANY_OFFER, FRIEND, OFFER, SEAT, SEEKING, WISH

GUESSES = {"invitation": "i"}

# fmt: off
GAME_VERBS = (
    Verb("seek", (SEEKING, *ACCOUNT),
         "offer a game to all players whom it fits: the first who takes it plays it with you",
         "verbs.seek", Who.ACCOUNT, "seek alice s3cret", seats=(2,)),
)
VERBS = (
    Verb("seeks", (a.GAME_OR_ALL,), "mail me the offers of games that I can take",
         "verbs.seeks", Who.ADDRESS, "seeks star", common=True),
    Verb("take", (OFFER, *ACCOUNT, SEAT),
         "take an offer of a game, which begins at once",
         "verbs.take", Who.ACCOUNT, "take 12 alice s3cret", common=True, setting=True),
    Verb("match", (*ACCOUNT, WISH),
         "find me an opponent: the offer that fits me best, otherwise one of my own that others can take",
         "pairs.match", Who.ACCOUNT, "match alice s3cret star -size=8", reply=True,
         any_turn=True, common=True, setting=True),
    Verb("bot", (ANY_OFFER, *ACCOUNT),
         "play the game that I offer with the bot that is nearest to my rating; the offer stays open",
         "pairs.bot", Who.ACCOUNT, "bot alice s3cret", common=True, setting=True),
    Verb("unseek", (ANY_OFFER, *ACCOUNT), "withdraw my offers of games, or one",
         "verbs.unseek", Who.ACCOUNT, "unseek 12 alice s3cret", setting=True),
    Verb("letters lobby", (*ACCOUNT, a.SWITCH),
         "get the offers that I can take in a daily letter, or not",
         "verbs.lobby", Who.ACCOUNT, "letters lobby alice s3cret on", common=True, setting=True,
         aliases=("lobby",)),
    Verb("invite", (*ACCOUNT, FRIEND, a.WORDS),
         "invite a friend to a game by one letter, with a sentence of yours; the friend moves first",
         "invitations.invite", Who.ACCOUNT, "invite alice s3cret carol@carol.example",
         common=True, setting=True, own_text=True),
)
# fmt: on
