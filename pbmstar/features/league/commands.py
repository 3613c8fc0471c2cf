"""The commands of leagues."""

from __future__ import annotations

from typing import ClassVar

from ...errors import Sentence, say, together
from ...grammar import arguments as a
from ...grammar.verb import ACCOUNT, Commands, Verb, Who
from ...machine.times import Epoch
from ...match import Match
from ...match.dates import moment
from ...match.happenings import Itself


class InSeason(Itself, word="in-season"):
    """The game belongs to a season, ``Star league 3, division 2``, which ends at ``ends``.

    judged  what happens if the game still runs then
    """

    judged: ClassVar[Sentence] = say(
        "If it's still running when the season ends, on {end}, we'll judge it: a player who "
        "can no longer be beaten wins. Otherwise, each of you gets half a point."
    )

    season: str
    ends: Epoch

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return what is different in such a game."""
        return (
            together(
                say(
                    "This game is part of {season}. You can't decline it, and neither of you "
                    "can take back a move.",
                    season=self.season,
                ),
                self.judged.given(end=moment(self.ends, zone)),
            ),
        )


# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("league join", (a.GAME, *ACCOUNT),
             "join the next season of a league, and every later one until you leave",
             "verbs.join", Who.ACCOUNT, "league join star alice s3cret", setting=True),
        Verb("league leave", (a.GAME, *ACCOUNT), "leave a league after this season",
             "verbs.leave", Who.ACCOUNT, "league leave star alice s3cret", setting=True),
        Verb("league withdraw", (a.GAME, *ACCOUNT),
             "leave a season that has started; if at least half of your games are over, you lose "
             "the others, and otherwise none of your games count",
             "verbs.withdraw", Who.ACCOUNT, "league withdraw star alice s3cret", setting=True, unlisted=True),
        Verb("league table", (a.GAME, a.DIVISION), "show the table of your division, or of "
                                                   "another one",
             "verbs.standing", Who.ADDRESS, "league table star 2"),
        Verb("league crosstable", (a.GAME, a.DIVISION), "show who has beaten whom",
             "verbs.crosstable", Who.ADDRESS, "league crosstable star 2", unlisted=True),
    ),
    happenings=(InSeason,),
    judged=say("We judge the game as it stands when the season ends."),
)
# fmt: on
