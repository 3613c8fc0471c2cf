"""The answers of ratings to the questions of core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...contest.wishes import Strengths
from ...machine.times import Epoch
from ...match import Match
from ...render.facts import NextGame
from ...service.work.work import Work
from ...store import Tx
from ..feature import Feature
from ..values import Gauge, Gauges, TablePage
from . import operator, rated_games, sitepages, stakes, strength
from .facts import StakesPart
from .rows import Ratings

_FIGURE = "pbmstar_rated_games"


class RatingsFeature(Feature):
    """The answers of ratings to what core asks: see ``Feature``."""

    name = "ratings"
    title = "ratings"
    figures = MappingProxyType(
        {_FIGURE: Gauge("Games that are rated, among people and in practice.", labels=("kind",))}
    )

    def after(self, work: Work, match: Match) -> tuple[()]:
        """Rate a game for two that has ended; drop the rating of one whose end was taken back."""
        rated_games.follow(work.tx, match)
        return ()

    def stakes(self, work: Work, match: Match, reader: str) -> StakesPart:
        """Return the players' ratings, and what the game is worth or has brought."""
        return StakesPart(stakes.of(work, match, reader))

    def next_game(self, work: Work, match: Match, reader: str) -> NextGame | None:
        """Propose the next better program after three wins in a row."""
        return stakes.next_better(work, match, reader)

    def corrected(self, work: Work, match: Match | None, is_removed: bool = False) -> None:
        """Rate a game by its new record, or no longer; fold all games if some are another player's."""
        if match is None:
            work.tx.of(Ratings).rebuild()
        elif is_removed:
            work.tx.of(Ratings).drop(match.number)
        else:
            rated_games.follow(work.tx, match, ended_now=False)

    def strengths(self, tx: Tx, now: Epoch, userids: Sequence[str]) -> Strengths:
        """Return the ratings of players among people."""
        return strength.strengths(tx, now, userids)

    def rival(self, work: Work, userid: str, word: str) -> str:
        """Return the program whose fixed rating is nearest to a player's."""
        return strength.rival(work, userid, word)

    def profile(self, tx: Tx, userid: str) -> Mapping[str, Any]:
        """Return a player's ratings with their curves."""
        return sitepages.profile(tx, userid)

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Compare the entry of a game with its record; fold all games again."""
        yield from _differences(tx, match) if match else tx.of(Ratings).differences()

    def best(self, work: Work, count: int) -> list[dict[str, Any]]:
        """Return the highest ratings among people, each with where its wins come from."""
        return operator.best(work, count)

    def census(self, tx: Tx) -> Gauges:
        """Count the rated games."""
        counts = tx.of(Ratings).counts()
        return {_FIGURE: {(kind,): count for kind, count in counts.items()}}

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterator[TablePage]:
        """Yield the page of each game with ratings."""
        return sitepages.pages(tx, name)


def _differences(tx: Tx, match: Match) -> Iterator[str]:
    kept = tx.of(Ratings).game(match.number)
    if kept is None or not match.position.over:
        if match.position.over:
            yield "it is over, but the ratings know nothing of it"
        elif kept is not None:
            yield "it is rated, but it runs"
        return
    right = rated_games.ended(tx, match, kept.ended.barred, kept.ended.at)
    # The measure is not compared: programs may be stronger now than they were then.
    if kept.ended != right._replace(measure=kept.ended.measure):
        yield f"the ratings know it as {tuple(kept.ended)}, the record says {tuple(right)}"


FEATURE = RatingsFeature()
