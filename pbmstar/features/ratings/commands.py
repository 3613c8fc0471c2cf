"""The commands about ratings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...command import arguments as a
from ...command.verb import Verb, Who
from ...errors import BadInput, say
from ...games.spelling import plain

OPERATING = {
    "ratings": "Ratings, computed anew and compared.",
    "twins": "List accounts that may be of one person.",
}
FORMER_OPERATING = {"rate": "admin ratings check or rebuild"}
RESERVED = frozenset({"rating"})


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
            raise BadInput(
                say("The parts of the list are top 20, near, all, practice."), "bad-ranking"
            )
    return ranking


_RANKING = a.rest("ranking", _read_ranking, "top n|near|all|practice", optional=True)

# fmt: off
GAME_VERBS = (
    Verb("ratings", (_RANKING,),
         "mail me the list of ratings: the best, those near me, all, or of practice against bots",
         "verbs.ratings", Who.ADDRESS, "ratings near", aliases=("standings",), seats=(2,)),
    Verb("history", (a.ANY_USERID,), "mail me my rating after each game, or another player's",
         "verbs.history", Who.ADDRESS, "history alice", seats=(2,)),
)
VERBS = (
    Verb("ratings", (_RANKING,), "mail me the lists of ratings of all games",
         "verbs.ratings", Who.ADDRESS, "ratings practice", aliases=("standings",), common=True),
    Verb("whois", (a.USERID,), "mail me what is known of a player: ratings, games, how reliable",
         "verbs.whois", Who.ADDRESS, "whois alice"),
)
# fmt: on
