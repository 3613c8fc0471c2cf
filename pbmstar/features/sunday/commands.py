"""The command of the Sunday game. The parser loads this module, so it imports nothing heavy."""

from __future__ import annotations

from ...errors import Sentence, say
from ...grammar import arguments as a
from ...grammar.verb import ACCOUNT, Commands, Verb, Who
from ...machine.times import Epoch
from ...match import Match
from ...match.dates import moment
from ...match.happenings import Itself


class OnSunday(Itself, word="on-sunday"):
    """The game is Sunday game ``number``, which ends at ``ends``."""

    number: int
    ends: Epoch

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return what is different in such a game."""
        return (
            say(
                "This is Sunday game {number}. Everyone plays this same board against {bot}, "
                "which always answers the same moves in the same way. What counts is how many "
                "points you win or lose by. You have until {end}. Nobody else can see your moves "
                "before then. After that, everyone who played can see your name, your result and "
                "your moves.",
                number=self.number,
                bot=match.program,
                end=moment(self.ends, zone),
            ),
        )


# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("sunday", (*ACCOUNT, a.SWITCH),
             "join or leave the Sunday game: for a week, everyone plays the same board against "
             "the same bot",
             "feature.sunday", Who.ACCOUNT, "sunday alice s3cret on", reply=True, any_turn=True, common=True,
             setting=True),
    ),
    happenings=(OnSunday,),
    unrated=say("The Sunday game isn't rated."),
    judged=say("When the week ends on Sunday, we'll score the game as it stands."),
)
# fmt: on
