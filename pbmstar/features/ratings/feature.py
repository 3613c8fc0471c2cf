"""The answers of ratings to the questions of core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...match import Match
from ...service.work.work import Work
from ...store import Tx
from ..feature import Feature, Gauge, Gauges, NextGame, Strengths, TablePage
from . import ending, operating, sitepages, stakes, strength
from .rows import Ratings

_FIGURE = "pbmstar_rated_games"


class RatingsFeature(Feature):
    """Ratings."""

    name = "ratings"
    title = "ratings"
    figures = MappingProxyType(
        {_FIGURE: Gauge("Games that are rated, among people and in practice.", labels=("kind",))}
    )

    def after(self, work: Work, match: Match) -> tuple[()]:
        """Rate a game for two that has ended; drop the rating of one whose end was taken back."""
        ending.follow(work.tx, match)
        return ()

    def stakes(self, work: Work, match: Match, reader: str) -> Mapping[str, Any]:
        """Return the players' ratings, and what the game is worth or has brought."""
        return {"rating": stakes.of(work, match, reader)}

    def next_game(self, work: Work, match: Match, reader: str) -> NextGame | None:
        """Propose the next better program after three wins in a row."""
        return stakes.next_better(work, match, reader)

    def replaced(self, work: Work, match: Match) -> None:
        """Rate a game by the record that the operator has put in place."""
        ending.follow(work.tx, match, ended_now=False)

    def removed(self, work: Work, match: Match) -> None:
        """Drop the rating of a game that the operator removes."""
        work.tx.of(Ratings).drop(match.number)

    def strengths(self, tx: Tx, now: float, userids: Sequence[str]) -> Strengths:
        """Return the ratings of players among people."""
        return strength.strengths(tx, now, userids)

    def rival(self, work: Work, userid: str, word: str) -> str:
        """Return the program whose fixed rating is nearest to a player's."""
        return strength.rival(work, userid, word)

    def profile(self, tx: Tx, userid: str) -> Mapping[str, Any]:
        """Return a player's ratings with their curves."""
        return sitepages.profile(tx, userid)

    def merged(self, work: Work) -> None:
        """Fold all games anew: some are now the other player's."""
        work.tx.of(Ratings).rebuild()

    def check_board(self, tx: Tx, match: Match) -> Iterator[str]:
        """Compare the entry of a game in the ratings with its record."""
        kept = tx.of(Ratings).game(match.number)
        if kept is None or not match.position.over:
            if match.position.over:
                yield "it is over, but the ratings know nothing of it"
            elif kept is not None:
                yield "it is rated, but it runs"
            return
        right = ending.ended(tx, match, kept.ended.barred, kept.ended.at)
        # The measure is not compared: programs may be stronger now than they were then.
        if kept.ended != right._replace(measure=kept.ended.measure):
            yield f"the ratings know it as {tuple(kept.ended)}, the record says {tuple(right)}"

    def check(self, tx: Tx) -> Iterator[str]:
        """Fold all games again."""
        yield from tx.of(Ratings).differences()

    def best(self, work: Work, count: int) -> list[dict[str, Any]]:
        """Return the highest ratings among people, each with where its wins come from."""
        return operating.best(work, count)

    def census(self, tx: Tx) -> Gauges:
        """Count the rated games."""
        counts = tx.of(Ratings).counts()
        return {_FIGURE: {(kind,): count for kind, count in counts.items()}}

    def pages(self, tx: Tx, name: Callable[[str], str]) -> Iterator[TablePage]:
        """Yield the page of each game with ratings."""
        return sitepages.pages(tx, name)


FEATURE = RatingsFeature()
