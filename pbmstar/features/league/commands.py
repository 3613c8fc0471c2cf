"""The commands of leagues."""

from __future__ import annotations

from ...command import arguments as a
from ...command.verb import ACCOUNT, Verb, Who

OPERATING = {"league": "Leagues and their seasons."}

# fmt: off
VERBS = (
    Verb("league join", (a.GAME, *ACCOUNT),
         "join the next season of a league, and each later one until I leave",
         "verbs.join", Who.ACCOUNT, "league join star alice s3cret", setting=True),
    Verb("league leave", (a.GAME, *ACCOUNT), "join no later season of a league",
         "verbs.leave", Who.ACCOUNT, "league leave star alice s3cret", setting=True),
    Verb("league withdraw", (a.GAME, *ACCOUNT),
         "leave a running season: my games there are lost, or do not count if fewer than half have ended",
         "verbs.withdraw", Who.ACCOUNT, "league withdraw star alice s3cret", setting=True),
    Verb("league table", (a.GAME, a.DIVISION), "mail me the table of my division, or of another",
         "verbs.standing", Who.ADDRESS, "league table star 2"),
    Verb("league crosstable", (a.GAME, a.DIVISION), "mail me who has won against whom there",
         "verbs.crosstable", Who.ADDRESS, "league crosstable star 2"),
)
# fmt: on
