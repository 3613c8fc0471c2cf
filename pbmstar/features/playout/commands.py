"""The command that plays a position out. The parser loads this module, so it imports nothing heavy."""

from __future__ import annotations

import re

from ...command import arguments as a
from ...command import literals
from ...command.verb import PLAYER, Verb, Who
from ...errors import BadInput, say
from ...games.base import Game
from ...games.spelling import plain, shown

_NUMBER = re.compile("#?([1-9][0-9]{0,3})[.,]?")


def _take_number(words: list[str], game: type[Game] | None) -> a.Taken:
    """Take ``number``: that of a move, perhaps with the word "move" before it. Raises BadInput."""
    at = 1 if plain(words[0]).lower() == "move" and len(words) > 1 else 0
    found = _NUMBER.fullmatch(plain(words[at]))
    if not found:
        raise BadInput(say("Which move? Name it by its number: from 14"), "bad-move-number")
    return a.Taken({"number": int(found[1])}, [*map(shown, words[: at + 1])], words[at + 1 :])


_MOVE_NUMBER = a.Argument("number", "moveno", _take_number, distinct=True)
_RIVAL = a.one_word("rival", literals.read_userid, "opponent", optional=True)

# fmt: off
GAME_VERBS = (
    Verb("from", (*PLAYER, _MOVE_NUMBER, _RIVAL),
         "play a finished game on from that move, unrated, against the same opponent or a bot",
         "verbs.play_on", Who.PLAYER, "from 17 alice s3cret 14", seats=(2,), reply=True, any_turn=True,
         common=True),
)
# fmt: on
VERBS = ()
