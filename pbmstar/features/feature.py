"""The seam: the questions that core asks every feature. A feature answers those that concern it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from . import modules

if TYPE_CHECKING:
    from ..match import Happening, Match
    from ..service.work.apply import Change
    from ..service.work.context import Context
    from ..service.work.work import Work
    from ..store import Store, Tx

Gauges = Mapping[str, Mapping[tuple[str, ...], float]]


class Feature:
    """What goes beyond one game. Core asks all features in the order of ``NAMES``, in the open transaction.

    name    its folder, and the word by which an operator switches it off
    needs   the features that it imports
    judges  its games are judged when their contest ends: no turn of theirs goes on after that

    A feature that is switched off is asked only what its stored data need: ``check``, ``prune``.
    """

    name = ""
    needs: tuple[str, ...] = ()
    judges = False

    # -- a game

    def after(self, work: Work, change: Change) -> tuple[Happening, ...]:
        """Do what follows from the end of a game, or from the end of one that goes on again.

        Return the happenings that its players are told of.
        """
        return ()

    def require(self, work: Work, match: Match, userid: str, act: str) -> None:
        """Raise Refusal if a player may not do an act in a game of this feature.

        ``act``: ``decline``, ``cancel``, ``extend``, ``counter``. Asked of the feature that the terms of
        the game name.
        """

    def unbegun(self, work: Work, match: Match, late: str) -> None:
        """Note that ``late`` has not begun a game of this feature in time; its board is removed."""

    # -- a player

    def titles(self, tx: Tx, userid: str) -> Iterable[str]:
        """Return what a player has won, such as ``first of the Hex ladder``."""
        return ()

    def leaves(self, work: Work, userid: str) -> None:
        """Let a player go who closes the account; the games still run."""

    def left(self, work: Work, userid: str) -> None:
        """Let a player go who closes the account; the games have been resigned."""

    # -- the server

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Do what is due in this round of ``remind``; ``is_up``: players can reach the server."""

    def check(self, tx: Tx) -> Iterator[str]:
        """Yield each difference between stored values and what they follow from."""
        yield from ()

    def census(self, tx: Tx) -> Gauges:
        """Return figures for Prometheus that are counted over whole tables."""
        return {}

    def pages(self, tx: Tx, people: frozenset[str]) -> Iterable[Any]:
        """Return pages of tables for the site, which name only ``people``."""
        return ()


@cache
def features(without: frozenset[str] = frozenset()) -> tuple[Feature, ...]:
    """Return the features except those that are switched off, in the order of ``NAMES``."""
    every = (module.FEATURE for name, module in modules("feature") if name not in without)
    return tuple(every)


def owner(match: Match) -> Feature:
    """Return the feature that a game belongs to; one without any answers if the game stands alone."""
    return next((each for each in features() if each.name == match.terms.contest), _NONE)


_NONE = Feature()
