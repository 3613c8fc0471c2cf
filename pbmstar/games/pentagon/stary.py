"""Star Y: one chain that touches three sides of the pentagon, two of them next to each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...errors import Sentence, say, say_many
from ..base import PLAYERS, How
from ..chains import ChainGame
from .board import RINGS, SIDES, PentagonGame

_TRIPLES = tuple((i, (i + 1) % 5, (i + 3) % 5) for i in range(5))


class StarY(ChainGame, PentagonGame):
    """A player who joins sides i, i+1 and i+3 with a chain wins; a full board has one such chain."""

    word = "stary"
    title = "Star Y"
    aim = say("connects three sides: two that meet in a corner, and the one opposite")
    brief = say(
        "Players take turns putting a stone on an empty cell. Stones never move. You win as soon "
        "as one chain of your stones touches three of the five sides: two that meet in a corner, "
        "and the one opposite that corner. A corner cell counts for both of its sides. There are "
        "no ties: in the end, one player always has a chain like that."
    )
    options = (RINGS,)
    sides = SIDES
    aims = dict.fromkeys(PLAYERS, _TRIPLES)
    joined = say_many(
        "{sides}: {count} stone, connected in a Star Y",
        "{sides}: {count} stones, connected in a Star Y",
        0,
    )
    verdicts: ClassVar[Mapping[How, Sentence]] = {"chain": say("{winner} connected three sides")}
    own_verdicts: ClassVar[Mapping[How, Sentence]] = {"chain": say("you connected three sides")}
    notes = (say("no Star Y"), say("has the Star Y"))
