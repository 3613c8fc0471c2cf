"""The commands of cups."""

from __future__ import annotations

from ...command import arguments as a
from ...command.verb import ACCOUNT, Verb, Who

# fmt: off
VERBS = (
    Verb("cup", (*ACCOUNT, a.MAYBE_GAME),
         "enter the next cup of a game, of Star if you name none; it begins as soon as eight have entered",
         "verbs.enter", Who.ACCOUNT, "cup alice s3cret hex", common=True, setting=True),
    Verb("cup leave", (*ACCOUNT, a.MAYBE_GAME),
         "withdraw from a cup that has not begun; from all such cups if I name no game",
         "verbs.leave", Who.ACCOUNT, "cup leave alice s3cret hex", common=True, setting=True),
    Verb("cup table", (a.MAYBE_GAME,), "mail me the table of the newest cup of a game that has begun",
         "verbs.standing", Who.ADDRESS, "cup table hex", common=True),
)
# fmt: on
