"""The part of a list of ratings that a command asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import BadInput, say
from ..games.spelling import plain
from .arguments import rest


class Ranking(NamedTuple):
    """A part of a list of ratings.

    which     ``top``: the best ``number`` players; ``near``: those around the reader; ``all``: also
              players who are not established
    practice  the ratings from games against bots
    """

    which: str = "top"
    number: int = 50
    practice: bool = False


def _read_ranking(words: Sequence[str]) -> Ranking:
    """Return the part of a list of ratings that words ask for, in any order. Raises BadInput."""
    ranking, rest = Ranking(), [plain(word).lower().strip(",.") for word in words]
    while rest:
        word = rest.pop(0)
        if word == "practice":
            ranking = ranking._replace(practice=True)
        elif word in ("near", "all", "top"):
            ranking = ranking._replace(which=word)
        elif re.fullmatch(r"[1-9][0-9]{0,2}", word) and ranking.which == "top":
            ranking = ranking._replace(number=int(word))
        else:
            raise BadInput(say("You can ask for top 20, near, all or practice."), "bad-ranking")
    return ranking


RANKING = rest("ranking", _read_ranking, "top n|near|all|practice", optional=True)
