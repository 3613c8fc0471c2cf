"""The commands of cups."""

from __future__ import annotations

from typing import ClassVar

from ...errors import Said, say
from ...grammar import arguments as a
from ...grammar.verb import ACCOUNT, Commands, Verb, Who
from ..league.commands import InSeason


class InCup(InSeason, word="in-cup"):
    """The game belongs to a cup, ``Star cup 3``, which ends at ``ends``."""

    judged: ClassVar[Said] = say(
        "If it still runs when the cup ends, on {end}, it is judged: a player who can no longer be "
        "beaten wins; otherwise each of you gets half a point."
    )


# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("cup", (*ACCOUNT, a.MAYBE_GAME),
             "enter the next cup of a game, of Star if you name none; it begins as soon as eight have "
             "entered",
             "running.enter", Who.ACCOUNT, "cup alice s3cret hex", common=True, setting=True),
        Verb("cup leave", (*ACCOUNT, a.MAYBE_GAME),
             "withdraw from a cup; once it has begun, give up what still runs there, after I have "
             "confirmed it",
             "verbs.leave", Who.ACCOUNT, "cup leave alice s3cret hex", common=True, setting=True,
             aliases=("leave cup", "quit cup")),
        Verb("cup table", (a.MAYBE_GAME,), "mail me the table of the newest cup of a game that has begun",
             "verbs.standing", Who.ADDRESS, "cup table hex", common=True, unlisted=True),
    ),
    happenings=(InCup,),
    judged=say("The game is judged as it stands when the cup ends."),
)
# fmt: on
