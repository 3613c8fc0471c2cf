"""The answers of contests together to the questions of core."""

from __future__ import annotations

from types import MappingProxyType

from ...store import Tx
from ..feature import Feature
from ..values import Gauge, Gauges
from .rows import Contests

_FIGURE = "pbmstar_contest_players"


class ContestsFeature(Feature):
    """Ladders and leagues together."""

    name = "contests"
    title = "ladders and leagues"
    figures = MappingProxyType(
        {
            _FIGURE: Gauge(
                "Places of players in leagues, in cups and on ladders that are not over, by kind.",
                labels=("kind",),
            )
        }
    )

    def census(self, tx: Tx) -> Gauges:
        """Count the players, by kind of contest."""
        counted = {"ladder": 0, "league": 0, "cup": 0, **tx.of(Contests).entrants()}
        return {_FIGURE: {(kind,): count for kind, count in counted.items()}}


FEATURE = ContestsFeature()
