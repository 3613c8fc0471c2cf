"""The commands of cups."""

from __future__ import annotations

from typing import ClassVar

from ...errors import Sentence, say
from ...grammar import arguments as a
from ...grammar.verb import ACCOUNT, Commands, Verb, Who
from ..league.commands import InSeason

CUP = "cup"  # the kind of its contests, and of the games of these


class InCup(InSeason, word="in-cup"):
    """The game belongs to a cup, ``Star cup 3``, which ends at ``ends``."""

    judged: ClassVar[Sentence] = say(
        "If it's still running when the cup ends, on {end}, we'll judge it: a player who can "
        "no longer be beaten wins. Otherwise, each of you gets half a point."
    )


# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("cup", (*ACCOUNT, a.MAYBE_GAME),
             "enter the next cup, for up to eight players (if you don't name a game, it's Star)",
             "running.enter", Who.ACCOUNT, "cup alice s3cret hex", common=True, setting=True),
        Verb("cup leave", (*ACCOUNT, a.MAYBE_GAME),
             "leave a cup; if it has started, you give up your games in it (we ask first)",
             "verbs.leave", Who.ACCOUNT, "cup leave alice s3cret hex", common=True, setting=True,
             aliases=("leave cup", "quit cup")),
        Verb("cup table", (a.MAYBE_GAME,), "show the table of the latest cup",
             "verbs.standing", Who.ADDRESS, "cup table hex", common=True, unlisted=True),
    ),
    happenings=(InCup,),
    judged=say("We judge the game as it stands when the cup ends."),
)
# fmt: on
